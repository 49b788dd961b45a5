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
  /** Readers, each from one format to the next. The first reads data from before formats had numbers. */
  readonly older: readonly ((before: Fields) => Fields)[]
  /** Describes what this process does not know in a readable value: `the kind “x”`. */
  readonly unknown?: (value: Fields) => string | undefined
}

/** A shape whose unnumbered data are read unchanged. */
const asItIs: Row = { older: [(before) => before] }

/** Format 1 has English text where format 2 may have sentences of the catalogue. */
const english = (before: Fields) => before
const wordsOnly: Row = { older: [(before) => before, english] }

/** Every stored shape, with readers of its older formats. src/README.md says how to change one. */
export const shapes = {
  request: { older: wordsOnly.older, unknown: unknownInRequest },
  press: asItIs,
  event: wordsOnly,
  posts: asItIs,
  record: { older: asItIs.older, unknown: ({ kind }) => strange('record', kind, recordKinds) },
  root: asItIs,
  entry: wordsOnly,
  head: asItIs,
  settings: asItIs,
  late: asItIs,
  names: asItIs,
  prices: asItIs,
  reconcileState: asItIs,
  reading: asItIs,
  segments: asItIs,
  seal: asItIs,
  process: asItIs,
  job: asItIs,
  export: asItIs,
  webhook: asItIs,
} as const satisfies Record<string, Row>

export type Shape = keyof typeof shapes

export function formatOf(shape: Shape): number {
  return shapes[shape].older.length
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
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a stored text into the current format. Throws Newer. */
export function readAs<Value>(shape: Shape, text: string): Value {
  return valueAs(shape, JSON.parse(text))
}

/** Converts a stored value to the current format. A list is bare in format 1, later in `list`. Throws Newer. */
export function valueAs<Value>(shape: Shape, value: unknown): Value {
  const { older, unknown }: Row = shapes[shape]
  const isList = Array.isArray(value)
  const { format = 0, ...fields } = (isList ? { list: value } : value) as Fields
  if (typeof format !== 'number' || format > older.length)
    throw new Newer(`A ${shape} has format ${String(format)}, and this process reads formats up to ${older.length}.`)
  const read = older.slice(format).reduce((before, reader) => reader(before), fields)
  const what = unknown?.(read)
  if (what !== undefined) throw new Newer(`A ${shape} has ${what}, which this process does not know.`)
  return (isList ? read['list'] : read) as Value
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
