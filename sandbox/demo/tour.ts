import type { PlatformSandbox } from '../platform/types.ts'
import { objectAt, objectsAt, textAt } from '../slack/json.ts'
import type { Tour } from '../slack/options.ts'
import type { SlackSandbox } from '../slack/start.ts'
import { endpoints } from './cast.ts'
import type { Outages } from './outages.ts'

interface Stage {
  readonly platform: PlatformSandbox
  /** Undefined until Slack runs, because the steps are passed to it at its start. */
  readonly slack: () => SlackSandbox | undefined
  readonly outages: Pick<Outages, 'count' | 'gone'>
  /** Halts the clock, because the next step has to be read first. */
  readonly rest: () => void
}

/** Returns the six steps through the product. A step is done when its effect has happened, however it came about. */
export function tourThrough({ platform, slack, outages, rest }: Stage): Tour {
  /** Payloads sent and kills counted before the tour began, and when it began, s. */
  let [typedBefore, killsBefore, began] = [0, 0, 0]
  const runs = (name: string) => platform.endpoints().some((one) => one.name === name && one.active)
  /** Returns what the page sent from the last command that begins with `word`; nothing if there is none. */
  const sinceTyped = (word: string) => {
    const sent = (slack()?.link.sent ?? []).slice(typedBefore)
    const isIt = ({ type, payload }: (typeof sent)[number]) =>
      type === 'slash_commands' && textAt(payload, 'text')?.startsWith(word) === true
    const at = sent.findLastIndex(isIt)
    return at === -1 ? [] : sent.slice(at)
  }
  const typed = (word: string) => sinceTyped(word).length > 0
  const pressed = (label: string, word: string, user = 'U0ANA') =>
    sinceTyped(word).some(
      ({ type, payload }) =>
        type === 'interactive' &&
        textAt(objectAt(payload, 'user'), 'id') === user &&
        textAt(objectAt(objectsAt(payload, 'actions')[0], 'text'), 'text')?.startsWith(label) === true,
    )
  /** Returns the texts posted since the tour began that contain `words`. */
  const read = (words: string) =>
    [...(slack()?.workspace.messages.values() ?? [])]
      .flat()
      .filter(({ ts, text }) => Number(ts) >= began && text.includes(words))
      .map(({ text }) => text)

  /** Starts at the console every endpoint that ran at first, with its traffic. Rules stay as they are. */
  function again(): void {
    for (const { id, name, active } of platform.endpoints()) {
      const atFirst = endpoints.find((one) => one.name === name)
      if (atFirst?.active !== true) continue
      platform.traffic(id, { running: 0, waiting: 0, perMinute: 0, ...atFirst.traffic })
      if (!active) platform.console.start(id)
    }
    typedBefore = slack()?.link.sent.length ?? 0
    killsBefore = outages.count()
    began = Math.floor((slack()?.workspace.settings.clock.now() ?? 0) / 1_000)
  }

  const type = (line: string, text: string) => ({
    text,
    label: `Type /endpoint ${line.split(' ').slice(0, 2).join(' ')}`,
    line: `/endpoint ${line}`,
    as: 'U0ANA',
    done: () => typed(line.split(' ').slice(0, 2).join(' ')) && !isRefused(line.split(' ')[1]),
  })
  /** Whether the last that was posted about an endpoint says that its request came to nothing, so it is typed again. */
  const isRefused = (name = '') => /\b(?:declined|expired|cancelled)\b/.test(read(name).at(-1) ?? '')
  const approval = (name: string, as: string, text: string) => {
    const done = () => pressed('Approve: Stop chat-llm', 'stop chat-llm', as)
    const press = `You are ${name} now. Open the thread under the card and press Approve: Stop chat-llm.`
    return [
      { text, label: `Act as ${name}`, as, done },
      { text: press, done },
    ]
  }
  const fast = (text: string) => ({ text, label: 'Press Fast', control: 'Fast' })
  const steps: Tour['steps'] = [
    {
      title: 'See what’s running',
      text: 'Only you see the answer.',
      acts: [type('list', 'Every command starts with /endpoint. Type this one and press Enter.')],
      done: () => typed('list'),
    },
    {
      title: 'Stop an endpoint',
      text: 'rerank is running, so Lamplighter asks first. Press Stop rerank below the answer.',
      acts: [type('stop rerank', 'Send this command with Enter.')],
      done: () => !runs('rerank'),
    },
    {
      title: 'Get approval from someone else',
      text: 'Both have approved. The card shows how the stop is going.',
      acts: [
        type('stop chat-llm', 'chat-llm is protected: two other people have to approve its stop. Send this command.'),
        ...approval('ben', 'U0BEN', 'Act as ben first.'),
        ...approval('eva', 'U0EVA', 'ben has approved. Now act as eva.'),
      ],
      done: () => !runs('chat-llm'),
    },
    {
      title: 'Run an endpoint only during office hours',
      text: 'The clock pauses at the warning in #ops. Press Resume the clock, and code-llm stops at the time it names.',
      acts: [
        type('schedule code-llm up weekdays 09:00-20:00 Europe/Madrid', 'As ana again, send this command with Enter.'),
        {
          text: 'Press Save schedule below the question.',
          done: () => pressed('Save schedule', 'schedule') || read('code-llm already has this rule.').length > 0,
        },
        fast('Press Fast to let a week pass.'),
      ],
      done: () => typed('schedule') && !runs('code-llm'),
      over: rest,
    },
    {
      title: 'Stop what nobody uses',
      text: 'The clock pauses at the warning in #ops. Press Resume the clock, and embeddings stops an hour later.',
      acts: [
        type('idle embeddings after 60m', 'Send this command with Enter.'),
        { text: 'Press Turn on idle stop below the question.', done: () => pressed('Turn on idle stop', 'idle') },
        { text: 'embeddings is in use. End its traffic.', label: 'End its traffic', control: 'embeddings' },
        fast('Press Fast to let time pass until the warning.'),
      ],
      done: () => typed('idle') && !runs('embeddings'),
      over: rest,
    },
    {
      title: 'Kill the worker in the middle of a start',
      text: 'A red bar says that the worker is gone. A new one carries on with the start.',
      acts: [
        type('start rerank', 'Send this command with Enter.'),
        {
          text: 'Kill the worker before rerank is up.',
          label: 'Kill the worker',
          control: 'Kill the worker',
          done: () => outages.count() > killsBefore,
        },
      ],
      done: () => outages.count() > killsBefore && !outages.gone() && read('Started rerank').length > 0,
    },
  ]
  return { steps, again }
}
