import { describe, expect, test } from 'vitest'
import { drawn } from '../../../src/adapters/slack/messages/draw.ts'
import { lineInWords } from '../../../src/core/commands/phrases.ts'
import type { Ask } from '../../../src/core/model/question.ts'
import type { Request } from '../../../src/core/model/request.ts'
import { policyFile } from '../../../src/core/model/roles.ts'
import { instant } from '../../../src/core/time/format.ts'
import { rendered } from '../../../src/core/words/render.ts'
import { rows } from '../../../src/features/command-table.ts'
import { cardOf } from '../../../src/lifecycle/messages/card.ts'
import { ask, asked, ben, claimOf, ended, membersOf, parsed, planned, start } from '../../adapters/slack/requests.ts'
import { linesOf, messagesOf, shownCard, shownEnd } from '../../adapters/slack/showing.ts'

const due = start + 600_000

/** A stop requested by a rule, due in ten minutes. */
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
        why: 'It’s running with 3 replicas. Schedule: up weekdays 09:00-20:00 Asia/Seoul.',
        ...of,
      }),
      ...more,
    },
  )
}

function elementsOf(request: Request) {
  return shownCard(parsed(request), start).blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
}

function labelsOf(request: Request): readonly string[] {
  return elementsOf(request).flatMap((one) => (one.type === 'button' ? [one.text.text] : []))
}

/** The entries of the ⋯ menu. */
function moreOf(request: Request): readonly string[] {
  return elementsOf(request).flatMap((one) => (one.type === 'overflow' ? one.options.map(({ text }) => text.text) : []))
}

