import { describe, expect, test } from 'vitest'
import type { Request, Status } from '../../../../src/core/model/request.ts'
import { asked, ben, parsed, start, thawing } from '../requests.ts'
import { shownEnd } from '../showing.ts'

const scheduling: Partial<Request> = {
  line: 'schedule ep-llm up weekdays 09:00-20:00 Asia/Seoul',
  plan: [],
  change: { put: [] },
}

function endText(status: Status, says: string, request = asked()): string {
  return shownEnd(parsed({ ...request, status, ending: { at: start, says } })).text
}

describe('An end that leaves things as they were names the endpoint once', () => {
  test.each([
    ['declined', 'my-llm was left as it is.', 'Stop my-llm: it was left as it is.'],
    ['cancelled', 'Cancelled. Nothing was changed.', 'Stop my-llm: cancelled. Nothing was changed.'],
    ['refused', 'my-llm is already stopped.', 'Stop my-llm: it is already stopped.'],
    ['refused', 'my-llm: It has 3 replicas.', 'Stop my-llm: it has 3 replicas.'],
    ['expired', 'Nobody answered, so nothing was done.', 'Stop my-llm: nobody answered, so nothing was done.'],
  ] as const)('where it is %s and says “%s”', (status, says, whole) => {
    expect(endText(status, says)).toBe(whole)
  })

  test('and says only that of what nobody asked for', () => {
    const says = 'my-llm was left up: it is protected.'
    expect(endText('cancelled', says, asked({}, { via: 'idle' }))).toBe(says)
  })

  test('and what was to be laid down about it, where it was that', () => {
    expect(endText('declined', 'my-llm was left as it is.', asked({}, scheduling))).toBe(
      'Schedule my-llm up weekdays 09:00-20:00 Asia/Seoul: it was left as it is.',
    )
  })

  test('and says what was left of what is about no endpoint', () => {
    expect(endText('declined', 'Everything was left as it is.', thawing())).toBe(
      'Resume all automation: everything was left as it is.',
    )
  })
})

describe('The end of a stop for idleness', () => {
  const reason = '0 requests for 62 min on 2 of 2 replicas, vLLM metrics.'
  const idle = (more: Partial<Request>) =>
    shownEnd(parsed({ ...asked({}, { via: 'idle', reason, ...more }), ending: { at: start, says: 'Stopped my-llm.' } }))

  test('keeps its evidence, and offers the way back', () => {
    const shown = JSON.stringify(idle({ status: 'succeeded' }).blocks)
    expect(shown).toMatch(/by the idle watch.*: 0 requests for 62 min"/)
    expect(shown).toContain('"value":"start ep-llm"')
  })

  test('names whoever pressed instead', () => {
    const shown = JSON.stringify(idle({ status: 'succeeded', decision: { by: ben, at: start, yes: true } }).blocks)
    expect(shown).not.toContain('0 requests')
  })

  test('offers no start of what was left up', () => {
    expect(JSON.stringify(idle({ status: 'cancelled' }).blocks)).not.toContain('start ep-llm')
  })
})
