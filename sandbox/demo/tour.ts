import type { PlatformSandbox } from '../platform/types.ts'
import { textAt } from '../slack/json.ts'
import type { TourStep } from '../slack/options.ts'
import type { SlackSandbox } from '../slack/start.ts'

interface Stage {
  readonly platform: PlatformSandbox
  /** Set once it runs: the steps are handed to it when it starts. */
  readonly slack: () => SlackSandbox | undefined
  /** How often the worker was killed. */
  readonly kills: () => number
  /** Time flies no further: the next step has to be read. */
  readonly rest: () => void
}

/** Six steps through the product. Each is over when what it leads to has happened, however somebody got there. */
export function tourThrough({ platform, slack, kills, rest }: Stage): readonly TourStep[] {
  const statusOf = (name: string) => platform.endpoints().find((one) => one.name === name)?.status
  const runs = (name: string) => platform.endpoints().some((one) => one.name === name && one.active)
  const typed = (word: string) =>
    (slack()?.link.sent ?? []).some(
      ({ type, payload }) => type === 'slash_commands' && textAt(payload, 'text')?.startsWith(word) === true,
    )
  return [
    {
      title: 'See what is running',
      text: 'Every command starts with /endpoint. Press Enter to send it; only you see the answer.',
      acts: [{ label: 'Type /endpoint list', line: '/endpoint list' }],
      done: () => typed('list'),
    },
    {
      title: 'Stop an endpoint',
      text: 'Send the line. rerank is running, so Lamplighter asks first: press Stop rerank below the question.',
      acts: [{ label: 'Type /endpoint stop rerank', line: '/endpoint stop rerank' }],
      done: () => !runs('rerank'),
    },
    {
      title: 'Get an approval from somebody else',
      text: 'chat-llm is protected: two approvers have to agree. Ask as ana. Then, as ben and as eva, open the reply under the request and press Approve.',
      acts: [
        { label: 'Type /endpoint stop chat-llm', line: '/endpoint stop chat-llm' },
        { label: 'Act as ben', as: 'U0BEN' },
        { label: 'Act as eva', as: 'U0EVA' },
      ],
      done: () => !runs('chat-llm'),
    },
    {
      title: 'Run an endpoint in office hours only',
      text: 'As ana, send the schedule and save it. Then let time pass. It waits at the warning before the stop: press Go on.',
      acts: [
        { label: 'Act as ana', as: 'U0ANA' },
        {
          label: 'Type the schedule',
          line: '/endpoint schedule code-llm up weekdays 09:00-20:00 Europe/Madrid',
        },
        { label: 'Let time pass', control: 'Fast' },
      ],
      done: () => typed('schedule') && !runs('code-llm'),
      over: rest,
    },
    {
      title: 'Stop what nobody uses',
      text: 'Turn the idle stop on, end the traffic, and let time pass. The warning shows the evidence.',
      acts: [
        { label: 'Type /endpoint idle embeddings after 60m', line: '/endpoint idle embeddings after 60m' },
        { label: 'End its traffic', control: 'embeddings' },
        { label: 'Let time pass', control: 'Fast' },
      ],
      done: () => typed('idle') && !runs('embeddings'),
      over: rest,
    },
    {
      title: 'Kill the worker in the middle of a start',
      text: 'Start rerank, then kill the worker before it is up. A new worker finishes the start, and the message says how it ended.',
      acts: [
        { label: 'Type /endpoint start rerank', line: '/endpoint start rerank' },
        { label: 'Kill the worker', control: 'Kill the worker' },
      ],
      done: () => kills() > 0 && statusOf('rerank') === 'RUNNING',
    },
  ]
}
