import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

/* ana is an operator; ben is an operator and approver. */

let town: Town
async function begin(options: TownOptions = {}) {
  town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }, ...options })
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN') }
}
afterEach(() => town.stop())

test('undo waits for a request under way instead of undoing the one before it', async () => {
  const { ana } = await begin({ platform: { startDelayMs: 60_000 } })
  await asks(ana, 'keep my-tts 2h', 'Paused automation for my-tts until')
  await asks(ana, 'start my-tts', 'Starting my-tts… waiting until it serves')
  await asks(ana, 'undo my-tts', '“Start my-tts” is still in progress. Undo it once it has ended.')
  expect(town.slack.transcript('ops')).not.toContain('Automation resumed')
  // The request has no question, so there is nothing to answer.
  await asks(ana, 'explain start my-tts for 2h', /Open request: Start my-tts\.\s+requested by @ana\s+\[Details\]/)
  await asks(ana, 'who started my-tts?', /^Open request: Start my-tts\.$/m)
  await asks(ana, 'status my-tts', /Open request: Start my-tts\.\s+requested by @ana[\s\S]*\[Stop my-tts\]/)
  await town.minutesPass(2)
  await ana.sees('Started my-tts', ops)
  await presses(ana, 'Undo start my-tts', /Stop my-tts\?.*This undoes “Start my-tts”\./)
  await ana.sees('@ana wants to undo it · expires', ops)
  await ana.sees('You can confirm here', ops)
  await presses(ana, 'Stop my-tts', /Stopped my-tts.*\s+undo by @ana/)
})

test('A stop is not offered for undo once its endpoint is deleted', async () => {
  const { ana } = await begin()
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await asks(ana, 'undo', /Which change do you want to undo\?.*\[Undo stop my-llm\]/s)
  town.platform.remove('ep-llm')
  // It reads the list, in which the endpoint is missing.
  await asks(ana, 'savings', 'Saved by schedules')
  await asks(ana, 'undo', 'You haven’t changed anything that can be undone.')
})

test.each([
  ['failed', 60_000, 'deploy_failed', /failed\. It’s failing.*\. It stops today at /],
  ['never served', 3_600_000, 'running', /didn’t finish.*\. It stops today at .*\[Logs\] \[Stop my-tts\]/s],
] as const)('undo of a start for a while that %s is a stop', async (_, startDelayMs, fate, end) => {
  const { ana } = await begin({ platform: { startDelayMs } })
  town.platform.fate('ep-tts', fate)
  await asks(ana, 'start my-tts for 4h', 'waiting until it serves')
  await town.minutesPass(20)
  await ana.sees(end, ops)
  await asks(ana, 'undo my-tts', /Stop my-tts\?.*This undoes “Start my-tts”\./)
})

test.each([
  ['never served', 'start', 'didn’t finish'],
  ['was cancelled', 'cancel', 'Cancelling doesn’t stop my-tts'],
])('undo of a start that %s is a stop, and leaves the pause before it', async (_, how, end) => {
  const { ana } = await begin({ platform: { startDelayMs: 3_600_000 } })
  await asks(ana, 'keep my-tts 2h', 'Paused automation for my-tts until')
  await asks(ana, 'start my-tts', 'waiting until it serves')
  if (how === 'cancel') await ana.types('ops', '/endpoint cancel my-tts')
  else await town.minutesPass(16)
  await ana.sees(end, ops)
  await asks(ana, 'undo my-tts', /Stop my-tts\?.*This undoes “Start my-tts”\./)
})

test.each([
  ['scale', 'scale my-llm to 5', 'Scale my-llm', 'didn’t finish', 'This undoes “Scale my-llm to 5”'],
  ['patch', 'patch my-llm port=9001', 'Patch my-llm', 'failed', 'I can’t undo “Patch my-llm (port 9001)”.'],
])(
  'undo of a %s that was applied and then failed leaves the pause before it',
  async (what, line, label, end, answer) => {
    const { ana } = await begin({ platform: { startDelayMs: what === 'scale' ? 3_600_000 : 0 } })
    await asks(ana, 'keep my-llm 2h', 'Paused automation for my-llm until')
    if (what === 'patch') town.platform.fate('ep-llm', 'deploy_failed')
    await asks(ana, line, `[${label}]`)
    await ana.presses(label, ops)
    await timePassesUntil(town, ana.sees(end, ops), 0.5)
    await town.calm()
    await ana.types('ops', '/endpoint undo my-llm')
    await timePassesUntil(town, ana.sees(answer, ops))
  },
)

