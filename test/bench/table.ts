import { medianOf, spreadOf } from './statistics.ts'

/** The measurements of one variant in each round, by the name of the measure. */
export type Samples = Readonly<Record<string, readonly number[]>>

export interface Section {
  readonly title: string
  readonly measures: readonly Measure[]
  /** The others are compared with the first variant. */
  readonly variants: Readonly<Record<string, Samples>>
}

export interface Measure {
  readonly key: string
  readonly heading: string
  readonly digits: number
  /** Whether to show a multiple of the first variant. */
  readonly compared?: boolean
  /** Whether to show the maximum instead of the median. */
  readonly worst?: boolean
}

/** Returns a table of medians, with their spread ((max - min) / median) and as a multiple of the first row. */
export function tableOf({ title, measures, variants }: Section): string {
  const rows = Object.entries(variants)
  const first = rows[0]?.[1] ?? {}
  const cells = [
    ['', ...measures.map(({ heading }) => heading)],
    ...rows.map(([name, samples]) => [name, ...measures.map((measure) => cellOf(measure, samples, first))]),
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = cells.map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  '))
  return [title, ...lines].join('\n')
}

function cellOf({ key, digits, compared, worst }: Measure, samples: Samples, first: Samples): string {
  const values = samples[key] ?? []
  if (values.length === 0 || values.some(Number.isNaN)) return '–'
  if (worst) return Math.max(...values).toFixed(digits)
  const spread = values.length > 1 ? ` ±${Math.round((spreadOf(values) * 100) / 2)}%` : ''
  const times = compared ? ` (${(medianOf(values) / medianOf(first[key] ?? [])).toFixed(2)}x)` : ''
  return `${medianOf(values).toFixed(digits)}${spread}${times}`
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
