import { elementsOf } from '../slack/elements.ts'
import type { Message } from '../slack/message.ts'
import type { SlackSandbox } from '../slack/start.ts'
import type { MovableClock } from './time.ts'

/** What waits for somebody's answer at Slack, and has time wait, too. */
export interface Questions {
  /** When something was last asked, ms since 1970; 0 before. */
  readonly askedAt: () => number
  /** The earliest instant after `now` that a question names; infinity where none does. ms since 1970. */
  readonly next: (now: number) => number
  /** Time sets out; where it goes `far`, what has been asked before and nobody has let it pass yet holds it first. */
  readonly setOut: (far: boolean) => void
}

type Time = Pick<MovableClock, 'clock' | 'wait' | 'waiting' | 'goOn'>

/** How long whoever does nothing is given to read a question and to begin to answer it, s: each but the first of a way. */
const toRead = 6

/** Time waits at each question once: at the first on its way until it is answered or somebody lets time go on. */
export function questionsAt(slack: SlackSandbox, time: Time): Questions {
  /** With the instants they name, ms. */
  const open = new Map<string, { readonly message: Message; readonly names: readonly number[] }>()
  /** Those that time has waited for, and those for which it waits now. */
  const passed = new Set<string>()
  const holding = new Set<string>()
  let isFirst = true
  let onTheWay = false
  let askedAt = 0

  function hold(message: Message): void {
    const key = keyOf(message)
    if (time.waiting() === undefined) holding.clear()
    holding.add(key)
    const { name, kind } = slack.channel(message.channel).channel
    const where = kind === 'im' ? 'a direct message' : `#${name}`
    const wait = time.wait(`Time waits: there is a question in ${where}.`, isFirst ? undefined : toRead)
    if (time.waiting() !== undefined) isFirst = false
    void wait.then((waited) => waited && passed.add(key))
  }
  function note(message: Message): boolean {
    const isOpen = !message.deleted && elementsOf(message.blocks).length > 0
    if (isOpen) open.set(keyOf(message), { message, names: instantsIn(message) })
    else open.delete(keyOf(message))
    return isOpen
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
    askedAt = time.clock.now()
    onTheWay = true
    hold(message)
  })
  slack.on('update', changed)
  slack.on('delete', changed)
  return {
    askedAt: () => askedAt,
    next: (now) => Math.min(...[...open.values()].flatMap(({ names }) => names).filter((at) => at > now)),
    setOut(far) {
      isFirst = true
      onTheWay = false
      if (!far) return
      const now = time.clock.now()
      // Buttons below what is over ask nothing: a question says until when it is one.
      for (const [key, { message, names }] of open) if (!passed.has(key) && names.some((at) => at > now)) hold(message)
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
