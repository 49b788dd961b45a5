import { Newer } from '../domain/formats.ts'
import type { Operation, Query } from './define.ts'
import type { Given } from './field.ts'
import { rows } from './index.ts'
import { readLine } from './line.ts'

/** A stored line is canonical, so it reads as it was written, unless a newer version has written it. Throws Newer. */
export function operationIn(line: string): { readonly row: Operation; readonly values: Given } {
  const read = readLine(line, rows, 'stored')
  if (read.kind === 'line' && read.read.row.kind === 'operation')
    return { row: read.read.row, values: read.read.values }
  throw unknownLine(line, 'an operation')
}

export function queryIn(line: string): { readonly row: Query; readonly values: Given } {
  const read = readLine(line, rows, 'stored')
  if (read.kind === 'line' && read.read.row.kind === 'query') return { row: read.read.row, values: read.read.values }
  throw unknownLine(line, 'a query')
}

/** Of the line no more than its verb: people's words do not belong in a log. */
function unknownLine(line: string, what: string): Newer {
  return new Newer(`A line that begins with “${line.split(' ')[0]}” is not one of ${what} that this process knows.`)
}
