import { beforeEach, describe, expect, test } from 'vitest'
import { usualApprovalSettings } from '../../../../src/core/model/policy.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { sentenceIn } from '../../../support/words.ts'
import { agreed, ana, answered, ask, asked, ben, ended, noted, planned, start, stopping } from '../requests.ts'
import { createStage, type Stage } from './notifier-support.ts'

let stage: Stage
beforeEach(() => {
  stage = createStage('C0OPERATIONS')
  stage.now = start + 60_000
})

const unknown = { kind: 'unknown', why: 'nobody knows' } as const
const arrived = { kind: 'unknown', why: 'arrived' } as const
const closed = { kind: 'closed', why: 'is_archived' } as const
const unfit = { kind: 'unfit', why: 'invalid_blocks' } as const
const running = planned({}, { status: 'running', requirement: 'nothing' })
const stopped = ended(agreed(), 'succeeded')

describe('A request is shown', () => {
  test('as a card with its question, then its progress, then its end', async () => {
    await stage.settle(asked())
    await stage.settle(agreed())
    await stage.settle(stopped)
    expect(stage.board.tries).toEqual([
      'send card in C0OPS',
      'send own.1 to U0ANA',
      'send ask.1 in C0OPS',
      'edit card in C0OPS',
      'edit card in C0OPS',
      'edit ask.1 in C0OPS',
      'send end in C0OPS',
      'edit card in C0OPS',
    ])
    expect(stage.board.texts()).toEqual([
      'Stopped my-llm.',
      'Stop my-llm? It’s running with 3 replicas.',
      'Stop my-llm? Confirmed.',
      'Stopped my-llm.',
    ])
  })

  test('once: posted messages are not sent again', async () => {
    await stage.settle(stopped)
    const { length } = stage.board.tries
    await stage.settle(stopped)
    expect(stage.board.tries).toHaveLength(length)
  })

  test('with the end before the card, because people wait for the end', async () => {
    await stage.settle(asked())
    await stage.settle(stopped)
    expect(stage.board.tries.slice(4)).toEqual(['send end in C0OPS', 'edit card in C0OPS', 'edit ask.1 in C0OPS'])
  })

  test('with replies in the thread of its card', async () => {
    await stage.settle(asked())
    const [card, ask] = stage.board.sendings
    expect([card?.thread, ask?.thread]).toEqual([undefined, '1.000001'])
    expect(card?.id).toBe(`${asked().id}/card`)
  })

  test('with no message while it may finish in a moment', async () => {
    stage.now = start + 200
    expect(await stage.show(running)).toEqual({ again: start + 500 })
    expect(stage.board.tries).toEqual([])
  })

  test('by its card alone if that is posted only at the end', async () => {
    await stage.settle(ended(running, 'succeeded'))
    await stage.settle(ended(running, 'succeeded'))
    expect(stage.board.tries).toEqual(['send card in C0OPS'])
  })
})

