import { afterEach, expect, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options?: TownOptions) {
  town = await startTown(options)
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN'), cleo: town.slack.as('U0CLEO') }
}

test('A waiting request can be cancelled by its requester and by an approver, not by another operator', async () => {
  const { ana } = await begin()
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await asks(town.slack.as('U0DORA'), 'cancel my-llm', 'Only @ana or an approver can cancel this.')
  await asks(ana, 'cancel my-llm', '🚫 Stop my-llm cancelled. Nothing changed.')
  await town.calm()
  expect(town.slack.transcript('ops')).not.toMatch(/^ {4}\[Stop my-llm\]/m)
  await asks(ana, 'cancel my-llm', 'my-llm has no open request.')
  await ana.types('ops', '/endpoint stop my-llm')
  // Her earlier private copy keeps its buttons.
  await expect.poll(() => town.slack.transcript('ops')).toMatch(/^ {4}\[Stop my-llm\]/m)
  await town.slack.as('U0BEN').types('ops', '/endpoint cancel my-llm')
  await ana.sees('🚫 Stop my-llm cancelled by @ben. Nothing changed.\nrequested by @ana', { in: 'ops' })
  expect(town.platform.changes()).toEqual([])
})

test('A restart cancelled after its stop starts the endpoint again', async () => {
  const { ana } = await begin({ platform: { startDelayMs: 0 } })
  town.platform.faults.add('stopEndpoint', { kind: 'stale', ms: 30_000 })
  await ana.types('ops', '/endpoint restart my-llm')
  await presses(ana, 'Restart my-llm', 'Restarting my-llm…')
  await asks(ana, 'cancel my-llm', 'Cancelled: Restart my-llm.')
  await town.minutesPass(2)
  await ana.sees('Restart my-llm cancelled. my-llm was stopped. It’s running again as before.', { in: 'ops' })
  await town.calm()
  expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.active).toBe(true)
})

test('undo requests the opposite as a new request', async () => {
  const { ana } = await begin()
  await asks(ana, 'undo my-tts', 'Nothing to undo for my-tts.')
  await asks(ana, 'start my-tts', 'Started my-tts')
  await ana.types('ops', '/endpoint undo my-tts')
  await presses(ana, 'Stop my-tts', 'Stopped my-tts.')
  // A scale is undone to the count that was read before it.
  await ana.types('ops', '/endpoint scale my-llm to 5')
  await presses(ana, 'Scale my-llm', 'Scaled my-llm to 5.')
  await asks(ana, 'undo my-llm', 'Scale my-llm to 3?')
})

test('explain says what a line, or one like it, would do, what it needs and who can confirm, and calls nothing', async () => {
  const { cleo } = await begin()
  await asks(cleo, 'explain stop my-llm', 'Dry run: Stop my-llm. It’s running with 3 replicas.')
  await cleo.sees('Needs confirmation. Why: this changes a running endpoint.', {
    in: 'ops',
  })
  await cleo.sees('These people can confirm within 30 min: @ana, @ben, or @ops', { in: 'ops' })
  await asks(
    cleo,
    'explain schedule my-tts up daily 09:00-20:00 UTC',
    'Needs confirmation, since it can start and stop the endpoint later.',
  )
  await cleo.sees('You can’t request it: it needs the operator role in project default.', { in: 'ops' })
  // Near misses are understood, and the line is shown as people type it.
  for (const line of ['stpo my-llm', '“turn off my-llm”']) {
    await asks(cleo, `explain ${line}`, /^stop my-llm\s+.*Dry run: Stop my-llm\./s)
  }
  expect(await cleo.types('ops', '/endpoint explain “the big one is costly”')).not.toContain('my-llm')
  await asks(cleo, 'explain freeze because=demo', /^freeze reason=demo\s/)
  // A query has no button.
  await asks(cleo, 'explain list', /This only reads and answers you privately\.$/)
  expect(town.platform.changes()).toEqual([])
})

test('An undo button undoes only the change beside it', async () => {
  const { ana } = await begin()
  await asks(ana, 'start my-tts', 'Started my-tts')
  await ana.types('ops', '/endpoint history')
  const button = await ana.remembers('Stop my-tts', { in: 'ops' })
  await town.slack.as('U0BEN').types('ops', '/endpoint scale my-tts to 2')
  await town.slack.as('U0BEN').presses('Scale my-tts', { in: 'ops' })
  await ana.sees('Scaled my-tts to 2.', { in: 'ops' })
  await ana.pressesRaw(button)
  await ana.sees('Something else has been done to my-tts since, so nothing was undone.', { in: 'ops' })
  expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['start', 'scale'])
})

test('doctor runs every check and gives a remedy for each fault, also the field for replicas', async () => {
  const { ana } = await begin({ platform: { scaleField: 'num_replicas' } })
  await ana.types('ops', '/endpoint scale my-llm to 2')
  await presses(ana, 'Scale my-llm', /^Scale .*: failed/)
  await asks(ana, 'doctor', 'set PLATFORM_SCALE_FIELD=num_replicas')
  for (const part of ['✅ API key', '❌ Secret values', 'openssl rand -base64 32']) await ana.sees(part, { in: 'ops' })
})