describe('A notice', () => {
  test('is one message in the channel that says what will happen, when and why', () => {
    const wanted = messagesOf(claimOf(noticed()), start, null, membersOf)
    expect(wanted.map(({ key, where }) => [key, where])).toEqual([['card', 'channel']])
    expect(wanted[0]?.message.text).toBe(
      'my-llm stops 15 Jan 2027, 08:10 UTC. It’s running with 3 replicas. Schedule: up weekdays 09:00-20:00 Asia/Seoul.',
    )
    expect(JSON.stringify(wanted[0]?.message.blocks)).toContain(`"type":"date","timestamp":${due / 1000}`)
  })

  test('says that the stop is postponed while the endpoint is busy, and until when', () => {
    const { text } = shownCard(parsed(noticed({}, { due: due + 900_000, busy: '2 requests are running' })), start)
    expect(text).toMatch(
      /^my-llm was due to stop 15 Jan 2027, 08:10 UTC\. Still in use \(2 requests are running\); stop postponed to 15 Jan 2027, 08:25 UTC\./,
    )
  })

  test('has buttons to keep or stop the endpoint, with known prices, and the rest under ⋯', () => {
    expect(labelsOf(noticed())).toEqual(['Keep 1 h', 'Keep tonight', 'Stop now'])
    expect(moreOf(noticed())).toEqual(['Skip this one'])
    const costs = { skip: '$87', hour: '$2.25', morning: '$29' }
    expect(labelsOf(noticed({ costs }))).toEqual(['Keep 1 h (+$2.25)', 'Keep tonight (+$29)', 'Stop now'])
    expect(moreOf(noticed({ costs }))).toEqual(['Skip this one (+$87)'])
    expect(moreOf(noticed({ costs: { hour: '$2.25', open: true } }))).toEqual(['Skip this one (+$2.25 an hour)'])
    expect(moreOf(noticed({ via: 'idle' }))).toEqual(['Skip this one', 'Turn off idle stop'])
    expect(JSON.stringify(elementsOf(noticed()))).not.toContain('danger')
  })

  test('says “Keep tonight” only if a night comes before that morning', () => {
    const kept = (hours: number) => labelsOf(noticed({ costs: { morningAt: due + hours * 3_600_000 } }))[1]
    expect([2, 6, 18, 24.9].map(kept)).toEqual([
      'Keep until morning',
      'Keep tonight',
      'Keep tonight',
      'Keep until tomorrow',
    ])
  })

  test('has one button for keeping tonight and skipping if both end at the same time', () => {
    const morningAt = start + 54_000_000
    const same = noticed({ costs: { morningAt, until: morningAt } })
    expect([labelsOf(same), moreOf(same)]).toEqual([['Keep 1 h', 'Keep tonight', 'Stop now'], []])
    expect(JSON.stringify(elementsOf(same))).not.toContain('23:00Z')
    expect(moreOf(noticed({ costs: { morningAt, until: morningAt + 3_600_000 } }))).toEqual(['Skip this one'])
  })

  test('has one button, with the time of skipping, if the two end at almost the same time', () => {
    const until = Date.UTC(2027, 0, 15, 22, 30)
    const near = noticed({ costs: { morningAt: start + 54_000_000, morning: '$30', until, skip: '$29' } })
    expect([labelsOf(near), moreOf(near)]).toEqual([['Keep 1 h', 'Keep tonight (+$29)', 'Stop now'], []])
    expect(linesOf(shownCard(parsed(near), start)).at(-1)).toContain('Keep tonight: until Jan 15, 2027 at 22:30')
  })

  test('counts the hour from the minute people read, without rounding up', () => {
    const late = noticed({}, { due: due + 40_000 })
    expect(labelsOf(late)).toContain('Keep 1 h')
    expect(JSON.stringify(elementsOf(late))).toContain('"value":"keep ep-llm until 2027-01-15T09:10Z"')
    expect(linesOf(shownCard(parsed(late), start)).at(-1)).toContain('Keep 1 h: until Jan 15, 2027 at 09:10')
  })

  test('has a Skip button if the policy does not allow keeping that long', () => {
    const costs = { latest: due + 3_600_000, morningAt: start + 54_000_000 }
    expect(labelsOf(noticed({ costs }))).toEqual(['Keep 1 h', 'Skip this one', 'Stop now'])
  })

  test('shortens “Keep” to the longest hold that the policy allows', () => {
    const keeps = (latest: number, more = {}) =>
      labelsOf(noticed({ costs: { hour: '$2.25', latest, ...more } })).filter((label) => label.startsWith('Keep'))
    expect(keeps(due + 3_000_000)).toEqual(['Keep 50 min'])
    expect(keeps(due + 3_600_000, { morningAt: start + 54_000_000 })).toEqual(['Keep 1 h (+$2.25)'])
    expect(keeps(start + 54_000_000, { morningAt: start + 54_000_000 })).toHaveLength(2)
    expect(keeps(due + 240_000)).toEqual([])
    const line = JSON.stringify(shownCard(parsed(noticed({ costs: { latest: due + 3_000_000 } })), start).blocks)
    expect(line).toContain('"value":"keep ep-llm until 2027-01-15T09:00Z"')
  })

  test('shows the price of a shortened “Keep”, and that of an hour for an idle stop', () => {
    const costs = { hour: '$2.25', perMinute: 0.0375, currency: 'USD', latest: due + 1_800_000 }
    expect(labelsOf(noticed({ costs }))).toContain('Keep 30 min (+$1.13)')
    const open = { hour: '$2.25', morning: '$29', open: true } as const
    const idle = noticed({ costs: open, via: 'idle' })
    // Nobody knows how long an idle endpoint then stays up.
    expect(labelsOf(idle)[0]).toBe('Keep 1 h (+$2.25 an hour)')
    expect(moreOf(idle)[0]).toBe('Skip this one (+$2.25 an hour)')
  })

  test('says below its buttons until when each keeps the endpoint, in the reader’s time zone and language', () => {
    const costs = { hour: '$0.25', morning: '$29', skip: '$60' }
    const [morningAt, until] = [due + 15 * 3_600_000, due + 47 * 3_600_000]
    const kept = noticed({ costs: { ...costs, morningAt, until } })
    expect([...labelsOf(kept), ...moreOf(kept)]).toEqual([
      'Keep 1 h (+$0.25)',
      'Keep tonight (+$29)',
      'Stop now',
      'Skip this one (+$60)',
    ])
    expect(linesOf(shownCard(parsed(kept), start)).at(-1)).toBe(
      'Keep 1 h: until Jan 15, 2027 at 09:10 · Keep tonight: until Jan 15, 2027 at 23:10 · schedule by @ana',
    )
    const idle = noticed({ via: 'idle', costs: { ...costs, morningAt, until } })
    expect(linesOf(shownCard(parsed(idle), start)).at(-1)).not.toContain('Skip this one')
    const korean = drawn(cardOf(parsed(kept), start), 'ko')
    expect(JSON.stringify(korean)).toContain('오늘 밤 계속 실행(+$29)')
    expect(linesOf(korean).at(-1)).toMatch(/^1시간 더 실행: .+까지/)
  })

  test('has buttons that submit lines with the endpoint’s id', () => {
    const sent = JSON.stringify(shownCard(parsed(noticed({ costs: { morningAt: start + 54_000_000 } })), start).blocks)
    const keeps = ['keep ep-llm until 2027-01-15T09:10Z', 'keep ep-llm until 2027-01-15T23:00Z']
    const ask = `${'r'.repeat(22)}.1`
    for (const value of [...keeps, ask, `answer:no ${ask}`]) expect(sent).toContain(`"value":"${value}"`)
    expect(sent.match(/"action_id":"[^"]+"/g)).toEqual([
      '"action_id":"line:0"',
      '"action_id":"line:1"',
      '"action_id":"answer:yes"',
      '"action_id":"more:0"',
    ])
  })

  test('has no buttons once the stop runs, and ends with the rule that requested it', () => {
    const running = noticed({ status: 'running', startedAt: due })
    expect(labelsOf(running)).toEqual([])
    expect(endText(ended(running, 'succeeded'))).toContain('schedule by')
    expect(endText(ended({ ...running, via: 'idle' }, 'succeeded'))).toContain('idle stop by')
    const told = JSON.stringify(
      shownEnd(parsed(ended({ ...running, decision: { by: ben, at: due, yes: true } }, 'succeeded'))),
    )
    expect(told).toContain('schedule by')
    expect(told).toContain('<@U0BEN>')
  })

  test('of a rule in the policy file names no person', () => {
    const sent = JSON.stringify(shownCard(parsed(noticed({ actor: policyFile })), start).blocks)
    expect(sent).toContain('the policy file')
    expect(sent).not.toMatch(/<@>|"user_id":""/)
    expect(JSON.stringify(shownCard(parsed(planned({}, { actor: policyFile, status: 'running' })), start))).not.toMatch(
      /<@>/,
    )
  })
})

