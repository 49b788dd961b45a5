import { unlessItFails } from '../../core/text/unless-it-fails.ts'
import { isGoal, methods } from './plan.ts'
import { requirements } from './policy.ts'
import { recordKinds } from './records.ts'
import { kinds, type Request, statuses, vias } from './request.ts'

/** Thrown for data that a newer version has stored. This process leaves them to a process of that version. */
export class Newer extends Error {
  override readonly name = 'Newer'
}

type Fields = Readonly<Record<string, unknown>>

interface Row {
  /** The number of the current format. Data of older ones, and those without a number, are read as they are. */
  readonly format: number
  /** Describes what this process does not know in a readable value: `the kind “x”`. */
  readonly unknown?: (value: Fields) => string | undefined
}

/** Format 1 has English text where format 2 may have sentences of the catalogue. */
const mayHaveSentences = 2

/** Every stored shape. src/README.md says how to change one. */
export const shapes = {
  request: { format: mayHaveSentences, unknown: unknownInRequest },
  press: { format: 1 },
  event: { format: mayHaveSentences },
  posts: { format: 1 },
  record: { format: 1, unknown: ({ kind }) => strange('record', kind, recordKinds) },
  root: { format: 1 },
  entry: { format: mayHaveSentences },
  head: { format: 1 },
  settings: { format: 1 },
  late: { format: 1 },
  names: { format: 1 },
  prices: { format: 1 },
  reconcileState: { format: 1 },
  reading: { format: 1 },
  segments: { format: 1 },
  seal: { format: 1 },
  process: { format: 1 },
  job: { format: 1 },
  export: { format: 1 },
  webhook: { format: 1 },
} as const satisfies Record<string, Row>

export type Shape = keyof typeof shapes

export function formatOf(shape: Shape): number {
  return shapes[shape].format
}

/** Adds the number of the current format. */
export function numbered<Value extends object>(shape: Shape, value: Value): Value & { readonly format: number } {
  return { format: formatOf(shape), ...value }
}

/** Returns an object's text with its format number. Avoids a copy, because every command is written this way. */
export function written(shape: Shape, value: object): string {
  return `{"format":${formatOf(shape)},${JSON.stringify(value).slice(1)}`
}

/** Returns undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  return unlessItFails((): unknown => JSON.parse(text), undefined)
}

/** Parses a stored text into the current format. Throws Newer. */
export function readAs<Value>(shape: Shape, text: string): Value {
  return valueAs(shape, JSON.parse(text))
}

/** Checks that this process can read a stored value, and removes its format number. Lists have none. Throws Newer. */
export function valueAs<Value>(shape: Shape, value: unknown): Value {
  if (Array.isArray(value)) return value as Value
  const { format: newest, unknown }: Row = shapes[shape]
  const { format = 0, ...fields } = value as Fields
  if (typeof format !== 'number' || format > newest)
    throw new Newer(`A ${shape} has format ${String(format)}, and this process reads formats up to ${newest}.`)
  const what = unknown?.(fields)
  if (what !== undefined) throw new Newer(`A ${shape} has ${what}, which this process does not know.`)
  return fields as Value
}

/** Returns what `read` returns, or `other` if only a newer process can read it. */
export function unlessNewer<Value, Other>(read: () => Value, other: Other): Value | Other {
  try {
    return read()
  } catch (error) {
    if (error instanceof Newer) return other
    throw error
  }
}

/** Returns a stored text that is not JSON. Later formats begin with NUL and a number. Throws Newer. */
export function plainly(what: string, text: string): string {
  if (text.startsWith('\0')) throw new Newer(`A ${what} has a newer format than this process reads.`)
  return text
}

function unknownInRequest(request: Fields): string | undefined {
  const { kind, status, via = 'typed', requirement = 'nothing', plan = [], change } = request as unknown as Request
  const step = plan.find(({ goal, call }) => !isGoal(goal) || !methods.includes(call.method))
  return (
    strange('kind', kind, kinds) ??
    strange('status', status, statuses) ??
    strange('way in', via, vias) ??
    strange('requirement', requirement, [...requirements, 'notice']) ??
    (step && `the step “${step.call.method} … ${step.goal}”`) ??
    change?.put?.map((record) => strange('record', record.kind, recordKinds)).find((what) => what !== undefined)
  )
}

function strange(name: string, value: unknown, known: readonly unknown[]): string | undefined {
  return known.includes(value) ? undefined : `the ${name} “${String(value)}”`
}
