import { describe, expect, test } from 'vitest'
import type { Ending, Request, Status } from '../../../../src/core/model/request.ts'
import type { Actor } from '../../../../src/core/model/roles.ts'
import { say, type Words } from '../../../../src/core/model/words.ts'
import { ana, asked, ben, ended, parsed, start, thawing } from '../requests.ts'
import { linesOf, shownEnd } from '../showing.ts'

const scheduling: Partial<Request> = {
  line: 'schedule ep-llm up weekdays 09:00-20:00 Asia/Seoul',
  plan: [],
  change: { put: [] },
}

function endLine(status: Status, says: Words, request = asked()): string | undefined {
  return linesOf(shownEnd(parsed({ ...request, status, ending: { at: start, says } })))[0]
}

const by = (who: Actor, because?: string) => ({
  decision: { by: who, at: start, yes: false, ...(because && { because }) },
})

describe('The end of a request that changed nothing', () => {
  const left = say('request.unchanged')
  const unanswered = say('request.unanswered', { length: { lasting: 1_800_000 }, votes: 'none', needed: 1 })
  test.each<[Status, Words, Partial<Request>, string]>([
    ['declined', left, by(ben), '❌ Stop my-llm declined by @ben.'],
    ['declined', left, by(ben, 'the demo is on'), '❌ Stop my-llm declined by @ben: “the demo is on”'],
    ['declined', left, by(ana), '🚫 Stop my-llm cancelled. Nothing changed.'],
    [
      'cancelled',
      left,
      { ending: { at: start, says: left, by: ben } },
      '🚫 Stop my-llm cancelled by @ben. Nothing changed.',
    ],
    ['refused', 'my-llm is already stopped.', {}, '🚫 Stop my-llm refused. my-llm is already stopped.'],
    ['expired', unanswered, {}, '🚫 Stop my-llm expired after 30 min without an answer. Nothing changed.'],
    [
      'expired',
      say('request.notTaken'),
      {},
      '🚫 Stop my-llm expired. No worker picked this up within 30 minutes, so nothing was done. Try again.',
    ],
  ])('says what was requested and who ended it if it is %s and says %j', (status, says, more, whole) => {
    const ending = { at: start, says, ...more.ending }
    const lines = linesOf(shownEnd(parsed(asked({}, { ...more, status, ending }))))
    const offer = whole.includes('Try again') ? ['[Try again]'] : []
    expect([lines[0], ...lines.slice(lines.indexOf('requested by @ana'))]).toEqual([
      whole,
      'requested by @ana',
      ...offer,
    ])
  })

  test.each<[Partial<Request>, Partial<Ending>, string]>([
    [by(ana), {}, '🌙 Stop my-llm skipped by @ana.'],
    [{}, { takenBy: ben }, '🚫 Stop my-llm replaced by a request from @ben.'],
    [{}, {}, '🚫 Stop my-llm cancelled.'],
  ])('says who ended it if it came from a rule: %j, %j', (more, how, head) => {
    const says = 'my-llm keeps running.'
    const request = asked({}, { via: 'schedule', requirement: 'notice', status: 'cancelled', ...more })
    const lines = linesOf(shownEnd(parsed({ ...request, ending: { at: start, says, ...how } })))
    expect([lines[0], lines.at(-1)]).toEqual([`${head} my-llm keeps running.`, 'schedule by @ana'])
  })

  test('has its action in bold, like every end', () => {
    const shown = JSON.stringify(shownEnd(parsed(ended(asked({}, by(ben)), 'declined'))).blocks)
    expect(shown).toContain('{"type":"text","text":"Stop my-llm","style":{"bold":true}}')
  })

  test('says in one line who keeps the endpoint, without a 🚫', () => {
    const request = asked({}, { via: 'schedule', requirement: 'notice', status: 'cancelled' })
    const ending = { at: start, says: 'my-llm stays as it is.', keptBy: ben }
    expect(linesOf(shownEnd(parsed({ ...request, ending })))).toContain(
      '🌙 my-llm stays as it is. @ben paused its automation.',
    )
  })

  test('says which schedule or automation it was about', () => {
    expect(endLine('declined', left, asked({}, { ...scheduling, ...by(ben) }))).toMatch(
      /^❌ Schedule of my-llm \(running weekdays 09:00–20:00 Seoul time\) declined by @ben\./,
    )
    expect(endLine('declined', left, thawing(by(ben)))).toMatch(/^❌ Resume all automation declined by @ben\./)
  })
})

describe('The end of an idle stop', () => {
  const evidence = 'no requests for 1 h 2 min'
  const idle = (more: Partial<Request>) =>
    shownEnd(
      parsed({ ...asked({}, { via: 'idle', evidence, ...more }), ending: { at: start, says: 'Stopped my-llm.' } }),
    )

  test('keeps its evidence and offers a start', () => {
    const shown = JSON.stringify(idle({ status: 'succeeded' }).blocks)
    expect(shown).toMatch(/💤 .*no requests for 1 h 2 min · idle stop by/)
    expect(shown).toContain('"value":"start ep-llm"')
  })

  test('names the person who pressed instead of the evidence', () => {
    const shown = JSON.stringify(idle({ status: 'succeeded', decision: { by: ben, at: start, yes: true } }).blocks)
    expect(shown).not.toContain('no requests')
  })

  test('offers no start of an endpoint that keeps running', () => {
    expect(JSON.stringify(idle({ status: 'cancelled' }).blocks)).not.toContain('start ep-llm')
  })
})
