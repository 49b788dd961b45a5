import { expect, test } from 'vitest'
import { advance } from '../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'

const place = { channel: 'C0OPS' }
const [first, own, cancels] = ['a'.repeat(22), 'b'.repeat(22), 'c'.repeat(22)]

function begin() {
  const town = peopled(policyWith({ stop: 'confirmation' }))
  const { services, clock } = town
  const { store } = services
  const type = async (id: string, user: string, line: string) => {
    const at = clock.now()
    const typed = { id, project: 'default', line, actor: { team: homeTeam, user }, place, receivedAt: at, nextAt: at }
    await store.receive({ ...typed, kind: 'operation', status: 'received', notes: [] }, undefined)
  }
  return { ...town, store, type, look: (id: string) => advance(services, id) }
}

test('`cancel` with a name ends no other request if one’s own ended after it was typed', async () => {
  const { store, clock, type, look } = begin()
  const cleo = { team: homeTeam, user: 'U0CLEO' }
  await type(first, 'U0ANA', 'idle my-llm after 60m')
  await type(own, cleo.user, 'stop my-llm')
  for (const id of [first, own]) await look(id)
  await type(cancels, cleo.user, 'cancel my-llm')
  clock.pass(1_000)
  const at = clock.now()
  await store.press({ id: 'no', request: own, ask: 1, yes: false, actor: cleo, channel: 'C0OPS', at }, undefined)
  await look(own)
  expect(await store.load(own)).toMatchObject({ status: 'declined' })
  await look(cancels)
  expect(await store.load(cancels)).toMatchObject({ status: 'refused', ending: { says: { say: 'request.over' } } })
  expect(await store.load(first)).toMatchObject({ status: 'awaiting' })
})

test('`cancel` with a name ends one’s own start that waits because the platform could not be read', async () => {
  const { store, platform, type, look } = begin()
  platform.arrive = () => ({ kind: 'unreached', says: 'Too many requests', pause: 60_000 })
  await type(own, 'U0ANA', 'start my-tts')
  await look(own)
  await type(cancels, 'U0ANA', 'cancel my-tts')
  await look(cancels)
  const says = { say: 'cancel.done', with: { deed: { say: 'start.ask', with: { name: 'my-tts' } } } }
  expect(await store.load(cancels)).toMatchObject({ status: 'succeeded', ending: { says } })
  expect(await store.load(own)).toMatchObject({ status: 'cancelled' })
})

test('`cancel` with a name ends one’s open question although one’s pause, typed before, was made only now', async () => {
  const { store, clock, type, look } = begin()
  await type(first, 'U0ANA', 'stop my-llm')
  await look(first)
  await type(own, 'U0ANA', 'keep my-llm 2h')
  await type(cancels, 'U0ANA', 'cancel my-llm')
  clock.pass(3_000)
  await look(own)
  await look(cancels)
  expect(await store.load(first)).toMatchObject({ status: 'cancelled' })
})
