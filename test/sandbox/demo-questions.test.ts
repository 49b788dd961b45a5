import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Questions, questionsAt } from '../../sandbox/demo/questions.ts'
import type { MovableClock } from '../../sandbox/demo/time.ts'
import { type JsonObject, textAt } from '../../sandbox/slack/json.ts'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'

const now = Date.UTC(2026, 0, 5, 9)
const due = now / 1_000 + 1_800

let slack: SlackSandbox
let questions: Questions
/** Why time waits, and after how many seconds it continues on its own. */
let waits: { readonly why: string; readonly goesOnAfter: number | undefined } | undefined
let isMoving: boolean
let end: (waited: boolean) => void

const time: Pick<MovableClock, 'clock' | 'wait' | 'waiting' | 'goOn'> = {
  clock: { now: () => now },
  waiting: () => waits,
  wait(why, goesOnAfter) {
    if (!isMoving) return Promise.resolve(false)
    if (waits === undefined || waits.goesOnAfter !== undefined) waits = { why, goesOnAfter }
    return new Promise((resolve) => {
      end = resolve
    })
  },
  goOn() {
    waits = undefined
    end(true)
  },
}

beforeEach(async () => {
  waits = undefined
  isMoving = true
  slack = await startSlack({ clock: time.clock })
  questions = questionsAt(slack, time)
})
afterEach(() => slack.stop())

async function calls(method: string, args: JsonObject): Promise<string> {
  const answer = await fetch(`${slack.url}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'C0OPS', ...args }),
  })
  return textAt((await answer.json()) as JsonObject, 'ts') ?? ''
}

function sentence(seconds?: number): JsonObject {
  const date = { type: 'date', timestamp: seconds ?? 0, format: '{time}' }
  const elements = [{ type: 'text', text: 'It will be stopped.' }, ...(seconds === undefined ? [] : [date])]
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
}
const pressable: JsonObject = {
  type: 'actions',
  elements: [{ type: 'button', action_id: 'answer', text: { type: 'plain_text', text: 'Keep 1 h' } }],
}
function asks(seconds?: number): Promise<string> {
  return calls('chat.postMessage', { text: 'Stop it?', blocks: [sentence(seconds), pressable] })
}

describe('Questions during fast-forwarded time', () => {
  test('stop it: the first one until it is answered, later ones for some seconds', async () => {
    questions.setOut(true)
    const ts = await asks(due)
    expect(waits).toEqual({
      why: 'The clock is paused for your answer in #ops. You can also resume it.',
      goesOnAfter: undefined,
    })
    await calls('chat.update', { ts, text: 'Kept.', blocks: [sentence()] })
    expect(waits).toBe(undefined)
    await asks(due)
    expect(waits?.goesOnAfter).toBe(20)
    time.goOn()
    await Promise.resolve()
    questions.setOut(true)
    await asks()
    expect(waits).toEqual({ why: 'The clock is paused: something new in #ops.', goesOnAfter: 20 })
    await asks(due)
    expect(waits).toEqual({
      why: 'The clock is paused for your answer in #ops. You can also resume it.',
      goesOnAfter: undefined,
    })
  })

  test('stop it until all of several are answered', async () => {
    questions.setOut(true)
    const [one, other] = [await asks(due), await asks(due)]
    await calls('chat.update', { ts: one, text: 'Kept.', blocks: [sentence()] })
    expect(waits).not.toBe(undefined)
    await calls('chat.delete', { ts: other })
    expect(waits).toBe(undefined)
  })

  test('that were open before stop it once each before it moves far, unless they have passed', async () => {
    isMoving = false
    await asks(due)
    await asks(due - 3_600)
    isMoving = true
    questions.setOut(false)
    expect(waits).toBe(undefined)
    questions.setOut(true)
    expect(waits).toEqual({
      why: 'The clock is paused for your answer in #ops. You can also resume it.',
      goesOnAfter: undefined,
    })
    time.goOn()
    await Promise.resolve()
    questions.setOut(true)
    expect(waits).toBe(undefined)
  })

  test('answered right before it starts leave the next one to be the first', async () => {
    isMoving = false
    const ts = await asks(due)
    isMoving = true
    questions.setOut(true)
    await calls('chat.update', { ts, text: 'Kept.', blocks: [sentence()] })
    expect(waits).toBe(undefined)
    await asks(due)
    expect(waits?.goesOnAfter).toBe(undefined)
    expect(waits).not.toBe(undefined)
  })

  test('set the instants at which it stops, as long as they are open', async () => {
    expect(questions.next(now)).toBe(Number.POSITIVE_INFINITY)
    const ts = await asks(due)
    await calls('chat.postMessage', { text: 'Nothing to answer.', blocks: [sentence(due - 600)] })
    const small = { type: 'mrkdwn', text: `until <!date^${due + 60}^{time}|10:31>` }
    await calls('chat.postMessage', { text: 'Another?', blocks: [{ type: 'context', elements: [small] }, pressable] })
    expect(questions.next(now)).toBe((due + 1) * 1_000)
    expect(questions.next((due + 1) * 1_000)).toBe((due + 61) * 1_000)
    await calls('chat.update', { ts, text: 'Kept.', blocks: [sentence(due)] })
    expect(questions.next(now)).toBe((due + 61) * 1_000)
  })
})
