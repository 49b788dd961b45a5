import { describe, expect, test } from 'vitest'
import { sentenceOf } from '../../../src/core/commands/phrases.ts'
import type { Ask } from '../../../src/core/model/question.ts'
import type { Request } from '../../../src/core/model/request.ts'
import { policyFile } from '../../../src/core/model/roles.ts'
import { instant } from '../../../src/core/time/format.ts'
import { rows } from '../../../src/features/command-table.ts'
import { ask, asked, ben, ended, heldAs, membersOf, parsed, planned, start } from '../../adapters/slack/requests.ts'
import { messagesOf, shownCard, shownEnd } from '../../adapters/slack/showing.ts'

const due = start + 600_000

/** A stop that a rule has handed in, due in ten minutes. */
function noticed(more: Partial<Request> = {}, of: Partial<Ask> = {}): Request {
  return asked(
    {},
    {
      line: 'stop ep-llm',
      via: 'schedule',
      requirement: 'notice',
      ask: ask({
        due,
        dueFirst: due,
        why: 'It is active, 3 replicas. The rule: up weekdays 09:00-20:00 Asia/Seoul.',
        ...of,
      }),
      ...more,
    },
  )
}

function labelsOf(request: Request): readonly string[] {
  return shownCard(parsed(request), start).blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements.flatMap((one) => (one.type === 'button' ? [one.text.text] : [])) : [],
  )
}

describe('A notice', () => {
  test('is one message in the channel, which says what will happen, when and why', () => {
    const wanted = messagesOf(heldAs(noticed()), start, null, membersOf)
    expect(wanted.map(({ key, where }) => [key, where])).toEqual([['card', 'channel']])
    expect(wanted[0]?.message.text).toBe(
      'my-llm will be stopped 15 Jan 2027, 08:10 UTC. It is active, 3 replicas. The rule: up weekdays 09:00-20:00 Asia/Seoul.',
    )
    expect(JSON.stringify(wanted[0]?.message.blocks)).toContain(`"type":"date","timestamp":${due / 1000}`)
  })

  test('says while it is busy that it is put off, and to when', () => {
    const { text } = shownCard(parsed(noticed({}, { due: due + 900_000, busy: '2 requests are running' })), start)
    expect(text).toMatch(
      /^my-llm was to be stopped 15 Jan 2027, 08:10 UTC\. It is busy \(2 requests are running\), so it is put off to 15 Jan 2027, 08:25 UTC\./,
    )
  })

  test('lets people skip it, keep the endpoint or stop it now, for a price where that is known', () => {
    const plain = ['Skip this one', 'Keep 1 h', 'Keep until tomorrow 09:00', 'Stop now']
    expect(labelsOf(noticed())).toEqual(plain)
    const costs = { skip: '29.25 USD', hour: '2.25 USD', morning: '29 USD', saved: '30 USD until 09:00' }
    expect(labelsOf(noticed({ costs }))).toEqual([
      'Skip this one · 29.25 USD',
      'Keep 1 h · 2.25 USD',
      'Keep until tomorrow 09:00 · 29 USD',
      'Stop now · saves 30 USD until 09:00',
    ])
  })

  test('offers no more than the policy lets an endpoint be kept, and says how much that is', () => {
    const keeps = (latest: number, more = {}) =>
      labelsOf(noticed({ costs: { hour: '2.25 USD', latest, ...more } })).filter((label) => label.startsWith('Keep'))
    expect(keeps(due + 3_000_000)).toEqual(['Keep 50 min'])
    expect(keeps(due + 3_600_000, { morningAt: start + 54_000_000 })).toEqual(['Keep 1 h · 2.25 USD'])
    expect(keeps(start + 54_000_000, { morningAt: start + 54_000_000 })).toHaveLength(2)
    expect(keeps(due + 240_000)).toEqual([])
    const line = JSON.stringify(shownCard(parsed(noticed({ costs: { latest: due + 3_000_000 } })), start).blocks)
    expect(line).toContain('"value":"keep ep-llm until 2027-01-15T09:00Z"')
  })

  test('tells the price of what it offers less of, by whose clocks, until when, and that idleness costs at least that', () => {
    const costs = { hour: '2.25 USD', perMinute: 0.0375, currency: 'USD', latest: due + 1_800_000, place: 'Seoul' }
    expect(labelsOf(noticed({ costs }))).toContain('Keep 30 min · 1.13 USD')
    const open = { skip: '29 USD', hour: '2.25 USD', morning: '29 USD', place: 'Seoul', until: due }
    expect(labelsOf(noticed({ costs: open }))).toContain('Keep until tomorrow 09:00 Seoul · 29 USD')
    expect(shownCard(parsed(noticed({ costs: open })), start).text).toContain(
      'Skipped, it is left as it is until 15 Jan 2027',
    )
    const idle = noticed({ costs: open, via: 'idle' })
    expect(labelsOf(idle).slice(0, 2)).toEqual(['Skip this one · at least 29 USD', 'Keep 1 h · at least 2.25 USD'])
    expect(shownCard(parsed(idle), start).text).not.toContain('Skipped')
  })

  test('hands in what its buttons say, about the endpoint’s id', () => {
    const sent = JSON.stringify(shownCard(parsed(noticed({ costs: { morningAt: start + 54_000_000 } })), start).blocks)
    const keeps = ['keep ep-llm until 2027-01-15T09:10Z', 'keep ep-llm until 2027-01-15T23:00Z']
    for (const value of [...keeps, `${'r'.repeat(22)}.1`]) expect(sent).toContain(`"value":"${value}"`)
    expect(sent.match(/"action_id":"[^"]+"/g)).toEqual([
      '"action_id":"answer:no"',
      '"action_id":"line:0"',
      '"action_id":"line:1"',
      '"action_id":"answer:yes"',
    ])
  })

  test('has no buttons once it is carried out, and ends by whatever has handed it in', () => {
    const running = noticed({ status: 'running', startedAt: due })
    expect(labelsOf(running)).toEqual([])
    expect(endText(ended(running, 'succeeded'))).toContain('by its schedule')
    expect(endText(ended({ ...running, via: 'idle' }, 'succeeded'))).toContain('by the idle watch')
    const told = JSON.stringify(
      shownEnd(parsed(ended({ ...running, decision: { by: ben, at: due, yes: true } }, 'succeeded'))),
    )
    expect(told).toContain('by its schedule')
    expect(told).toContain('"user_id":"U0BEN"')
  })

  test('of the policy file’s own rule names nobody', () => {
    const sent = JSON.stringify(shownCard(parsed(noticed({ actor: policyFile })), start).blocks)
    expect(sent).toContain('the policy file')
    expect(sent).not.toMatch(/<@>|"user_id":""/)
    expect(JSON.stringify(shownCard(parsed(planned({}, { actor: policyFile, status: 'running' })), start))).not.toMatch(
      /<@>/,
    )
  })
})

function endText(request: Request): string {
  return JSON.stringify(shownEnd(parsed(request)).blocks)
}

test('An instant that a line carries for everybody is shown to each in their own time zone', () => {
  const at = Date.UTC(2026, 10, 20, 20, 30)
  expect(sentenceOf('keep my-llm until 2026-11-20t20:30z because="2026-11-20t20:30z"', rows)).toEqual([
    `keep my-llm until ${instant(at)} because="2026-11-20t20:30z"`,
  ])
  expect(sentenceOf('keep my-llm until 2026-11-20', rows)).toEqual(['keep my-llm until 2026-11-20'])
})
