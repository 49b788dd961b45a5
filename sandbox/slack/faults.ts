/** What goes wrong with a call. The first five stop it before it takes effect. */
export type Fault =
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'rate-limited'; readonly retryAfterS: number | string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop-before' }
  /** The call takes effect, but the answer never arrives. */
  | { readonly kind: 'drop-after' }
  | { readonly kind: 'hang-after' }
  | { readonly kind: 'status-after'; readonly status: number }
  | { readonly kind: 'delay'; readonly ms: number }

export interface PlannedFault {
  /** How often it struck. A test whose fault never struck has tested nothing. */
  hits(): number
  clear(): void
}

export interface Faults {
  /** Plans a fault for a method (`*` means any), for `times` calls or until it is cleared. */
  readonly add: (method: string, fault: Fault, times?: number) => PlannedFault
  /** Returns the fault that strikes this call, if any; of several, the one planned first. */
  readonly strike: (method: string) => Fault | undefined
  readonly clear: () => void
}

export function createFaults(): Faults {
  const plans: { method: string; fault: Fault; left: number; hits: number }[] = []
  return {
    add(method, fault, times = Number.POSITIVE_INFINITY) {
      const plan = { method, fault, left: times, hits: 0 }
      plans.push(plan)
      return {
        hits: () => plan.hits,
        clear: () => {
          plan.left = 0
        },
      }
    },
    strike(method) {
      const plan = plans.find((one) => one.left > 0 && (one.method === method || one.method === '*'))
      if (!plan) return undefined
      plan.left -= 1
      plan.hits += 1
      return plan.fault
    },
    clear() {
      for (const plan of plans) plan.left = 0
    },
  }
}
