import { call } from '../../core/commands/call.ts'
import type { Endpoint, InstanceType } from '../../core/model/endpoint.ts'
import type { Outcome, Platform } from '../../core/ports/platform.ts'

/** The platform's largest page. */
const size = 2000

/**
 * Every endpoint, page after page. The list fails if a page fails, or if the total changes meanwhile: a removed endpoint
 * shifts the next page, which would then miss one.
 */
export async function listAll(send: Platform['send']): Promise<Outcome<readonly Endpoint[]>> {
  const endpoints = new Map<string, Endpoint>()
  let total: number | null = null
  for (let page = 1, pages = 1; page <= pages; page++) {
    const got = await send(call('get', '/endpoints', { params: { query: { page, size } } }))
    if (got.kind !== 'answered') return got
    if (total !== null && total !== got.answer.total) return changed
    for (const endpoint of got.answer.endpoints) endpoints.set(endpoint.id, endpoint)
    total = got.answer.total
    pages = got.answer.pages
  }
  return { kind: 'answered', answer: [...endpoints.values()] }
}

const changed: Outcome<never> = { kind: 'unknown', says: 'The list changed while it was read: ask again.' }

/** Every instance type, page after page. The list fails if a page fails. */
export async function listInstanceTypes(send: Platform['send']): Promise<Outcome<readonly InstanceType[]>> {
  const types: InstanceType[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const got = await send(call('get', '/instance-types', { params: { query: { page, size } } }))
    if (got.kind !== 'answered') return got
    types.push(...got.answer.types)
    pages = got.answer.pages
  }
  return { kind: 'answered', answer: types }
}
