import { afterEach, expect, test } from 'vitest'
import { effects, sends } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/* Tests that what people say meanwhile counts, as long as no call has had an effect. */

let town: Town
afterEach(() => town.stop())

async function begin() {
  const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
`)
  town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }, policy })
  return [town.slack.as('U0ANA'), town.slack.as('U0BEN')] as const
}

/** The time of day in UTC, some minutes from now: "10:05". */
function inMinutes(minutes: number): string {
  return new Date(town.clock.now() + minutes * 60_000).toISOString().slice(11, 16)
}

/** Creates a schedule that starts my-tts in about five minutes. */
async function schedules(ana: ReturnType<Town['slack']['as']>): Promise<void> {
  await asks(ana, `schedule my-tts up daily ${inMinutes(5)}-${inMinutes(480)} UTC`, '[Save schedule]')
  await presses(ana, 'Save schedule', 'Scheduled my-tts')
  await town.calm()
}

const putOff = { kind: 'answer', status: 503, retryAfter: '60' } as const

const meanwhile = [
  ['keep my-llm 4h', 'Paused automation', /^🌙 Kept my-llm running/],
  ['protect my-llm', 'Protected my-llm', /^🚫 Stop my-llm cancelled. .*protected/],
  ['freeze reason="an incident"', 'Paused all automation', /^🌙 Stop my-llm is on hold. Automation is paused/],
  ['unschedule my-llm', 'Removed', /^🚫 Stop my-llm cancelled. The rules of my-llm no longer ask for it/],
] as const
const faults = [
  { does: 'put off', fault: putOff },
  { does: 'did not answer', fault: { kind: 'drop-before' } },
] as const

test.each(faults.flatMap(({ does, fault }) => meanwhile.map((one) => [does, ...one, fault] as const)))(
  'A planned stop that the platform %s does not come after “%s”',
  async (_, line, done, end, kind) => {
    const [ana, ben] = await begin()
    await asks(ana, 'stop my-llm at 30m', '[Schedule stop]')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await town.minutesPass(21)
    await ana.sees('🌙 my-llm stops', ops)
    await town.calm()
    const fault = town.platform.faults.add('stopEndpoint', kind, 1)
    await town.minutesPass(10)
    await expect.poll(() => fault.hits()).toBe(1)
    await asks(ben, line, done)
    const { text } = await timePassesUntil(town, ana.sees(end, ops))
    expect(text.includes('A call that got no answer may still take effect.')).toBe(kind !== putOff)
    expect(effects(town)).toEqual([])
  },
)

test('A confirmed stop that the platform put off is asked again if the endpoint is protected meanwhile', async () => {
  const [ana, ben] = await begin()
  const fault = town.platform.faults.add('stopEndpoint', putOff)
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ana.presses('Stop my-llm', ops)
  await expect.poll(() => fault.hits()).toBe(1)
  fault.clear()
  await asks(ben, 'protect my-llm', 'Protected my-llm')
  await timePassesUntil(town, ana.sees(/^Please answer again: it now needs 1 approval/, ops))
  expect(effects(town)).toEqual([])
  await presses(ben, 'Approve: Stop my-llm', 'Stopped my-llm')
  expect(effects(town)).toEqual(['stop'])
})

test.each([
  ['freeze reason="an incident"', 'Paused all automation'],
  ['keep my-tts 4h', 'Paused automation'],
  ['unschedule my-tts', 'Removed'],
])('A scheduled start whose endpoint could not be read does not come after “%s”', async (line, done) => {
  const [ana] = await begin()
  await schedules(ana)
  const fault = town.platform.faults.add('getEndpointStatus', putOff)
  await town.minutesPass(6)
  await expect.poll(() => fault.hits()).toBe(1)
  fault.clear()
  await asks(ana, line, done)
  await town.minutesPass(1.2)
  await town.calm()
  expect(effects(town)).toEqual([])
})

test('A scheduled start does not come after the schedule was removed while the endpoints were listed for it', async () => {
  const [ana] = await begin()
  await schedules(ana)
  await town.minutesPass(4.5 - (town.clock.now() % 60_000) / 60_000)
  // With the names at hand, the line below needs no list of its own.
  await asks(ana, 'list', '2 endpoints')
  let [isListed, isRemoved] = [false, false]
  town.platform.onCall(async ({ operation, when }) => {
    if (operation !== 'listEndpoints' || when !== 'before answering' || isListed) return
    isListed = true
    await asks(ana, 'unschedule my-tts', 'Removed the schedule')
    isRemoved = true
  })
  await town.minutesPass(0.6)
  await expect.poll(() => isRemoved).toBe(true)
  await town.calm()
  expect(effects(town)).toEqual([])
})

test('Cancelling a restart that waits for its first call calls nothing', async () => {
  const [ana] = await begin()
  town.platform.faults.add('startEndpoint', { kind: 'drop-before' }, 1)
  town.platform.faults.add('startEndpoint', { kind: 'drop-after' }, 1)
  await ana.types('ops', '/endpoint start my-tts')
  await timePassesUntil(town, ana.sees('Started my-tts', ops))
  const before = sends(town)
  await asks(ana, 'restart my-tts', '[Restart my-tts]')
  await ana.presses('Restart my-tts', ops)
  await ana.sees('so I’m waiting until', ops)
  await ana.types('ops', '/endpoint cancel my-tts')
  await ana.sees(/^🚫 Restart my-tts cancelled. Nothing was done to my-tts/, ops)
  await town.calm()
  expect(sends(town)).toEqual(before)
})