test('A message for several endpoints leaves out requests that did nothing', () => {
  const asr = { id: 'ep-asr', name: 'my-asr' }
  const done = ended(planned({}, { via: 'schedule', line: 'start ep-llm' }), 'succeeded')
  const { plan: _, endpoint: __, ...unplanned } = done
  const together = [
    done,
    { ...done, id: 'second', endpoint: asr },
    { ...unplanned, id: 'third', status: 'expired' as const },
  ]
  const card = (others: readonly Request[]) => {
    const sent = messagesOf(claimOf(done), start, null, membersOf, others).find(({ key }) => key === 'card')
    return linesOf(sent?.message ?? { blocks: [] }).join('\n')
  }
  expect(card(together)).toContain('Started 2 endpoints.')
  expect(card(together)).toContain('my-asr and my-llm')
  expect(card([...together, { ...unplanned, id: 'fourth', status: 'received' as const }])).not.toMatch(/, ,|: \n/)
})

test('Of several announced stops that failed, only the first is told besides their card', () => {
  const failed = (id: string, at: number, status: 'failed' | 'attention' = 'failed'): Request => {
    const one = ended(noticed({ id, endpoint: { id: `ep-${id}`, name: id } }), status)
    return { ...one, ending: { at, says: 'The platform refused.' } }
  }
  const together = [failed('asr', due + 2), failed('chat', due + 1), failed('code', due + 1)]
  const places = (others: readonly Request[]) =>
    others.map(
      (one) => messagesOf(claimOf(one), start, null, membersOf, others).find(({ key }) => key === 'end')?.where,
    )
  expect(places(together)).toEqual([undefined, 'thread and channel', undefined])
  expect(places([failed('asr', due, 'attention'), ...together.slice(1)])).toEqual([
    'thread and channel',
    'thread and channel',
    undefined,
  ])
})

