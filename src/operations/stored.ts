import type { Operation, Query } from './define.ts'
import type { Given } from './field.ts'
import { rows } from './index.ts'
import { readLine } from './line.ts'

/** A stored line is canonical, so it reads as it was written; anything else is a fault of ours and throws. */
export function operationIn(line: string): { readonly row: Operation; readonly values: Given } {
  const read = readLine(line, rows, 'stored')
  if (read.kind === 'line' && read.read.row.kind === 'operation')
    return { row: read.read.row, values: read.read.values }
  throw new Error(`Not the line of an operation: ${line}`)
}

export function queryIn(line: string): { readonly row: Query; readonly values: Given } {
  const read = readLine(line, rows, 'stored')
  if (read.kind === 'line' && read.read.row.kind === 'query') return { row: read.read.row, values: read.read.values }
  throw new Error(`Not the line of a query: ${line}`)
}
