import type { Row } from './define.ts'
import { readLine, writeLine } from './line.ts'

/** A stored line with the name of its endpoint, where a button or a rule wrote the id. */
export function calledLine(
  line: string,
  endpoint: { readonly name: string } | undefined,
  rows: readonly Row[],
): string {
  const read = readLine(line, rows, 'stored')
  if (endpoint === undefined || read.kind !== 'line' || !('endpoint' in read.read.row.fields)) return line
  return writeLine(read.read.row, { ...read.read.values, endpoint: endpoint.name })
}
