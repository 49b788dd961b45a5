import type { InstanceType } from '../domain/endpoint.ts'
import type { Outcome, Platform } from '../lifecycle/platform.ts'
import { call } from '../operations/call.ts'

/** The largest page the platform gives. */
const size = 2000

/** Every instance type, page after page. Any page that fails makes the whole list fail. */
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
