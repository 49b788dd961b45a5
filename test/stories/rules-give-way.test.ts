import { afterEach, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { asks, ops } from '../support/ops.ts'

/* A rule’s start that waits before its call, and a person’s request that takes its place and fails. */

let calendar: Calendar
afterEach(() => calendar.stop())
const clock = () => new Date(calendar.town.clock.now() + 9 * 3_600_000).toISOString().slice(11, 19)

/** At 09:00 the rule's start waits, because a stop may still arrive. */
async function begin() {
  calendar = await startCalendar({ endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 1 }] })
  const { town } = calendar
  await calendar.jumpTo('mon 12:00')
  const ana = town.slack.as('U0ANA')
  await schedule(calendar, ana, 'my-llm')
  for (const when of ['mon 19:51', 'mon 20:01', 'tue 08:30']) await calendar.goTo(when)
  await asks(ana, 'start my-llm', 'Started my-llm')
  await calendar.goTo('tue 08:58')
  await calendar.pass(0.9, 0.3)
  town.platform.faults.add('stopEndpoint', { kind: 'drop-before' }, 2)
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await ana.presses('Stop my-llm', ops)
  for (let n = 0; n < 20 && effects(town).length < 3; n++) await calendar.pass(0.1, 0.1)
  for (let n = 0; n < 20 && clock() < '09:00:05'; n++) await calendar.pass(0.1, 0.1)
  return { town, ana }
}

test.each(['start my-llm', 'patch my-llm port=9000'])(
  'A request that takes the place of a rule’s start and fails: %s',
  async (line) => {
    const { town, ana } = await begin()
    town.platform.faults.add(
      line.startsWith('start') ? 'startEndpoint' : 'patchEndpoint',
      { kind: 'answer', status: 403, body: { detail: 'No' } },
      1,
    )
    await ana.types('ops', `/endpoint ${line}`)
    await calendar.pass(3, 0.25)
    await calendar.pass(10)
    expect(effects(town)).toEqual(['stop', 'start', 'stop', 'start'])
    // The rule’s start had not been called when it gave way.
    expect(town.slack.transcript('ops')).not.toContain('its result wasn’t checked')
  },
)
