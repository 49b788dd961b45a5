import { elementsOf } from '../slack/elements.ts'
import type { Message } from '../slack/message.ts'
import type { SlackSandbox } from '../slack/start.ts'
import type { MovableClock } from './time.ts'

/** The questions in Slack that wait for an answer, and hold the clock until then. */
export interface Questions {
  /** Returns the earliest instant after `now` that a question names, ms since 1970; Infinity if there is none. */
  readonly next: (now: number) => number
  /** Called when the clock begins to move. If it goes `far`, open questions that nobody has let pass hold it first. */
  readonly setOut: (far: boolean) => void
}

type Time = Pick<MovableClock, 'clock' | 'wait' | 'waiting' | 'goOn'>

/** Seconds that people get to read a question and begin to answer it. The first question on the way has no limit. */
const toRead = 20

/**
 * Holds the clock at each question once. The first on its way holds it until a person answers or resumes the clock.
 * Later questions, and new messages with buttons, hold it for a moment.
 */
export function questionsAt(slack: SlackSandbox, time: Time): Questions {
  /** Open messages, with the instants they name, ms. */
  const open = new Map<string, { readonly message: Message; readonly names: readonly number[] }>()
  /** Questions that have held the clock, and those that hold it now. */
  const passed = new Set<string>()
  const holding = new Set<string>()
  let isFirst = true
  let onTheWay = false

  function placeOf({ channel }: Message): string {
    const { name, kind } = slack.channel(channel).channel
    return kind === 'im' ? 'a direct message' : `#${name}`
  }
  function hold(message: Message): void {
    const key = keyOf(message)
    holding.add(key)
    const wait = time.wait(
      `The clock is paused for your answer in ${placeOf(message)}. You can also resume it.`,
      isFirst ? undefined : toRead,
    )
    if (time.waiting() !== undefined) isFirst = false
    void wait.then((waited) => {
      holding.delete(key)
      if (waited) passed.add(key)
    })
  }
  function note(message: Message): boolean {
    const isOpen = !message.deleted && elementsOf(message.blocks).length > 0
    if (isOpen) open.set(keyOf(message), { message, names: instantsIn(message) })
    else open.delete(keyOf(message))
    return isOpen
  }
  /** Whether a message with buttons is a question: only questions name the time at which they expire. */
  function isAsked(message: Message): boolean {
    return open.get(keyOf(message))?.names.some((at) => at > time.clock.now()) === true
  }
  function changed(message: Message): void {
    if (note(message) || !holding.delete(keyOf(message))) return
    if (holding.size > 0) return
    // A question that was answered before the clock moved doesn't count as the first on the way.
    isFirst ||= !onTheWay
    time.goOn()
  }

  slack.on('message', (message) => {
    if (!note(message)) return
    onTheWay = true
    if (isAsked(message)) hold(message)
    else void time.wait(`The clock is paused: something new in ${placeOf(message)}.`, toRead)
  })
  slack.on('update', changed)
  slack.on('delete', changed)
  return {
    next: (now) => Math.min(...[...open.values()].flatMap(({ names }) => names).filter((at) => at > now)),
    setOut(far) {
      isFirst = true
      onTheWay = false
      if (!far) return
      for (const [key, { message }] of open) if (!passed.has(key) && isAsked(message)) hold(message)
    },
  }
}

function keyOf({ channel, ts }: Message): string {
  return `${channel} ${ts}`
}

/** Returns the instants in a message, ms. They are in whole seconds, so each counts as the end of its second. */
function instantsIn({ blocks }: Message): readonly number[] {
  const written = JSON.stringify(blocks).matchAll(/<!date\^(\d+)|"timestamp":(\d+)/g)
  return [...written].map(([, marked, plain]) => (Number(marked ?? plain) + 1) * 1_000)
}
