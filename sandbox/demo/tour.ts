import type { PlatformSandbox } from '../platform/types.ts'
import { objectAt, textAt } from '../slack/json.ts'
import type { Tour } from '../slack/options.ts'
import type { SlackSandbox } from '../slack/start.ts'
import { endpoints } from './cast.ts'
import type { Outages } from './outages.ts'

interface Stage {
  readonly platform: PlatformSandbox
  /** Set once it runs: the steps are handed to it when it starts. */
  readonly slack: () => SlackSandbox | undefined
  readonly outages: Pick<Outages, 'count' | 'gone'>
  /** Time flies no further: the next step has to be read. */
  readonly rest: () => void
}

/** Six steps through the product. Each is over when what it leads to has happened, however somebody got there. */
export function tourThrough({ platform, slack, outages, rest }: Stage): Tour {
  /** How much had been typed and how often the worker killed when the tour began. */
  let [typedBefore, killsBefore] = [0, 0]
  const statusOf = (name: string) => platform.endpoints().find((one) => one.name === name)?.status
  const runs = (name: string) => platform.endpoints().some((one) => one.name === name && one.active)
  /** What the page sent from the first such line on; nothing before it was typed. */
  const sinceTyped = (word: string) => {
    const sent = (slack()?.link.sent ?? []).slice(typedBefore)
    const isIt = ({ type, payload }: (typeof sent)[number]) =>
      type === 'slash_commands' && textAt(payload, 'text')?.startsWith(word) === true
    const at = sent.findIndex(isIt)
    return at === -1 ? [] : sent.slice(at)
  }
  const typed = (word: string) => sinceTyped(word).length > 0
  const answered = (word: string, user: string) =>
    sinceTyped(word).some(
      ({ type, payload }) => type === 'interactive' && textAt(objectAt(payload, 'user'), 'id') === user,
    )

  /** Runs again at the console what ran at first, with its traffic; rules stay as they are. */
  function again(): void {
    for (const { id, name, active } of platform.endpoints()) {
      const atFirst = endpoints.find((one) => one.name === name)
      if (atFirst?.active !== true) continue
      platform.traffic(id, { running: 0, waiting: 0, perMinute: 0, ...atFirst.traffic })
      if (!active) platform.console.start(id)
    }
    typedBefore = slack()?.link.sent.length ?? 0
    killsBefore = outages.count()
  }

  const steps: Tour['steps'] = [
    {
      title: 'See what’s running',
      text: 'Every command starts with /endpoint. Press Enter to send it. Only you see the answer.',
      acts: [{ label: 'Type /endpoint list', line: '/endpoint list', done: () => typed('list') }],
      done: () => typed('list'),
    },
    {
      title: 'Stop an endpoint',
      text: 'rerank is running, so Lamplighter asks first. Send the command, then press Stop rerank below the question.',
      acts: [
        {
          label: 'Type /endpoint stop rerank',
          line: '/endpoint stop rerank',
          done: () => typed('stop rerank'),
        },
      ],
      done: () => !runs('rerank'),
    },
    {
      title: 'Get approval from someone else',
      text: 'It needs two approvals. Send it as ana. Then, as ben and as eva, open the thread under the card and press Approve.',
      acts: [
        {
          label: 'Type /endpoint stop chat-llm',
          line: '/endpoint stop chat-llm',
          done: () => typed('stop chat-llm'),
        },
        { label: 'Act as ben and approve', as: 'U0BEN', done: () => answered('stop chat-llm', 'U0BEN') },
        { label: 'Act as eva and approve', as: 'U0EVA', done: () => answered('stop chat-llm', 'U0EVA') },
      ],
      done: () => !runs('chat-llm'),
    },
    {
      title: 'Run an endpoint only during office hours',
      text: 'As ana, send it and press Save schedule. Then press Fast. When the clock pauses at the warning, resume it.',
      acts: [
        { label: 'Act as ana', as: 'U0ANA' },
        {
          label: 'Type /endpoint schedule code-llm',
          line: '/endpoint schedule code-llm up weekdays 09:00-20:00 Europe/Madrid',
          done: () => answered('schedule', 'U0ANA'),
        },
        { label: 'Press Fast', control: 'Fast' },
      ],
      done: () => typed('schedule') && !runs('code-llm'),
      over: rest,
    },
    {
      title: 'Stop what nobody uses',
      text: 'Send it and press Turn on idle stop. End its traffic, then press Fast. At the warning, resume the clock.',
      acts: [
        {
          label: 'Type /endpoint idle embeddings',
          line: '/endpoint idle embeddings after 60m',
          done: () => answered('idle', 'U0ANA'),
        },
        { label: 'End its traffic', control: 'embeddings' },
        { label: 'Press Fast', control: 'Fast' },
      ],
      done: () => typed('idle') && !runs('embeddings'),
      over: rest,
    },
    {
      title: 'Kill the worker in the middle of a start',
      text: 'Send it, and kill the worker before the endpoint is up. A red bar says it’s gone; a new worker continues.',
      acts: [
        {
          label: 'Type /endpoint start rerank',
          line: '/endpoint start rerank',
          done: () => typed('start rerank'),
        },
        { label: 'Kill the worker', control: 'Kill the worker', done: () => outages.count() > killsBefore },
      ],
      done: () => outages.count() > killsBefore && !outages.gone() && statusOf('rerank') === 'RUNNING',
    },
  ]
  return { steps, again }
}