describe('After a crash', () => {
  test('a message that may have been posted is looked for and not posted twice', async () => {
    stage.board.next('crash after')
    await expect(stage.show(asked())).rejects.toThrow('The process has ended.')
    await stage.settle(asked())
    expect(stage.board.sendings.map(({ unconfirmedSince }) => unconfirmedSince)).toEqual([
      undefined,
      start + 60_000,
      undefined,
      undefined,
    ])
    expect(stage.board.texts()).toHaveLength(3)
  })

  test('a message that was found is updated, because its text may be old', async () => {
    stage.board.next('crash after')
    await expect(stage.show(running)).rejects.toThrow('The process has ended.')
    await stage.settle(ended(running, 'succeeded', {}, {}, 50_000))
    expect(stage.board.texts()[0]).toMatch(/^Stopped my-llm\./)
  })

  test('a message that was never posted is posted', async () => {
    stage.board.next(unknown)
    await stage.settle(asked())
    expect(stage.board.texts()).toHaveLength(3)
  })

  test('an end whose answer was lost is found and not posted twice', async () => {
    await stage.settle(asked())
    stage.board.next(arrived)
    await stage.settle(stopped)
    expect(stage.board.texts().filter((text) => text.startsWith('Stopped'))).toHaveLength(2)
    expect(stage.board.tries.filter((what) => what.startsWith('send end'))).toHaveLength(2)
  })

  test('a failed search does not forget that a post may have arrived', async () => {
    stage.board.next(arrived, { kind: 'wait', ms: 5_000 }, { kind: 'refused', why: 'ratelimited' }, unknown)
    await stage.settle(running)
    expect(stage.board.sendings.map(({ unconfirmedSince }) => unconfirmedSince !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
    expect(stage.board.texts()).toHaveLength(1)
  })
})

describe('When Slack is slow or down', () => {
  test('the pace of a channel is kept', async () => {
    stage.waits.push(700)
    expect(await stage.show(running)).toEqual({ again: start + 60_700 })
    expect(stage.board.tries).toEqual([])
    await stage.settle(running)
    expect(stage.board.texts()).toHaveLength(1)
  })

  test('a message that has to wait is sent although the clock was set back', async () => {
    stage.board.next({ kind: 'wait', ms: 20_000 })
    expect(await stage.show(running)).toEqual({ again: stage.now + 20_000 })
    stage.now -= 3_600_000
    await stage.show(running)
    expect(stage.board.texts()).toHaveLength(1)
  })

  test('progress is not urgent, but questions and ends are', async () => {
    await stage.settle(running)
    await stage.settle(ended(running, 'succeeded'))
    await stage.settle(asked())
    expect(stage.paced).toEqual(['C0OPS', 'C0OPS!', 'C0OPS!', 'C0OPS!', 'C0OPS!', 'C0OPS'])
  })

  test('progress is edited at most every three seconds, and the end waits for nothing', async () => {
    await stage.settle(running)
    const further = { ...running, progress: agreed().progress ?? [] }
    expect(await stage.show(further)).toEqual({ again: start + 63_000 })
    await stage.settle(ended(further, 'succeeded', {}, {}, 3_000))
    expect(stage.now).toBe(start + 60_000)
    expect(stage.board.tries).toEqual(['send card in C0OPS', 'edit card in C0OPS'])
  })

  test('a 429 is waited out, and only the newest state is shown afterwards', async () => {
    stage.board.next({ kind: 'wait', ms: 30_000 })
    expect(await stage.show(running)).toEqual({ again: start + 90_000 })
    expect(await stage.show(running)).toEqual({ again: start + 90_000 })
    await stage.settle(ended(running, 'succeeded', {}, {}, 3_000))
    expect(stage.board.tries).toEqual(['send card in C0OPS', 'send card in C0OPS'])
    expect(stage.board.texts()[0]).toMatch(/^Stopped/)
  })

  test('retries become rarer and end after a day', async () => {
    stage.board.always(/card/, unknown)
    const waits: number[] = []
    for (;;) {
      const { again } = await stage.show(running)
      if (again === null) break
      waits.push(again - stage.now)
      stage.now = again
    }
    expect(waits.slice(0, 8)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
    const total = waits.reduce((sum, wait) => sum + wait, 0)
    expect(total).toBeGreaterThan(24 * 3_600_000)
    expect(total).toBeLessThan(24 * 3_600_000 + 61_000)
    expect(stage.logged).toContain('could not deliver a message to any channel')
  })
})

describe('When the card is deleted', () => {
  test('the card and its question are posted again', async () => {
    await stage.settle(asked())
    stage.board.delete(/Stop my-llm\? It’s running/)
    await stage.settle({ ...asked(), ask: ask({ why: 'It’s running with 4 replicas.' }) })
    expect(stage.board.tries.slice(4)).toEqual([
      'edit card in C0OPS',
      'send card in C0OPS',
      'send ask.1 in C0OPS',
      'edit card in C0OPS',
    ])
  })

  test('a reply that finds no thread has the card posted again', async () => {
    await stage.settle(asked())
    stage.board.next({ kind: 'gone' })
    await stage.settle(stopped)
    expect(stage.board.tries.slice(4)).toEqual(['send end in C0OPS', 'send card in C0OPS'])
    expect(stage.board.texts().at(-1)).toMatch(/^Stopped my-llm\./)
  })

  test('repeatedly, it is posted again three times, and the outcome then goes to the requester', async () => {
    await stage.settle(running)
    for (let times = 1; times <= 3; times += 1) {
      stage.board.delete(/my-llm/)
      await stage.settle(planned({}, { ...running, startedAt: start - times * 60_000 }))
    }
    expect(stage.board.tries.filter((what) => what === 'send card in C0OPS')).toHaveLength(4)
    stage.board.delete(/my-llm/)
    await stage.settle(ended(running, 'succeeded', {}, {}, 3_000))
    expect(stage.board.tries.at(-1)).toBe('send card in U0ANA')
    expect(stage.board.texts()).toEqual(['Stopped my-llm.'])
  })
})

describe('When a channel is closed', () => {
  test('messages without a question go to the requester, and otherwise to the operations channel', async () => {
    stage.board.always(/C0OPS/, closed)
    await stage.settle(running)
    stage.board.always(/U0ANA/, closed)
    await stage.settle(ended(running, 'succeeded'))
    expect(stage.board.texts()).toHaveLength(2)
    expect(stage.board.tries.at(-1)).toBe('send card in C0OPERATIONS')
  })

  test('a question is asked nowhere else, and the refusal says how to invite the bot', async () => {
    stage.board.always(/C0OPS/, closed)
    expect(await stage.settle(asked())).toEqual({ unpostable: { say: 'request.notHere' } })
    expect(stage.board.texts()).toEqual([])
  })

  test('after its question, the refused reminder ends the request, and a text that Slack rejects does not', async () => {
    const reminded = (times: number) => asked({}, { requirement: 'approval', ask: ask({ reminded: times }) })
    await stage.settle(reminded(0))
    stage.board.always(/reminder\.1\.1/, { kind: 'unfit', why: 'invalid_blocks' })
    expect(await stage.settle(reminded(1))).toEqual({})
    stage.board.always(/C0OPS/, closed)
    expect(await stage.settle(reminded(2))).toEqual({ unpostable: { say: 'request.notHere' } })
  })

  test('the outcome is not lost if the channel was archived meanwhile', async () => {
    await stage.settle(agreed())
    stage.board.always(/C0OPS/, closed)
    await stage.settle(stopped)
    expect(stage.board.tries.at(-1)).toBe('send card in U0ANA')
    expect(stage.board.texts().at(-1)).toMatch(/^Stopped my-llm\./)
  })

  test('an end that is refused in the thread is shown by the card, which moves after its last edit', async () => {
    await stage.settle(agreed())
    const { length } = stage.board.tries
    stage.board.always(/send .* C0OPS/, closed)
    await stage.settle(stopped)
    await stage.settle(stopped)
    expect(stage.board.tries.slice(length)).toEqual(['send end in C0OPS', 'edit card in C0OPS', 'send card in U0ANA'])
  })

  test('a question from a direct message is asked in the operations channel', async () => {
    await stage.settle(asked({}, { place: { channel: 'D0ANA' } }))
    expect(stage.board.tries).toEqual([
      'send card in C0OPERATIONS',
      'send own.1 to U0ANA',
      'send ask.1 in C0OPERATIONS',
      'edit card in C0OPERATIONS',
    ])
  })

  test('a question from a direct message is refused if there is no operations channel', async () => {
    stage = createStage()
    const alone = asked({}, { place: { channel: 'D0ANA' } })
    expect(await stage.settle(alone)).toEqual({ unpostable: { say: 'request.noChannel' } })
    await stage.settle(ended(alone, 'refused', { says: sentenceIn('request.noChannel') }, { privately: true }))
    expect(stage.board.tries).toEqual(['send answer to U0ANA'])
  })
})

describe('A private message', () => {
  test('is sent to one person, and once', async () => {
    await stage.settle(ended(stopping(), 'refused'))
    await stage.settle(answered({ title: '1 endpoint', items: [] }))
    expect(stage.board.tries).toEqual(['send answer to U0ANA'])
    expect(stage.paced).toEqual([])
  })

  test('goes to each person who pressed too late', async () => {
    await stage.settle(noted(stopped))
    expect(stage.board.tries.filter((what) => what.includes('note'))).toEqual([
      'send note.n1 to U0BEN',
      'send note.n2 to U0BEN',
    ])
  })

  test('links to the request that is in the way', async () => {
    await stage.settle(ended(stopping(), 'refused', {}, { about: 'another' }))
    expect(JSON.stringify(stage.board.sendings[0]?.wanted.message.blocks)).toContain('https://sandbox.example/another')
  })
})

test('a message that Slack rejects in every form is given up and logged', async () => {
  stage.board.always(/ end /, unfit)
  await stage.settle(asked())
  await stage.settle(stopped)
  await stage.settle(stopped)
  expect(stage.board.tries.filter((what) => what === 'send end in C0OPS')).toHaveLength(1)
  expect(stage.logged).toEqual([
    'a call to Slack failed',
    'Slack rejected a message',
    'could not deliver a message to any channel',
  ])
})

test('the stored posts are plain JSON that names no people', async () => {
  await stage.settle(asked())
  expect(JSON.parse(stage.posts ?? '')).toMatchObject({ byKey: { card: { state: 'posted', channel: 'C0OPS' } } })
  expect(stage.posts).not.toContain(ana.user)
})

describe('A break-glass', () => {
  const glass = { by: ben, at: start, yes: true, glass: true, because: 'down' } as const
  const broken = agreed({}, { requirement: 'approval', decision: glass })

  test('is announced in the operations channel once, whatever happens to the request', async () => {
    await stage.settle(broken)
    await stage.settle(ended(broken, 'succeeded'))
    expect(stage.board.tries.filter((what) => what.includes('glass'))).toEqual(['send glass in C0OPERATIONS'])
  })

  test('is announced with the card if the operations channel is missing or closed', async () => {
    const without = createStage()
    without.now = start + 60_000
    await without.settle(broken)
    expect(without.board.tries).toContain('send glass.thread in C0OPS')
    stage.board.always(/C0OPERATIONS/, closed)
    await stage.settle(broken)
    await stage.settle(broken)
    expect(stage.board.tries.filter((what) => what.includes('glass'))).toEqual([
      'send glass in C0OPERATIONS',
      'send glass.thread in C0OPS',
    ])
    const sent = stage.board.sendings.find(({ wanted }) => wanted.key === 'glass.thread')
    expect(sent).toMatchObject({ wanted: { where: 'thread and channel' }, thread: expect.any(String) })
  })
})

describe('Reminders', () => {
  test('are sent one after another and keep their text', async () => {
    const reminded = (times: number) => asked({}, { requirement: 'approval', ask: ask({ reminded: times }) })
    for (const request of [reminded(0), reminded(1), reminded(2), agreed()]) await stage.settle(request)
    expect(stage.board.tries.filter((what) => what.includes('reminder'))).toEqual([
      'send reminder.1.1 in C0OPS',
      'send reminder.1.2 in C0OPS',
    ])
  })

  test('that ask fewer people than before are edited, which notifies nobody', async () => {
    const request = asked(
      {},
      { requirement: 'approval', ask: ask({ asking: { ...usualApprovalSettings, needed: 2 }, reminded: 1 }) },
    )
    await stage.settle(request)
    await stage.settle({ ...request, votes: [{ by: ben, at: start }] })
    expect(stage.board.tries.filter((what) => what.includes('reminder'))).toEqual([
      'send reminder.1.1 in C0OPS',
      'edit reminder.1.1 in C0OPS',
    ])
  })
})

describe('Requests of a group', () => {
  const group = 'stop.1#0'
  const alone = { status: 'running', requirement: 'nothing', via: 'schedule' } as const
  const [one, other] = ['asr', 'tts'].map((name) =>
    planned({ name }, { id: name.padEnd(22, 'x'), endpoint: { id: `ep-${name}`, name }, ...alone, group }),
  ) as [Request, Request]

  async function settle(...now: readonly Request[]): Promise<void> {
    stage.together = now
    for (const request of now) {
      // Each request remembers its own messages.
      stage.posts = null
      await stage.settle(request)
    }
  }

  test('share one card, which is edited with their ends', async () => {
    await settle(one)
    await settle(one, other)
    await settle(ended(one, 'succeeded'), ended(other, 'succeeded'))
    expect(stage.board.texts()).toEqual(['Stopped 2 endpoints. asr and tts'])
    expect(stage.board.tries.filter((what) => what.startsWith('send'))).toEqual(['send card in C0OPS'])
  })

  test('have their card posted once all have arrived, because only a post notifies', async () => {
    const [first, second] = [one, other].map((each) => ({ ...each, receivedAt: stage.now }))
    if (first === undefined || second === undefined) throw new Error('There are two.')
    stage.together = [first]
    const { again } = await stage.show(first)
    expect(again).toBe(stage.now + 1_000)
    stage.now = again ?? 0
    await settle(first, second)
    expect(stage.board.sendings.map(({ wanted }) => wanted.message.text)).toEqual(['Stopping 2 endpoints… asr and tts'])
  })

  test('have their card posted once, even after a crash', async () => {
    stage.together = [one, other]
    stage.board.next('crash after')
    await expect(stage.show(one)).rejects.toThrow('The process has ended.')
    await settle(other)
    stage.together = [one, other]
    await stage.settle(one)
    expect(stage.board.texts()).toEqual(['Stopping 2 endpoints… asr and tts'])
  })

  test('of two owners have two cards where the channel refuses theirs, even if a reply is lost', async () => {
    stage.board.always(/send card in C0OPS/, closed)
    await settle(one)
    stage.board.next(unknown)
    await settle(one, { ...other, actor: ben })
    expect(stage.board.texts()).toEqual(['Stopping asr… 1 min', 'Stopping tts… 1 min'])
  })

  test('have a failure reported in a reply to the card', async () => {
    await settle(one, other)
    await settle(ended(one, 'failed', { says: 'Stop asr: failed.' }), ended(other, 'succeeded'))
    expect(stage.board.texts()).toEqual([
      expect.stringMatching(/^Stopped 1 of 2 endpoints\. Not stopped: asr · .* · Stopped: tts$/),
      expect.stringContaining('asr'),
    ])
    expect(stage.board.sendings.at(-1)?.wanted.where).toBe('thread and channel')
  })
})