test('undo of a patch with an unknown outcome restores the settings before it, not those before the last known one', async () => {
  const { ana } = await begin()
  for (const port of [9000, 9001]) await asks(ana, `patch my-tts port=${port}`, `Patched my-tts (port ${port})`)
  town.platform.faults.add('patchEndpoint', { kind: 'drop-after' }, 1)
  await asks(ana, 'patch my-tts port=9002', 'I can’t tell whether the new settings of my-tts were applied')
  await town.calm()
  await ana.types('ops', '/endpoint undo my-tts')
  await town.calm()
  const ports = town.platform.endpoints().map(({ settings }) => settings.container_port)
  expect(ports).toContain(9001)
})

test('a second press of an undo says who has requested it already', async () => {
  const { ana, ben } = await begin({ platform: { startDelayMs: 60_000 } })
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  await asks(ana, 'why did my-llm stop?', '[Start my-llm again]')
  const button = await ana.remembers('Start my-llm again', ops)
  await ana.pressesRaw(button)
  await ana.sees('Starting my-llm…', ops)
  await ana.pressesRaw(button)
  await ana.sees(/You already requested “Start my-llm”\. Nothing was done\.(?!.*(\[Undo|This undoes))/s, ops)
  await timePassesUntil(town, ana.sees('✅ Started my-llm', ops))
  await ben.pressesRaw(button)
  await ben.sees(/@ana already requested “Start my-llm”\. Nothing was done\.(?!.*\[Undo)/s, ops)
  expect(effects(town)).toEqual(['stop', 'start'])
})

test('undo is refused if another endpoint had the name a moment ago', async () => {
  const { ana } = await begin()
  await town.platform.add({ id: 'ep-blue', name: 'prod', active: true })
  await town.platform.add({ id: 'ep-green', name: 'prod-next', active: true })
  await asks(ana, 'stop prod', '[Stop prod]')
  await presses(ana, 'Stop prod', 'Stopped prod')
  town.platform.rename('ep-blue', 'prod-old')
  town.platform.rename('ep-green', 'prod')
  await asks(ana, 'undo prod', /The platform now calls that endpoint prod-old, so nothing was done/)
  await town.calm()
  expect(effects(town)).toEqual(['stop'])
})

test('undo does not undo what another person did after it was typed', async () => {
  const { ana, ben } = await begin()
  await asks(ana, 'start my-tts', 'Started my-tts')
  await asks(ben, 'stop my-tts', '[Stop my-tts]')
  await town.calm()
  const busy = town.platform.faults.add('getEndpointStatus', { kind: 'answer', status: 503, retryAfter: '30' }, 1)
  await ana.types('ops', '/endpoint undo my-tts')
  await expect.poll(() => busy.hits()).toBe(1)
  await presses(ben, 'Stop my-tts', 'Stopped my-tts')
  const since = /Something else has been done to my-tts since.*The last change was: Stop my-tts.*\[Undo stop my-tts\]/s
  await timePassesUntil(town, ana.sees(since, ops))
  expect(effects(town)).toEqual(['start', 'stop'])
})

test('undo without a name offers the sender’s last changes', async () => {
  const { ana, ben } = await begin()
  await asks(ana, 'keep my-llm 2h', 'Paused automation for my-llm until')
  await asks(ana, 'start my-tts because=demo', 'Started my-tts')
  await town.minutesPass(2)
  expect(await ben.types('ops', '/endpoint undo')).toContain('You haven’t changed anything that can be undone.')
  for (const line of ['undo', 'undo that', 'undo my last change', 'undo everything'])
    expect(await ana.types('ops', `/endpoint ${line}`)).toMatch(
      /Which change.*\s+Start my-tts\s+requested by @ana · 2 min ago · Reason: “demo”\s+\[Undo start my-tts\]/,
    )
  await presses(ana, 'Undo pausing automation for my-llm', 'Resumed automation for my-llm.')
})

test('undo without a name, and history, offer only changes that a press can undo', async () => {
  const { ana, ben } = await begin()
  const inHistory = async (days: number) => {
    const { blocks } = await asks(ana, `history since=${days}d`, `History, last ${days} d, newest first`)
    return [...JSON.stringify(blocks).matchAll(/undo [\w-]{22}"/g)].length
  }
  const offered = async () => [...(await ana.types('ops', '/endpoint undo')).matchAll(/\[Undo .+?\]/g)].join(' ')
  await asks(ana, 'keep my-tts 2h', 'Paused automation for my-tts')
  expect(await offered()).toBe('[Undo pausing automation for my-tts]')
  await asks(ben, 'start my-tts', 'Started my-tts')
  expect(await offered()).toBe('')
  expect(await inHistory(3)).toBe(1)
  await ben.types('ops', '/endpoint stop my-tts')
  await presses(ben, 'Stop my-tts', 'Stopped my-tts')
  await asks(ana, 'resume my-tts', 'Resumed automation for my-tts')
  await ana.types('ops', '/endpoint start my-tts for 2h')
  await ana.presses('Start my-tts', ops)
  await expect.poll(offered).toBe('[Undo start my-tts]')
  await asks(ana, 'keep my-llm 1h', 'Paused automation for my-llm')
  expect(await offered()).toContain('[Undo pausing automation for my-llm]')
  expect(await inHistory(4)).toBe(2)
  await town.minutesPass(61)
  expect(await offered()).toBe('[Undo start my-tts]')
  expect(await inHistory(5)).toBe(1)
  await presses(ana, 'Undo start my-tts', /Stop my-tts\?.*This undoes/s)
})

test('A pause that has ended does not hide earlier changes from undo', async () => {
  const { ana } = await begin({ at: '2026-11-25T04:00:00Z' })
  await ana.types('ops', '/endpoint schedule my-tts up daily 08:00-12:00 Asia/Seoul')
  await presses(ana, 'Save schedule', 'Scheduled my-tts')
  await asks(ana, 'keep my-tts 30m', 'Paused automation for my-tts')
  expect(await ana.types('ops', '/endpoint undo')).toContain('[Undo pausing automation for my-tts]')
  await town.minutesPass(40)
  expect(await ana.types('ops', '/endpoint undo')).toContain('[Undo the schedule of my-tts]')
  await asks(ana, 'history my-tts', 'Undo the schedule of my-tts')
  await asks(ana, 'undo my-tts', /^“Pause automation for my-tts until .*” is over already/)
  await presses(
    ana,
    'Undo the schedule of my-tts',
    'Removed the schedule of my-tts. Removed: running daily 08:00–12:00 Seoul time.',
  )
  // Of two rules, undo removes only the one that was made last. 13:40 in Seoul is outside both windows.
  for (const times of ['daily 09:00-12:00', 'daily 14:00-23:00']) {
    await ana.types('ops', `/endpoint schedule my-tts up ${times} Asia/Seoul`)
    await presses(ana, 'Save schedule', `Scheduled my-tts: running ${times.replace('-', '–')}`)
  }
  await asks(ana, 'undo my-tts', 'Changed the schedule of my-tts. Removed: running daily 14:00–23:00 Seoul time.')
  await asks(ana, 'schedules my-tts', 'running daily 09:00–12:00 Seoul time')
})

describe('Undo of a record', () => {
  test('removes the rule that a person made, not the start that it caused at once', async () => {
    // In Seoul it is 19:00, so the new rule starts the endpoint at once.
    const { ana } = await begin({ at: '2026-11-25T10:00:00Z' })
    await ana.types('ops', '/endpoint schedule my-tts up daily 14:00-20:00 Asia/Seoul')
    await presses(ana, 'Save schedule', 'Started my-tts')
    await town.calm()
    await ana.types('ops', '/endpoint undo my-tts')
    const left = 'No schedule stops my-tts now.'
    await ana.sees(new RegExp(`Removed: running daily 14:00–20:00 Seoul time\\. ${left}.*\\[Stop my-tts\\]`, 's'), ops)
    await asks(ana, 'why is my-tts up?', `Schedule: running daily 14:00–20:00 Seoul time. ${left}`)
  })

  test('asks which change is meant once the rule has acted at its time', async () => {
    const { ana } = await begin({ at: '2026-11-25T10:00:00Z' })
    await ana.types('ops', '/endpoint schedule my-llm up daily 14:00-20:00 Asia/Seoul')
    await presses(ana, 'Save schedule', 'Scheduled my-llm')
    await town.minutesPass(52)
    await ana.sees('🌙 my-llm stops', ops)
    await town.minutesPass(9)
    await ana.sees('Stopped my-llm', ops)
    await town.calm()
    await asks(ana, 'undo my-llm', '[Undo the schedule of my-llm]')
    await asks(ana, 'history refused', 'No refused requests.')
    await presses(ana, 'Undo stop my-llm', 'Started my-llm')
    expect(effects(town)).toEqual(['stop', 'start'])
  })

  test('asks which change is meant if the rule warned at once and acted later', async () => {
    const { ana } = await begin({ at: '2026-11-25T10:00:00Z' })
    await ana.types('ops', '/endpoint schedule my-llm down daily 18:00-23:00 Asia/Seoul')
    await presses(ana, 'Save schedule', '🌙 my-llm stops')
    await town.minutesPass(12)
    await ana.sees('Stopped my-llm', ops)
    await town.calm()
    await asks(ana, 'undo my-llm', '[Undo the schedule of my-llm]')
  })

  test('is offered by what was done, not by its command', async () => {
    const { ana } = await begin()
    await asks(ana, 'start my-tts for 2h', 'Started my-tts to run until')
    await asks(ana, 'start my-tts for 4h', '[Extend the run]')
    await presses(ana, 'Extend the run', 'Extended the run of my-tts until')
    await asks(ana, 'stop my-llm at 3h', '[Schedule stop]')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    expect(await ana.types('ops', '/endpoint undo')).toMatch(
      /\[Undo the planned stop of my-llm\].*\[Undo the new end of the run of my-tts\]/s,
    )
  })

  test('plans a removed stop again, with the same confirmation', async () => {
    const { ana } = await begin()
    await ana.types('ops', '/endpoint stop my-llm at 3h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await asks(ana, 'undo my-llm', /Removed the schedule of my-llm\. Removed: stop once .+\./)
    await asks(ana, 'undo my-llm', /Stop my-llm (today|tomorrow) at .+\?/)
    await ana.presses('Schedule stop', ops)
    await expect
      .poll(() => town.slack.transcript('ops').match(/✅ Scheduled a stop of my-llm/g)?.length)
      .toBeGreaterThan(2)
    expect(effects(town)).toEqual([])
  })

  test('of a stop of an endpoint that runs against its schedule lets it run on', async () => {
    const { ana } = await begin({ at: '2026-11-25T20:00:00Z' })
    await asks(ana, 'schedule my-tts up daily 09:00-18:00 UTC', '[Save schedule]')
    await presses(ana, 'Save schedule', 'Scheduled my-tts')
    await town.minutesPass(1)
    await asks(ana, 'start my-tts', 'Started my-tts')
    await asks(ana, 'stop my-tts at 22:00', '[Schedule stop]')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-tts')
    await asks(ana, 'undo my-tts', /Removed: stop once/)
    await asks(ana, 'status my-tts', /Left alone until tomorrow at 09:00 .*changed by a request/)
  })

  test('of a protection needs the approval that loosening needs', async () => {
    const { ana, ben } = await begin()
    await asks(ana, 'protect my-llm because="customers use it"', 'Protected my-llm.')
    await asks(ana, 'undo my-llm', 'Unprotect my-llm?')
    await ben.presses('Approve: Unprotect my-llm', ops)
    await ana.sees('Unprotected my-llm.', ops)
    await asks(ana, 'undo my-llm', '“customers use it”')
  })

  test('of a freeze is a thaw by the button beside it, as long as that freeze lasts', async () => {
    const { ana, ben } = await begin()
    await asks(ana, 'freeze because="release week"', 'Paused all automation')
    await ana.types('ops', '/endpoint history')
    const button = await ana.remembers('Undo pausing all automation', ops)
    await ana.presses('Undo pausing all automation', ops)
    await ben.presses('Approve: Resume all automation', ops)
    await ana.sees('Resumed all automation.', ops)
    await ana.pressesRaw(button)
    await ana.sees('Something else has been done since, so nothing was undone.', ops)
  })
})

test('a run whose start is being sent is not removed, because it would have no end', async () => {
  const { ana } = await begin()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    town.platform.onCall(({ operation, when }) => {
      if (operation !== 'startEndpoint' || when !== 'before acting') return undefined
      resolve()
      return held
    })
  })
  await ana.types('ops', '/endpoint start my-tts for 2h')
  await arrived
  await asks(ana, 'unschedule my-tts', '“Start my-tts” is still in progress. Undo it once it has ended.')
  goOn()
  await ana.sees('Started my-tts to run until', ops)
  await town.minutesPass(115)
  await timePassesUntil(town, ana.sees('Stopped my-tts', ops), 0.2)
})
