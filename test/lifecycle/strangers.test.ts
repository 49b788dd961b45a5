import { expect, test } from 'vitest'
import type { Request } from '../../src/domain/request.ts'
import { advance } from '../../src/lifecycle/advance.ts'
import type { People } from '../../src/lifecycle/ports.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'

/** What a line came to, and how many entries the history and the audit have by it. */
async function handedIn(user: string, more: Partial<Request> = {}, unread = false) {
  const roles = { viewer: [{ kind: 'user', id: 'U0BEN' }], operator: [], approver: [], admin: [] } as const
  const { house, store, shelf, clock } = peopled({ ...policyWith({ stop: 'nothing' }), roles })
  const at = clock.now()
  const request: Request = {
    id: 'a line',
    project: 'default',
    kind: 'operation',
    line: 'stop my-llm',
    actor: { team: homeTeam, user },
    place: { channel: 'C0OPS' },
    receivedAt: at,
    status: 'received',
    notes: [],
    nextAt: at,
    ...more,
  }
  await store.receive(request, undefined)
  const people: People = {
    ...house.people,
    async who(...asked) {
      const person = await house.people.who(...asked)
      return person && { ...person, ...(unread && { unread }) }
    },
  }
  await advance({ ...house, people }, request.id)
  const ended = await store.load(request.id)
  return { status: ended?.status, stranger: ended?.stranger === true, audit: shelf.audit.length, past: shelf.past.size }
}

test.each([
  ['a change', {}, 'refused'],
  ['a question', { kind: 'query', line: 'list' }, 'refused'],
  ['who they are', { kind: 'query', line: 'whoami' }, 'succeeded'],
] as const)('%s of somebody without any role stands in no history, and is only counted', async (_, more, status) => {
  for (const user of ['U0ANA', 'U0GUS', 'U0HAL'])
    expect(await handedIn(user, more)).toEqual({ status, stranger: true, audit: 0, past: 0 })
})

test.each([
  ['of somebody with a lower role', 'U0BEN', {}, false],
  ['of a rule whose author has no role any more', 'U0ANA', { via: 'schedule' }, false],
  ['of somebody whose groups cannot be read', 'U0ANA', {}, true],
] as const)('a refused line %s stands in the history and in the audit', async (_, user, more, unread) => {
  expect(await handedIn(user, more, unread)).toEqual({ status: 'refused', stranger: false, audit: 1, past: 1 })
})
