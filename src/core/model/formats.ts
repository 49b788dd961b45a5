import { isGoal, methods } from './plan.ts'
import { requirements } from './policy.ts'
import { recordKinds } from './records.ts'
import { kinds, type Request, statuses, vias } from './request.ts'

/** What is stored was written by a newer version of the product: this process leaves it to one of that version. */
export class Newer extends Error {
  override readonly name = 'Newer'
}

type Fields = Readonly<Record<string, unknown>>

interface Row {
  /** Makes a value of the next format of one of this format; the first reads what was stored before there were numbers. */
  readonly older: readonly ((before: Fields) => Fields)[]
  /** What this process does not know of a value although it can read it: `the kind “x”`. */
  readonly unknown?: (value: Fields) => string | undefined
}

/** Stored before there were numbers, and read as it is. */
const asItIs: Row = { older: [(before) => before] }

/** Format 1 has English text where format 2 may hold sentences of the catalogue. */
const english = (before: Fields) => before
const wordsOnly: Row = { older: [(before) => before, english] }

/** Every shape that a later process reads, with its readers of older formats; src/README.md says how to change one. */
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

/** A value with the number of its format. */
export function numbered<Value extends object>(shape: Shape, value: Value): Value & { readonly format: number } {
  return { format: formatOf(shape), ...value }
}

/** The text of a value that has fields, with the number of its format. Written without a copy: every command is. */
export function written(shape: Shape, value: object): string {
  return `{"format":${formatOf(shape)},${JSON.stringify(value).slice(1)}`
}

/** Undefined if it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a stored text says, in today's format. Throws Newer. */
export function readAs<Value>(shape: Shape, text: string): Value {
  return valueAs(shape, JSON.parse(text))
}

/** A stored value in today's format. A list is bare in format 1, and later `list` beside its number. Throws Newer. */
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

/** What can be read, or something else in its place if only a newer process can read it. */
export function unlessNewer<Value, Other>(read: () => Value, other: Other): Value | Other {
  try {
    return read()
  } catch (error) {
    if (error instanceof Newer) return other
    throw error
  }
}

/** A stored text that is no JSON. A later format begins with NUL and its number. Throws Newer. */
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
