import { expect, test } from 'vitest'
import type { Request } from '../../src/core/model/request.ts'
import type { People } from '../../src/core/ports/services.ts'
import { advance } from '../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import { presses, staged, swept, types } from '../support/memory/stage.ts'

/** Returns the result of a line, and how many entries it adds to the history and the audit. */
async function handedIn(user: string, more: Partial<Request> = {}, unread = false) {
  const [viewer, operator] = [[{ kind: 'user', id: 'U0BEN' }], [{ kind: 'channel', id: 'C0PRIV' }]] as const
  const roles = { viewer, operator, approver: [], admin: [] }
  const { services, shelf, clock } = peopled({ ...policyWith({ stop: 'nothing' }), roles })
  const { store } = services
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
    ...services.people,
    async who(...asked) {
      const person = await services.people.who(...asked)
      return person && { ...person, ...(unread && { unread }) }
    },
  }
  await advance({ ...services, people }, request.id)
  const ended = await store.load(request.id)
  return { status: ended?.status, stranger: ended?.stranger === true, audit: shelf.audit.length, past: shelf.past.size }
}

test.each([
  ['an operation', {}, 'refused'],
  ['a query', { kind: 'query', line: 'list' }, 'refused'],
  ['whoami', { kind: 'query', line: 'whoami' }, 'succeeded'],
] as const)('%s from a person without any role is counted but not recorded in the history', async (_, more, status) => {
  for (const user of ['U0EVA', 'U0GUS', 'U0HAL'])
    expect(await handedIn(user, more)).toEqual({ status, stranger: true, audit: 0, past: 0 })
})

test.each([
  ['from a person with too low a role', 'U0BEN', {}, false],
  ['from a rule whose author has lost their role', 'U0EVA', { via: 'schedule' }, false],
  ['from a person whose groups cannot be read', 'U0EVA', {}, true],
  ['from a person with a role in a private channel', 'U0IDA', {}, false],
] as const)('a refused line %s is recorded in the history and in the audit', async (_, user, more, unread) => {
  expect(await handedIn(user, more, unread)).toEqual({ status: 'refused', stranger: false, audit: 1, past: 1 })
})

test('refused presses from a person without any role are only counted, and answered once', async () => {
  const stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  await types(stage, 'U0ANA', 'stop my-llm', 'C0OPS')
  await swept(stage)
  const [id = ''] = stage.requests
  const [audit, events] = [stage.shelf.audit.length, await stage.store.eventsOf(id)]
  for (let n = 0; n < 20; n += 1) {
    await presses(stage, 'U0HAL', id, n % 2 === 0)
    await swept(stage)
  }
  expect(stage.shelf.audit).toHaveLength(audit)
  expect(await stage.store.eventsOf(id)).toEqual(events)
  const { notes = [], status } = (await stage.store.load(id)) ?? {}
  expect([status, notes.map(({ to }) => to.user)]).toEqual(['awaiting', ['U0HAL']])
  // A person with a role gets an answer to every press.
  for (let n = 0; n < 2; n += 1) {
    await presses(stage, 'U0CLEO', id, true, { old: 1 })
    await swept(stage)
  }
  expect(stage.shelf.audit).toHaveLength(audit + 2)
  expect((await stage.store.load(id))?.notes).toHaveLength(3)
})

test('a refused press of one person is not forgotten however often another one presses', async () => {
  const stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  await types(stage, 'U0ANA', 'stop my-llm', 'C0OPS')
  await swept(stage)
  const [id = ''] = stage.requests
  await presses(stage, 'U0CLEO', id, true, { old: 1 })
  for (let n = 0; n < 101; n += 1) await presses(stage, 'U0BEN', id, true, { old: 1 })
  await swept(stage)
  const { notes = [] } = (await stage.store.load(id)) ?? {}
  expect([notes.length, notes[0]?.to.user]).toEqual([51, 'U0CLEO'])
})

test('a person with a role in a private channel gets an answer to every press in any channel', async () => {
  const usual = policyWith({ stop: 'confirmation' })
  const stage = staged(peopled({ ...usual, roles: { ...usual.roles, viewer: [] } }))
  stage.people.persons.set('U0ZOE', { membership: 'full', groups: new Set(), known: true })
  await types(stage, 'U0ANA', 'stop my-llm', 'C0OPS')
  await swept(stage)
  const [id = ''] = stage.requests
  async function toldAndKept(user: string): Promise<readonly [number, number]> {
    const [audit, told] = [stage.shelf.audit.length, (await stage.store.load(id))?.notes.length ?? 0]
    for (let n = 0; n < 2; n += 1) {
      await presses(stage, user, id, true, { old: 1 })
      await swept(stage)
    }
    return [((await stage.store.load(id))?.notes.length ?? 0) - told, stage.shelf.audit.length - audit]
  }
  expect(await toldAndKept('U0IDA')).toEqual([2, 2])
  expect(await toldAndKept('U0ZOE')).toEqual([1, 0])
  // The channel's members are unknown, so this person may be one of them.
  stage.people.channels.delete('C0PRIV')
  expect(await toldAndKept('U0ZOE')).toEqual([2, 2])
})
