import type { OperationName } from './names.ts'

/** What goes wrong with a call. */
export type Fault =
  /** The call is answered without effect. Text is sent as it is, anything else as JSON. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body?: unknown
      readonly type?: string
      /** The `Retry-After` header. */
      readonly retryAfter?: string
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop-before' }
  /** The connection drops at once; the call takes effect `ms` later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The call takes effect; then comes this answer, none, a dropped connection, or half an answer. */
  | { readonly kind: 'answer-after'; readonly status: number; readonly body?: unknown; readonly type?: string }
  | { readonly kind: 'hang-after' }
  | { readonly kind: 'drop-after' }
  | { readonly kind: 'half' }
  /** The call takes effect, but for `ms` every read of the endpoint shows its old state. */
  | { readonly kind: 'stale'; readonly ms: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'delay-after'; readonly ms: number }
  /** `is_active` in the answer is the opposite of the truth. */
  | { readonly kind: 'contradict' }
  | { readonly kind: 'without'; readonly field: string }
  /** The 200 contains a problem object. */
  | { readonly kind: 'problem'; readonly problem?: unknown }
  | { readonly kind: 'message'; readonly text: string }

export interface PlannedFault {
  /** How often it struck. A test whose fault never struck has tested nothing. */
  hits(): number
  /** Whether it may still strike. */
  isLeft(): boolean
  clear(): void
}

/** Of the faults that end a call, only the one planned first strikes; all others that match strike together. */
export interface Faults {
  /** `times`: how many calls it strikes; if left out, all until it is cleared. */
  readonly add: (operation: OperationName | '*', fault: Fault, times?: number) => PlannedFault
  readonly strike: (operation: OperationName) => readonly Fault[]
  readonly clear: () => void
}

/** Ends a call before it acts. */
export type Early = Extract<Fault, { kind: 'answer' | 'hang' | 'drop-before' | 'late' }>
/** Ends a call after it has acted. */
type Late = Extract<Fault, { kind: 'answer-after' | 'hang-after' | 'drop-after' | 'half' }>

export function isEarly(fault: Fault): fault is Early {
  return ['answer', 'hang', 'drop-before', 'late'].includes(fault.kind)
}

export function isLate(fault: Fault): fault is Late {
  return ['answer-after', 'hang-after', 'drop-after', 'half'].includes(fault.kind)
}

function endsCall(fault: Fault): boolean {
  return isEarly(fault) || isLate(fault)
}

export function createFaults(): Faults {
  let planned: { operation: OperationName | '*'; fault: Fault; left: number; hits: number }[] = []

  return {
    add(operation, fault, times = Number.POSITIVE_INFINITY) {
      const one = { operation, fault, left: times, hits: 0 }
      planned.push(one)
      return {
        hits: () => one.hits,
        isLeft: () => one.left > 0,
        clear: () => {
          one.left = 0
        },
      }
    },
    strike(operation) {
      if (planned.length === 0) return []
      planned = planned.filter(({ left }) => left > 0)
      const fits = planned.filter((one) => one.operation === '*' || one.operation === operation)
      const end = fits.find(({ fault }) => endsCall(fault))
      const struck = fits.filter((one) => one === end || !endsCall(one.fault))
      for (const one of struck) {
        one.left -= 1
        one.hits += 1
      }
      return struck.map(({ fault }) => fault)
    },
    clear() {
      planned = []
    },
  }
}