test('What a rule did is only on its card, and the start of a run is also told to the person who waits for it', () => {
  const late = (more: Partial<Request>) => ended(planned({}, { via: 'schedule', ...more }), 'succeeded', {}, {}, 60_000)
  const endOf = (request: Request) =>
    messagesOf(claimOf(request), start, null, membersOf).find(({ key }) => key === 'end')?.message.blocks
  expect(endOf(late({ line: 'start ep-llm' }))).toBeUndefined()
  expect(endOf(ended(noticed(), 'succeeded', {}, {}, 60_000))).toBeUndefined()
  const run = late({ line: 'start ep-llm', asked: 'start ep-llm for 2h', occurrence: 'ep-llm.RUN.1.up' })
  expect(JSON.stringify(endOf(run))).toContain(`"user_id":"${run.actor.user}"`)
})

test('The owner of a rule who was told that its start failed is told that a later try succeeded', () => {
  const tried = (id: string, status: 'failed' | 'succeeded', after: number) =>
    ended(planned({}, { id, via: 'schedule', group: 'up.1.1', line: 'start ep-llm' }), status, {}, {}, after)
  const endOf = (request: Request, ...earlier: readonly Request[]) =>
    messagesOf(claimOf(request), start, null, membersOf, [...earlier, request]).find(({ key }) => key === 'end')
  const [soon, late] = [tried('soon', 'failed', 5_000), tried('late', 'failed', 60_000)]
  const well = tried('well', 'succeeded', 400_000)
  expect(endOf(well, late)?.where).toBe('thread')
  expect(JSON.stringify(endOf(well, late)?.message.blocks)).toContain(`"user_id":"${well.actor.user}"`)
  expect(endOf({ ...well, actor: policyFile }, late)).toBeUndefined()
  // Only the card showed the failure that came soon.
  expect(endOf(well, soon)).toBeUndefined()
  expect(endOf(late, soon)?.where).toBe('thread and channel')
  expect(endOf({ ...late, id: 'later' }, late)).toBeUndefined()
})

test('Of several starts that failed, one that only the card shows does not silence the next', () => {
  const failed = (id: string, after: number): Request =>
    ended(planned({}, { id, line: 'start ep-llm', endpoint: { id: `ep-${id}`, name: id } }), 'failed', {}, {}, after)
  const [soon, late] = [failed('asr', 5_000), failed('chat', 60_000)]
  const endsOf = (one: Request) => messagesOf(claimOf(one), start, null, membersOf, [soon, late])
  expect(endsOf(soon).filter(({ key }) => key === 'end')).toEqual([])
  expect(endsOf(late).find(({ key }) => key === 'end')?.where).toBe('thread and channel')
})

function endText(request: Request): string {
  return JSON.stringify(shownEnd(parsed(request)).blocks)
}

test('An absolute instant in a line is shown in each reader’s own time zone', () => {
  const at = Date.UTC(2026, 10, 20, 20, 30)
  expect(lineInWords('keep my-llm until 2026-11-20t20:30z because="2026-11-20t20:30z"', rows)).toBe(
    `keep my-llm until ${instant(at)} because="2026-11-20t20:30z"`,
  )
  expect(lineInWords('keep my-llm until 2026-11-20', rows)).toBe('keep my-llm until 2026-11-20')
})

test('A person in a line is a mention, unless the person stands in a text', () => {
  const cleo = { kind: 'user', id: 'U0CLEO' }
  expect(rendered(lineInWords('away until mon to @U0CLEO', rows), 'en')).toEqual(['away until mon to ', cleo])
  expect(rendered(lineInWords('token revoke ci of @U0CLEO', rows), 'ko')).toEqual(['token revoke ci of ', cleo])
  const text = 'stop my-llm because="ask @U0CLEO first"'
  expect(rendered(lineInWords(text, rows), 'en')).toEqual([text])
})
