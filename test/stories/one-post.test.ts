import { afterEach, expect, test } from 'vitest'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { presses } from '../support/ops.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

/** A request has one post in its channel, its card. Everything else is said in the thread. */

let town: Town
afterEach(() => town.stop())

interface Posts {
  /** The rows that people see in #ops. */
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

interface People extends Record<'ana' | 'ben' | 'dora', Actor> {
  readonly town: Town
}

const slow: TownOptions = { platform: { startDelayMs: 60_000 } }
const byTwo: TownOptions = {
  policy: policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN, user:U0DORA], admin: [user:U0BEN] }
    approvals: { needed: 2 }
    matrix: { disruptive: { active: approval } }
`),
  env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') },
}

test.each<[string, string, Posts, ((people: People) => Promise<unknown>)?, TownOptions?]>([
  ['a quick start', 'start my-tts', { channel: 1, thread: 0 }],
  ['a start that takes a minute', 'start my-tts', { channel: 1, thread: 1 }, ({ town }) => town.minutesPass(2), slow],
  ['a start for a while', 'start my-tts for 4h', { channel: 1, thread: 0 }],
  [
    'a stop that is confirmed',
    'stop my-llm',
    { channel: 1, thread: 2 },
    ({ ben }) => ben.presses('Stop my-llm', { in: 'ops' }),
  ],
  [
    'replicas that are confirmed',
    'scale my-llm 5',
    { channel: 1, thread: 2 },
    ({ ben }) => ben.presses('Scale my-llm', { in: 'ops' }),
  ],
  [
    'a stop that two approve',
    'stop my-llm',
    { channel: 1, thread: 2 },
    async ({ ben, dora }) => {
      await presses(ben, 'Approve: Stop my-llm', '1 more needed')
      await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    },
    byTwo,
  ],
  [
    'a stop past its approvers',
    'stop my-llm',
    { channel: 2, thread: 2 },
    ({ ben }) => ben.types('ops', '/endpoint break-glass my-llm because="nobody answers"'),
    byTwo,
  ],
  [
    'a stop that its requester leaves',
    'stop my-llm',
    { channel: 1, thread: 1 },
    ({ ana }) => ana.presses('Leave it running', { in: 'ops' }),
  ],
  [
    'a stop that its requester cancels',
    'stop my-llm',
    { channel: 1, thread: 1 },
    ({ ana }) => ana.types('ops', '/endpoint cancel my-llm'),
  ],
  [
    'a stop that somebody else leaves',
    'stop my-llm',
    { channel: 1, thread: 2 },
    ({ ben }) => ben.presses('Leave it running', { in: 'ops' }),
  ],
  [
    'a stop that the platform refuses after it was confirmed',
    'stop my-llm',
    { channel: 2, thread: 1 },
    async ({ ben, town }) => {
      town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 400, body: { message: 'Not now.' } }, 1)
      await ben.presses('Stop my-llm', { in: 'ops' })
    },
  ],
  [
    'a schedule that is confirmed',
    'schedule my-llm down sun 03:00-04:00',
    { channel: 1, thread: 2 },
    ({ ben }) => ben.presses('Save schedule', { in: 'ops' }),
  ],
])('%s', async (_, line, expected, act, options) => {
  town = await startTown(options)
  const [ana, ben, dora] = ['U0ANA', 'U0BEN', 'U0DORA'].map((id) => town.slack.as(id)) as [Actor, Actor, Actor]
  await ana.types('ops', `/endpoint ${line}`)
  if (act !== undefined) await ana.sees(/Answer in the thread|waiting until it serves/, { in: 'ops' })
  await act?.({ ana, ben, dora, town })
  await ana.sees(/Started my-tts|Stopped my-llm|Scaled my-llm|Scheduled my-llm|cancelled\.|declined by|: failed/, {
    in: 'ops',
  })
  await town.calm()
  expect(posts(town)).toEqual(expected)
})

test('A mistake in the policy file is announced by one of three workers, and so is its end', async () => {
  const alone = policyOf(`
    roles: { viewer: [everyone] }
`)
  town = await startTown({ policy: alone, roles: ['worker', 'worker', 'worker', 'bot'] })
  const times = (what: string) => (logged: string) => logged.split(what).length - 1
  await town.rules('projects: 5')
  await expect.poll(() => times('the changed policy file is not valid')(town.log())).toBe(4)
  await town.slack.as('U0ANA').sees('isn’t valid, so the previous one still applies', { in: 'ops' })
  await town.rules(alone)
  await expect.poll(() => times('the policy file is valid again')(town.log())).toBe(4)
  await town.slack.as('U0ANA').sees('is valid again', { in: 'ops' })
  await town.calm()
  expect(posts(town)).toEqual({ channel: 2, thread: 0 })
})
