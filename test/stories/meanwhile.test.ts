import { afterEach, beforeEach, expect, test } from 'vitest'
import { policyOf, startTown, type Town } from '../support/town.ts'

let town: Town
beforeEach(async () => {
  town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
})
afterEach(() => town.stop())

test('an endpoint renamed between card and press is the same endpoint, and the one that took its name is left alone', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  town.platform.rename('ep-llm', 'my-old-llm')
  await town.platform.add({ id: 'ep-new', name: 'my-llm', active: true })
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(/Stopped my-/, { in: 'ops' })
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'ep-llm', kind: 'stop' }])
})

test('an endpoint deleted between card and press ends the request with the platform’s words', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  town.platform.remove('ep-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees(
    /Stop my-llm cancelled\. The platform’s answer about my-llm: Endpoint not found\. Nothing was done\./,
    {
      in: 'ops',
    },
  )
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('[Stop my-llm]')
})

test('a patch whose endpoint was stopped meanwhile goes on with what is left of its plan, which nobody has to agree to', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  await ana.sees('Patch my-llm (port 9000)? It’s running with 3 replicas.', { in: 'ops' })
  town.platform.console.stop('ep-llm')
  await ana.presses('Patch my-llm', { in: 'ops' })
  await ana.sees('Patched my-llm (port 9000).', { in: 'ops' })
  expect(town.platform.changes().map(({ kind, by }) => `${by} ${kind}`)).toEqual(['console stop', 'api patch'])
})

test('a waiting card ends by itself once somebody else has done what it asks for', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  town.platform.console.stop('ep-llm')
  await town.minutesPass(2)
  await ana.sees('Stop my-llm is no longer needed. my-llm is already stopped.', { in: 'ops' })
  await town.calm()
  expect(town.slack.transcript('ops')).not.toContain('  [Stop my-llm] [Leave it running]\nApp:')
  await ana.types('ops', '/endpoint start my-llm')
  await ana.sees('Started my-llm', { in: 'ops' })
})

test('a waiting card says who has paused automation meanwhile, without asking anew', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  await town.slack.as('U0BEN').types('ops', '/endpoint keep my-llm 2h')
  await ana.sees('Paused automation for my-llm', { in: 'ops' })
  await town.minutesPass(2)
  await ana.sees(/@ben paused its automation until .+ at \d\d:\d\d\./, { in: 'ops' })
  expect(town.slack.transcript('ops')).not.toContain('replaced')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm', { in: 'ops' })
})

test('a waiting card asks anew once the policy asks for more', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('[Stop my-llm]', { in: 'ops' })
  await town.rules(
    policyOf(`
    roles:
      operator: [everyone]
      approver: [user:U0BEN]
    endpoints:
      - match: [my-llm]
        protected: true
`),
  )
  await expect.poll(() => town.log().split('applied the changed policy file').length - 1).toBe(2)
  await town.minutesPass(2)
  await ana.sees('Needs 1 approval from @ben.', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('a waiting patch of an endpoint that somebody has stopped says so, and begins only when it is answered', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-llm port=9000')
  await ana.sees('Patch my-llm (port 9000)? It’s running with 3 replicas.', { in: 'ops' })
  town.platform.console.stop('ep-llm')
  await town.minutesPass(2)
  await ana.sees(/Patch my-llm \(port 9000\)\? It’s stopped; it starts with 3 replicas\./, { in: 'ops' })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop'])
  await ana.presses('Patch my-llm', { in: 'ops' })
  await ana.sees('Patched my-llm (port 9000).', { in: 'ops' })
})

test('a stop that is laid down already, and a question that waits, are not asked for again', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm at 12:00')
  await ana.presses('Schedule stop', { in: 'ops' })
  await ana.sees('Scheduled a stop of my-llm', { in: 'ops' })
  await ana.types('ops', '/endpoint stop my-llm at 12:00')
  await ana.sees(/my-llm already stops to(day|morrow) at 12:00\./, { in: 'ops' })
  await ana.types('ops', '/endpoint ask "Deploy v2?"')
  await ana.sees('Approval of “Deploy v2?” Needs 1 approval from @ben.', { in: 'ops' })
  await ana.types('ops', '/endpoint ask "Deploy v2?"')
  await ana.sees('This was already requested and is waiting for an answer.', { in: 'ops' })
})

test('a question that is asked while all automation is paused does not carry the reason for the pause', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint freeze reason="an incident"')
  await ana.sees('Paused all automation', { in: 'ops' })
  await ana.types('ops', '/endpoint ask "Deploy v2?"')
  const question = await ana.sees('Needs 1 approval from @ben.', { in: 'ops' })
  expect(question.text).not.toContain('an incident')
  await ana.types('ops', '/endpoint thaw')
  await ana.sees('Resume all automation', { in: 'ops' })
  expect(town.slack.transcript('ops')).toContain('Reason for the pause: “an incident”.')
})

test('what has failed can be tried again by its button, by the same rules', async () => {
  const ana = town.slack.as('U0ANA')
  town.platform.faults.add('startEndpoint', { kind: 'answer', status: 400, body: { message: 'Not now.' } }, 1)
  await ana.types('ops', '/endpoint start my-tts')
  await ana.presses('Try again', { in: 'ops' })
  await ana.sees('Started my-tts', { in: 'ops' })
})
