import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { createAnnouncer } from '../../../../src/adapters/slack/delivery/announce.ts'
import { say } from '../../../../src/core/model/words.ts'
import { instant } from '../../../../src/core/time/format.ts'
import { clientOf } from '../sandboxed.ts'

const ana = { team: 'T0SANDBOX', user: 'U0ANA' }
let slack: SlackSandbox
let waited: number[]
let logged: string[]
let channel: string | undefined
let announce: ReturnType<typeof createAnnouncer>

beforeAll(async () => {
  slack = await startSlack({
    channels: [
      { id: 'C0OPS', name: 'ops' },
      { id: 'C0OLD', name: 'old', archived: true },
    ],
  })
})
afterAll(() => slack.stop())
beforeEach(() => {
  slack.clearFaults()
  waited = []
  logged = []
  channel = 'C0OPS'
  const keep = (_: object, message: string): void => void logged.push(message)
  announce = createAnnouncer({
    client: clientOf(slack),
    place: () => channel,
    language: () => 'en',
    namesOf: async (user) => (user === ana.user ? ['ana <3'] : null),
    log: { info: keep, warn: keep, error: keep },
    pause: async (ms) => void waited.push(ms),
  })
})

function lastSaid(): string {
  return slack.transcript('C0OPS').split('app: ').at(-1) ?? ''
}

describe('An announcement', () => {
  test('names the people in it', async () => {
    await announce([say('rule.ownerGone', { owner: { person: ana } }), 'up daily (my-llm)'])
    expect(lastSaid()).toMatch(/@\S+ is no longer an operator here, so these rules are paused:\s+up daily \(my-llm\)/)
    // A notification cannot show mentions.
    const { text } = slack.channel('C0OPS').messages().at(-1) ?? {}
    expect(text).toMatch(/^@ana &lt;3 is no longer an operator here/)
  })

  test('is posted in the operations channel, with its times as dates', async () => {
    await announce(['The policy was read again.', `It holds since ${instant(Date.UTC(2026, 10, 20, 9, 30))}.`])
    expect(lastSaid()).toContain('The policy was read again.')
    const { blocks, text } = slack.channel('C0OPS').messages().at(-1) ?? {}
    expect(blocks).toHaveLength(2)
    expect(JSON.stringify(blocks)).toContain('"type":"date"')
    expect(text).toBe('The policy was read again. It holds since 20 Nov 2026, 09:30 UTC.')
  })

  test('offers its lines as buttons', async () => {
    await announce(['Missed: my-llm should have started.'], [{ label: 'Start my-llm', line: 'start ep-llm' }])
    const { blocks = [] } = slack.channel('C0OPS').messages().at(-1) ?? {}
    expect(blocks.at(-1)).toMatchObject({
      type: 'actions',
      elements: [{ action_id: 'line:0', text: { text: 'Start my-llm' }, value: 'start ep-llm' }],
    })
  })

  test('is edited in place once its button was pressed', async () => {
    const place = await announce(['my-llm is down.'], [{ label: 'Return to schedule', line: 'resume ep-llm' }])
    expect(place).toEqual({ channel: 'C0OPS', ts: slack.channel('C0OPS').messages().at(-1)?.ts })
    channel = 'C0OLD'
    const count = slack.channel('C0OPS').messages().length
    await announce([['my-llm is down.', say('rule.returned', { by: { person: ana } })]], [], place)
    expect(slack.channel('C0OPS').messages()).toHaveLength(count)
    expect(JSON.stringify(slack.channel('C0OPS').messages().at(-1)?.blocks)).not.toContain('Return to schedule')
    expect(lastSaid()).toMatch(/my-llm is down\. @\S+ resumed its automation\./)
  })

  test('that is gone needs no edit', async () => {
    const nowhere = { channel: 'C0OPS', ts: '1.000000' }
    expect(await announce(['my-llm is down.'], [], nowhere)).toEqual(nowhere)
    expect([waited, logged]).toEqual([[], []])
  })

  test('mentions nobody, whatever its text', async () => {
    await announce(['Line 3: <!channel> <@U0ANA> @here is not a role.'])
    const { blocks } = slack.channel('C0OPS').messages().at(-1) ?? {}
    expect(JSON.stringify(blocks)).not.toMatch(/"type":"(user|broadcast|usergroup)"/)
  })

  test('is retried after growing pauses, or when Slack says, until it arrives', async () => {
    slack.fault('chat.postMessage', { kind: 'error', error: 'internal_error' }, 1)
    slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfterS: 30 }, 1)
    await announce(['third time lucky'])
    expect(waited).toEqual([1_000, 30_000])
    expect(lastSaid()).toContain('third time lucky')
  })

  test('is given up in the end, or if its channel is closed, without an error', async () => {
    slack.fault('chat.postMessage', { kind: 'error', error: 'internal_error' })
    await announce(['lost'])
    expect(waited).toEqual([1_000, 4_000, 15_000, 60_000])
    slack.clearFaults()
    channel = 'C0OLD'
    await announce(['closed'])
    channel = undefined
    await announce(['nowhere'])
    expect(logged).toEqual([
      'could not post an announcement',
      'could not post an announcement',
      'could not announce this: no operations_channel is set',
    ])
    expect(slack.transcript('C0OLD')).toBe('')
  })
})
