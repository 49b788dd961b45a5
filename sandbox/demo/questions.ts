import { elementsOf } from '../slack/elements.ts'
import type { Message } from '../slack/message.ts'
import type { SlackSandbox } from '../slack/start.ts'
import type { MovableClock } from './time.ts'

/** What waits for somebody's answer at Slack, and has time wait, too. */
export interface Questions {
  /** The earliest instant after `now` that a question names; infinity where none does. ms since 1970. */
  readonly next: (now: number) => number
  /** Time sets out; where it goes `far`, what has been asked before and nobody has let it pass yet holds it first. */
  readonly setOut: (far: boolean) => void
}

type Time = Pick<MovableClock, 'clock' | 'wait' | 'waiting' | 'goOn'>

/** How long whoever does nothing is given to read a question and to begin to answer it, s; each but the first on the way. */
const toRead = 20

/**
 * Time waits at each question once: at the first on its way until it is answered or somebody lets time go on. Where
 * something is told that can be pressed it waits for a moment, too.
 */
export function questionsAt(slack: SlackSandbox, time: Time): Questions {
  /** With the instants they name, ms. */
  const open = new Map<string, { readonly message: Message; readonly names: readonly number[] }>()
  /** Those that time has waited for, and those for which it waits now. */
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
  /** Buttons below what is over or only told ask nothing: a question says until when it is one. */
  function isAsked(message: Message): boolean {
    return open.get(keyOf(message))?.names.some((at) => at > time.clock.now()) === true
  }
  function changed(message: Message): void {
    if (note(message) || !holding.delete(keyOf(message))) return
    if (holding.size > 0) return
    // What was answered before time has gone anywhere was not met on the way.
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

/** They are written in whole seconds, and what is due within one is due at its end. */
function instantsIn({ blocks }: Message): readonly number[] {
  const written = JSON.stringify(blocks).matchAll(/<!date\^(\d+)|"timestamp":(\d+)/g)
  return [...written].map(([, marked, plain]) => (Number(marked ?? plain) + 1) * 1_000)
}
