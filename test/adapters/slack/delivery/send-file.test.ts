import { afterEach, expect, test } from 'vitest'
import { drawn } from '../../../../src/adapters/slack/messages/draw.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { answerOf } from '../../../../src/lifecycle/messages/planned.ts'
import { startTown, type Town } from '../../../support/town.ts'

let town: Town | undefined
afterEach(async () => {
  await town?.stop()
  town = undefined
})

/** Starts a town in which ana asks for more log lines than a message holds. */
async function asksForMuch(before: (started: Town) => void): Promise<Town> {
  const started = await startTown({ endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true }] })
  town = started
  for (let n = 1; n <= 120; n += 1) started.platform.log('ep-llm', `line ${n} ${'.'.repeat(60)}`)
  before(started)
  await started.slack.as('U0ANA').types('ops', '/endpoint logs my-llm lines=100')
  return started
}

function sent({ slack }: Town): number {
  return slack.transcript(direct(slack)).split('[file: my-llm.log]').length - 1
}

function direct(slack: Town['slack']): string {
  const found = [...slack.workspace.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has('U0ANA'),
  )
  return found?.id ?? 'ops'
}

test.each(['files.getUploadURLExternal', 'conversations.open', 'files.completeUploadExternal'])(
  'a file is sent once even if Slack limits %s the first time',
  async (method) => {
    let fault: { hits(): number } | undefined
    const { slack } = await asksForMuch((started) => {
      fault = started.slack.fault(method, { kind: 'rate-limited', retryAfterS: 1 }, 1)
    })
    await slack.as('U0ANA').sees('my-llm: the last 100 lines', { in: '@app' })
    await town?.calm()
    expect(fault?.hits()).toBe(1)
    expect(town && sent(town)).toBe(1)
  },
)

test('a file that Slack rejects is replaced by a sentence, and the answer stays', async () => {
  const { slack } = await asksForMuch((started) => {
    started.slack.fault('files.getUploadURLExternal', { kind: 'error', error: 'file_uploads_disabled' })
  })
  await slack.as('U0ANA').sees('I couldn’t send you the file my-llm.log.', { in: 'ops' })
  expect(slack.transcript('ops')).toContain('my-llm: the last 100 lines')
})

test('the longest history stays within Slack’s limits', () => {
  const long = '&<'.repeat(2_000)
  const request: Request = {
    id: 'q1',
    project: 'default',
    kind: 'query',
    line: 'history',
    actor: { team: 'T0', user: 'U0ANA' },
    place: { channel: 'C0OPS' },
    receivedAt: 0,
    status: 'succeeded',
    notes: [],
    nextAt: null,
    shown: {
      title: long,
      items: Array.from({ length: 20 }, () => ({
        text: long,
        detail: long,
        who: { team: 'T0', user: 'U0BEN' },
        offers: [{ label: long, line: 'history r1' }],
      })),
      block: [long],
      foot: long,
      offers: Array.from({ length: 8 }, (_, at) => ({ label: `${at}${long}`, line: 'history' })),
    },
  }
  const { text, blocks } = drawn(answerOf(request, null), 'en')
  expect(blocks.length).toBeLessThanOrEqual(50)
  expect(text.length).toBeLessThanOrEqual(3_000)
  const texts = JSON.stringify(blocks).match(/"text":"[^"]*"/g) ?? []
  expect(texts.join('').length).toBeLessThanOrEqual(13_000)
  expect(JSON.stringify(blocks)).toContain('Post to channel')
})
