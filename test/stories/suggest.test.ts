import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

/** A town whose worker has listed the endpoints and whose bot can suggest them. */
async function listedTown(options: TownOptions = {}): Promise<Town> {
  town = await startTown({ listed: true, ...options })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop')
  await ana.opens('Stop an endpoint')
  while ((await ana.suggests('Endpoint', '')).length === 0) await wait(20)
  await ana.closes(true)
  return town
}

test('stop suggests running endpoints first, start suggests stopped ones, and neither leaves any out', async () => {
  const { slack } = await listedTown()
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop')
  await ana.opens('Stop an endpoint')
  expect(await ana.suggests('Endpoint', '')).toEqual(['my-llm', 'my-tts'])
  await ana.closes()
  await ana.types('ops', '/endpoint start')
  await ana.opens('Start an endpoint')
  expect(await ana.suggests('Endpoint', '')).toEqual(['my-tts', 'my-llm'])
  expect(await ana.suggests('Endpoint', 'ep-l')).toEqual(['my-llm'])
  expect(await ana.suggests('Endpoint', 'my-lml')).toContain('my-llm')
  // An endpoint that is not listed yet is still found by its name.
  await town.platform.add({ id: 'ep-new', name: 'quite-new', active: false, replicas: 1 })
  expect(await ana.suggests('Endpoint', 'quite-new')).toEqual(['quite-new'])
  await ana.chooses('Endpoint', 'quite-new')
  await ana.submits()
  await ana.sees('Started quite-new', { in: 'ops' })
  // A sentence is answered with the command it may mean, whose form asks for the rest.
  expect(await ana.types('ops', '/endpoint make sure my-llm is off at night')).toContain(
    'Did you mean /endpoint schedule my-llm down?',
  )
  await ana.presses('Schedule my-llm…')
  await ana.opens('Schedule an endpoint')
  await ana.closes(true)
  // explain takes a sentence in quotes.
  await ana.types('ops', '/endpoint explain “turn off my-llm”')
  await ana.sees(/^stop my-llm\s+.*Dry run: Stop my-llm\./s, { in: 'ops' })
})

test('The right endpoint is found among 2,000 with the same prefix', async () => {
  const endpoints = Array.from({ length: 2_000 }, (_, at) => ({
    id: `ep-${at}`,
    name: `batch-${String(at).padStart(4, '0')}`,
    active: at === 1_999,
    replicas: 1,
  }))
  const { slack } = await listedTown({ endpoints })
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop')
  await ana.opens('Stop an endpoint')
  const first = await ana.suggests('Endpoint', 'batch')
  expect(first).toHaveLength(100)
  expect(first[0]).toBe('batch-1999')
  expect(await ana.suggests('Endpoint', 'batch-1234')).toEqual(['batch-1234'])
  await ana.chooses('Endpoint', 'batch-1999')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Stop batch-1999?', { in: 'ops' })
})

test('Names with markup and very long names are suggested and start the right endpoint', async () => {
  const markup = '<!channel> *x* <https://e.example|y> &amp;'
  const long = `long-${'x'.repeat(180)}`
  const { slack } = await listedTown({
    endpoints: [
      { id: 'ep-markup', name: markup, active: false, replicas: 1 },
      { id: 'ep-long', name: long, active: false, replicas: 1 },
    ],
  })
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint start')
  await ana.opens('Start an endpoint')
  expect(await ana.suggests('Endpoint', '<!ch')).toEqual([markup])
  const [shown = ''] = await ana.suggests('Endpoint', 'long-')
  expect(shown).toMatch(/^long-x+…$/)
  await ana.chooses('Endpoint', shown)
  await ana.submits()
  await ana.sees('Started long-', { in: 'ops' })
})

describe('Somebody without a role', () => {
  const [guest, stranger, gone, nobody] = ['U0GUEST', 'U0FAR', 'U0GONE', 'U0NONE']
  const policy = policyOf(`
    roles:
      viewer: []
      operator: [user:U0ANA]
      approver: []
      admin: []
`)
  const people = [
    { id: 'U0ANA', name: 'ana' },
    { id: guest, name: 'guest', guest: 'single' },
    { id: stranger, name: 'far', stranger: true, teamId: 'T0FAR' },
    { id: gone, name: 'gone', deleted: true },
    { id: nobody, name: 'none' },
  ] as const
  const shortcuts = [{ callbackId: 'lamplighter', name: 'Ask Lamplighter' }]
  const channels = [{ id: 'C0OPS', name: 'ops', members: people.map(({ id }) => id) }]

  test('gets one sentence and no form, suggestion or preview', async () => {
    const { slack } = await listedTown({ policy, slack: { people, channels, shortcuts } })
    for (const id of [guest, stranger, gone, nobody]) {
      const somebody = slack.as(id)
      for (const line of ['stop', 'schedule', 'decline'])
        expect(await somebody.types('ops', `/endpoint ${line}`)).toMatch(/^You don’t have a role here/)
      expect(slack.workspace.modals.get(id) ?? []).toEqual([])
      await somebody.runsShortcut('lamplighter')
      expect(JSON.stringify(await somebody.opens('Lamplighter'))).toMatch(/You don’t have a role here/)
      await somebody.closes(true)
    }
    // A person may lose every role after opening the form.
    const ana = slack.as('U0ANA')
    await ana.types('ops', '/endpoint schedule')
    await ana.opens('Schedule an endpoint')
    await ana.chooses('Endpoint', 'my-llm')
    await ana.chooses('State', 'Running only at these times')
    await ana.chooses('Times', 'weekdays 09:00-20:00')
    expect(await ana.suggests('Endpoint', '')).toEqual(['my-llm', 'my-tts'])
    slack.changes.person('U0ANA', { deleted: true })
    await town.minutesPass(1)
    expect(await ana.suggests('Endpoint', '')).toEqual([])
    expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
    await ana.sees('Only members of this workspace, and guests that the policy names, can use Lamplighter', {
      in: 'ops',
    })
  })

  test('is anybody whom Slack can’t look up, so nothing is suggested', async () => {
    const { slack } = await listedTown({ policy, slack: { people, channels, shortcuts } })
    const ana = slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop')
    await ana.opens('Stop an endpoint')
    await town.minutesPass(1)
    slack.fault('users.info', { kind: 'error', error: 'internal_error' })
    expect(await ana.suggests('Endpoint', '')).toEqual([])
  })
})
