import { describe, expect, test } from 'vitest'
import { type JsonObject, objectAt, objectsAt, textAt } from '../../../../sandbox/slack/json.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { commands } from '../../../../src/features/command-table.ts'
import { patch } from '../../../../src/features/endpoints/patch.ts'
import { sentenceIn } from '../../../support/words.ts'
import { agreed, ana, answered, ask, asked, ben, ended, noted, planned, start, stopping } from '../requests.ts'
import { linesAt, wanted } from '../showing.ts'

const alone = planned({}, { status: 'running', requirement: 'nothing' })

/** The planned messages of a request, in order, with their places, such as `card in channel`. */
function listed(request: Request): readonly string[] {
  return wanted(request).map(({ key, where, fresh }) => `${key} in ${where}${fresh ? '' : ' if it is there'}`)
}

const unset = {
  id: 'ep-llm',
  name: 'my-llm',
  active: true,
  container_start_command: null,
  env_keys: null,
  container_port: null,
  container_health_check_path: null,
  container_health_check_timeout: null,
  health_check_timeout: null,
  container_metric_path: null,
}

/** A patch of a running endpoint by its id, as a button sends it. */
function patching(settings: string): Request {
  const line = `patch ep-llm ${settings}`
  const { values } = commands.operation(line)
  const llm = { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, autoscaled: false }
  return asked({}, { line, plan: patch.steps(values, llm) })
}

function dialogOf(request: Request): JsonObject | undefined {
  const [, ask] = wanted(request)
  const blocks = JSON.parse(JSON.stringify(ask?.message.blocks)) as JsonObject[]
  const [yes = {}] = blocks.flatMap((block) => objectsAt(block, 'elements')).filter(({ type }) => type === 'button')
  return objectAt(yes, 'confirm')
}

describe('The messages', () => {
  test.each<[string, Request, readonly string[]]>([
    ['just taken in', stopping(), []],
    ['asked', asked(), ['card in channel', 'own.1 in private', 'ask.1 in thread']],
    ['to be approved by others', asked({}, { requirement: 'approval' }), ['card in channel', 'ask.1 in thread']],
    ['agreed to', agreed(), ['card in channel', 'ask.1 in thread if it is there']],
    ['at work without a question', alone, ['card in channel']],
    [
      'over, after a question',
      ended(agreed(), 'succeeded'),
      ['end in thread', 'card in channel', 'ask.1 in thread if it is there'],
    ],
    [
      'over, after a question, and has failed',
      ended(agreed(), 'failed'),
      ['end in thread and channel', 'card in channel', 'ask.1 in thread if it is there'],
    ],
    [
      'over since its own requester said no',
      ended(asked({}, { decision: { by: ana, at: start, yes: false } }), 'declined'),
      ['card in channel', 'ask.1 in thread if it is there'],
    ],
    [
      'taken back by its requester before others approved it',
      ended(asked({}, { requirement: 'approval', decision: { by: ana, at: start, yes: false } }), 'cancelled'),
      ['card in channel', 'ask.1 in thread if it is there'],
    ],
    [
      'cancelled on its way after its requester had confirmed it',
      ended(asked({}, { decision: { by: ana, at: start, yes: true } }), 'cancelled'),
      ['end in thread', 'card in channel', 'ask.1 in thread if it is there'],
    ],
    [
      'cancelled by somebody else',
      ended(asked(), 'cancelled', {}, { by: ben }),
      ['end in thread', 'card in channel', 'ask.1 in thread if it is there'],
    ],
    ['over at once, without a question', ended(alone, 'succeeded', {}, {}, 10_000), ['card in channel']],
    [
      'over after a while, without a question',
      ended(alone, 'succeeded', {}, {}, 10_001),
      ['end in thread', 'card in channel'],
    ],
    ['refused before anything was planned', ended(stopping(), 'refused'), ['answer in private']],
    [
      'refused since nobody could answer',
      ended(asked(), 'refused', {}, { privately: true }),
      ['answer in private', 'card in channel if it is there', 'ask.1 in thread if it is there'],
    ],
    ['too old, of a person', ended(stopping(), 'expired'), ['answer in private']],
    ['too old, of a rule', ended({ ...stopping(), via: 'idle' }, 'expired'), []],
    ['refused, of a schedule that tries again', ended({ ...stopping(), via: 'schedule' }, 'refused'), []],
    [
      'refused, the start of a run',
      ended({ ...stopping(), via: 'schedule', occurrence: 'ep-llm.x.1.up', asked: 'start ep-llm for 2h' }, 'refused'),
      ['answer in private'],
    ],
    ['a query at work', answered({ title: 'x', items: [] }, { status: 'received' }), []],
    ['a query', answered({ title: 'x', items: [] }), ['answer in private']],
    ['a query to be shown to all', answered({ title: 'x', items: [] }, { open: true }), ['answer in channel']],
  ])('of a request that is %s', (_, request, messages) => {
    expect(listed(request)).toEqual(messages)
  })

  test('of a request that asked again have one question; older ones say that they were replaced', () => {
    const again = asked({}, { ask: ask({ n: 3, why: 'It’s running with 4 replicas.' }) })
    expect(listed(again)).toEqual([
      'card in channel',
      'own.3 in private',
      'ask.1 in thread if it is there',
      'ask.2 in thread if it is there',
      'ask.3 in thread',
    ])
    expect(linesAt(again, 'ask.1')).toEqual(['Replaced by a newer question below.'])
  })

  test('for people who pressed are private notes, one each, where they pressed', () => {
    const request = noted(ended(agreed(), 'succeeded'))
    expect(
      wanted(request)
        .slice(3)
        .map(({ key, where, to }) => ({ key, where, to })),
    ).toEqual([
      { key: 'note.n1', where: 'private', to: { user: 'U0BEN', channel: 'C0OPS', reply: 'n1', inThread: true } },
      { key: 'note.n2', where: 'private', to: { user: 'U0BEN', channel: 'C0OPS', reply: 'n2', inThread: true } },
    ])
    expect(linesAt(request, 'note.n2')).toEqual(['Stopped my-llm.'])
  })

  test('that answer a query go to its requester, by the reply URL of the query', () => {
    const request = answered({ title: 'x', items: [] })
    expect(wanted(request)[0]?.to).toEqual({ user: 'U0ANA', channel: 'C0OPS', reply: request.id })
  })

  test('are urgent if they ask or end, and progress is not', () => {
    const urgent = [asked(), agreed(), ended(agreed(), 'failed')].map((request) =>
      wanted(request).map(({ key, urgent }) => `${key} ${urgent}`),
    )
    expect(urgent).toEqual([
      ['card true', 'own.1 true', 'ask.1 true'],
      ['card false', 'ask.1 true'],
      ['end true', 'card true', 'ask.1 true'],
    ])
  })

  test('of work without a question appear only if it takes longer than a moment', () => {
    const [card] = wanted(alone)
    expect((card?.notBefore ?? 0) - (alone.startedAt ?? 0)).toBe(400)
  })
})

