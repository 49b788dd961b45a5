import type { Endpoint } from '../domain/endpoint.ts'
import type { Outcome, Platform } from '../lifecycle/ports.ts'
import { call } from '../operations/call.ts'

/** The largest page the platform gives. */
const size = 2000

/**
 * Every endpoint, page after page. Any page that fails makes the whole list fail, and so does a list that lost an
 * endpoint between two pages, because one before it went away meanwhile.
 */
export async function listAll(send: Platform['send']): Promise<Outcome<readonly Endpoint[]>> {
  const endpoints = new Map<string, Endpoint>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const got = await send(call('get', '/endpoints', { params: { query: { page, size } } }))
    if (got.kind !== 'answered') return got
    for (const endpoint of got.answer.endpoints) endpoints.set(endpoint.id, endpoint)
    pages = got.answer.pages
    if (page === pages && page > 1 && endpoints.size < got.answer.total) return changed
  }
  return { kind: 'answered', answer: [...endpoints.values()] }
}

const changed: Outcome<never> = { kind: 'unknown', says: 'The list changed while it was read: ask again.' }
