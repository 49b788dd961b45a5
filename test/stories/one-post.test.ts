import { afterEach, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'

/** A request is one post in its channel: its card, which is edited for life. What else is said stands in its thread. */

let town: Town
afterEach(() => town.stop())

interface Posts {
  /** What somebody sees who looks at #ops. */
  readonly channel: number
  readonly thread: number
}

function posts({ slack }: Town): Posts {
  const lines = slack.transcript('ops').split('\n')
  const replies = lines.filter((line) => /^ {2}App/.test(line))
  const broadcast = replies.filter((line) => line.startsWith('  App (broadcast)'))
  const own = lines.filter((line) => line.startsWith('App: '))
  return { channel: own.length + broadcast.length, thread: replies.length - broadcast.length }
}

test.each<[string, string, Posts, (town: Town) => Promise<unknown>]>([
  ['a quick start', 'start my-tts', { channel: 1, thread: 0 }, async () => undefined],
  [
    'a stop that is confirmed',
    'stop my-llm',
    { channel: 1, thread: 2 },
    ({ slack }) => slack.as('U0BEN').presses('Stop my-llm', { in: 'ops' }),
  ],
  [
    'a stop that its requester leaves',
    'stop my-llm',
    { channel: 1, thread: 1 },
    ({ slack }) => slack.as('U0ANA').presses('Leave it running', { in: 'ops' }),
  ],
  [
    'a stop that its requester cancels',
    'stop my-llm',
    { channel: 1, thread: 1 },
    ({ slack }) => slack.as('U0ANA').types('ops', '/endpoint cancel my-llm'),
  ],
  [
    'a stop that somebody else leaves',
    'stop my-llm',
    { channel: 1, thread: 2 },
    ({ slack }) => slack.as('U0BEN').presses('Leave it running', { in: 'ops' }),
  ],
  [
    'a stop that the platform refuses after it was confirmed',
    'stop my-llm',
    { channel: 2, thread: 1 },
    async ({ platform, slack }) => {
      platform.faults.add('stopEndpoint', { kind: 'answer', status: 400, body: { message: 'Not now.' } }, 1)
      await slack.as('U0BEN').presses('Stop my-llm', { in: 'ops' })
    },
  ],
])('%s', async (_, line, expected, act) => {
  town = await startTown()
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', `/endpoint ${line}`)
  if (line.startsWith('stop')) await ana.sees('[Stop my-llm]', { in: 'ops' })
  await act(town)
  await ana.sees(/Started my-tts|Stopped my-llm|cancelled\.|declined by|: failed/i, { in: 'ops' })
  await town.calm()
  expect(posts(town)).toEqual(expected)
})