describe('The text', () => {
  test('of a question has the change, its reason, who may answer and two buttons', () => {
    expect(linesAt(asked(), 'card')).toEqual([
      'Stop my-llm? It’s running with 3 replicas.',
      'Reason: “moving to v2”',
      'requested by @ana · expires Jan 15, 2027 at 08:30 → Answer in the thread',
    ])
    expect(linesAt(asked(), 'ask.1')).toEqual([
      'Stop my-llm? It’s running with 3 replicas. @ana or any operator can confirm. Expires Jan 15, 2027 at 08:30.',
      '[Stop my-llm] [Leave it running]',
    ])
  })

  test('of a question with several steps lists them, and a destructive one opens a dialog', () => {
    const request = patching('command="python app.py"')
    const steps = 'Steps: stop → change settings → start → scale back to 3 if needed.'
    expect(linesAt(request, 'card')[0]).toContain(steps)
    expect(linesAt(request, 'ask.1')[0]).toContain(steps)
    const dialog = dialogOf(request)
    expect(textAt(objectAt(dialog ?? {}, 'title'), 'text')).toContain('Patch my-llm')
    expect(textAt(objectAt(dialog ?? {}, 'text'), 'text')).toContain(steps)
    expect(textAt(objectAt(dialog ?? {}, 'confirm'), 'text')).toBe('Patch my-llm')
    expect(textAt(objectAt(dialog ?? {}, 'deny'), 'text')).toBe('Back')
    expect(dialogOf(patching('port=9000'))).toBeUndefined()
    expect(linesAt(asked(), 'ask.1')[0]).not.toContain('Steps')
  })

  test('of a patch names settings as the form does and keeps their old values if known', () => {
    const request = patching('port=9000 because=why')
    expect(linesAt(request, 'card')).toEqual([
      expect.stringContaining('Patch my-llm (port 9000)?'),
      'Reason: “why”',
      'requested by @ana · expires Jan 15, 2027 at 08:30 → Answer in the thread',
    ])
    const before = { ...unset, container_port: 8000 }
    expect(linesAt(ended({ ...request, before }, 'failed'), 'end').slice(1, 3)).toEqual([
      'Reason: “why”',
      'Before: port 8000.',
    ])
  })

  test('of progress shows the replicas and the time so far', () => {
    expect(linesAt(agreed(), 'card')[0]).toBe('⏳ Stopping my-llm… 1 of 3 replicas running · 55 s')
    expect(linesAt(agreed(), 'card').at(-1)).toBe('requested by @ana · confirmed by @ben')
  })

  test('of an answered question has no buttons and names who answered', () => {
    expect(linesAt(agreed(), 'ask.1')).toEqual(['Stop my-llm? ✅ Confirmed by @ben.'])
    const declined = ended(asked({}, { decision: { by: ben, at: start, yes: false } }), 'declined')
    expect(linesAt(declined, 'ask.1')).toEqual(['Stop my-llm? ❌ Declined by @ben.'])
  })

  test('of an unanswered question has no buttons either', () => {
    const expired = ended(asked(), 'expired', { says: sentenceIn('request.unanswered', { length: '30 min' }) })
    expect(linesAt(expired, 'ask.1')).toEqual(['Stop my-llm? Expired.'])
  })

  test('of an end has the result, the people, the duration, the platform’s words and the next step', () => {
    const request = ended(agreed(), 'succeeded')
    const lines = [
      '✅ Stopped my-llm.',
      '@ana’s reason: “moving to v2”',
      'requested by @ana · confirmed by @ben · took 42 s · Platform: “Endpoint stopped successfully”',
      '[Start my-llm]',
    ]
    expect(linesAt(request, 'card')).toEqual(lines)
    expect(linesAt(request, 'end')).toEqual(['✅ Stopped my-llm. @ana'])
  })

  test('of a refusal is one sentence, with near misses and a link to what is in the way', () => {
    const request = ended(stopping(), 'refused', { says: 'Another request is open on my-llm.' }, { about: 'other' })
    expect(linesAt(request, 'answer', 'https://sandbox.example/p1')).toEqual([
      'Another request is open on my-llm. Platform: “Endpoint stopped successfully” View request',
      '[Start my-llm]',
    ])
  })

  test('of an answer has a row for each item with its button, and can be posted to the channel', () => {
    const shown = {
      title: '2 endpoints',
      items: [
        { text: 'my-llm', detail: 'active', offers: [{ label: 'Stop my-llm', line: 'stop ep-llm' }] },
        { text: 'my-tts', detail: 'stopped' },
      ],
      foot: 'Page 1 of 2',
      offers: [{ label: 'Next', line: 'list page=2' }],
    }
    expect(linesAt(answered(shown), 'answer')).toEqual([
      '2 endpoints',
      'my-llm\nactive [Stop my-llm]',
      'my-tts\nstopped',
      'Page 1 of 2',
      '[Next] [Post to channel]',
    ])
    expect(linesAt(answered(shown, { open: true }), 'answer').at(-1)).toBe('@ana list')
    // A direct message is no channel to post to.
    expect(linesAt(answered(shown, { place: { channel: 'D0ANA' } }), 'answer').at(-1)).toBe('[Next]')
    const alone = answered({ ...shown, offers: [] }, { place: { channel: 'U0ANA' } })
    expect(linesAt(alone, 'answer').at(-1)).toBe('Page 1 of 2')
  })

  test('for notifications and screen readers is the whole sentence', () => {
    const said = [asked(), agreed(), ended(agreed(), 'succeeded')].map((request) => wanted(request)[0]?.message.text)
    expect(said).toEqual([
      'Stop my-llm? It’s running with 3 replicas.',
      'Stopping my-llm… 1 of 3 replicas running · 55 s',
      'Stopped my-llm.',
    ])
  })

  test('sent by a button is only its request and its question', () => {
    const asking = asked({}, { ask: ask({ n: 2, why: 'x' }) })
    const question = wanted(asking).find(({ key }) => key === 'ask.2')
    const values = [...JSON.stringify(question?.message.blocks).matchAll(/"value":"([^"]*)"/g)].map(
      ([, value]) => value,
    )
    expect(values).toEqual([`${'r'.repeat(22)}.2`, `${'r'.repeat(22)}.2`])
  })
})

test('The sentence about an idle stop that was refused has no gap if its endpoint was not found yet', () => {
  const { endpoint: _, ...unfound } = stopping({}, { via: 'idle' })
  const lines = [stopping({}, { via: 'idle' }), unfound].map((one) => linesAt(ended(one, 'refused'), 'answer')[0])
  expect(lines).toEqual([expect.stringMatching(/^🚫 Stop my-llm refused\. /), expect.not.stringContaining('refused')])
})

test('the same request always has the same messages', () => {
  for (const request of [asked(), agreed(), ended(agreed(), 'succeeded')])
    expect(wanted(request)).toEqual(wanted(request))
})
