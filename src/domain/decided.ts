import { type Decider, desired, type Segment } from './desired.ts'
import { lasting } from './duration.ts'
import { instant } from './instant.ts'
import { type Rules, weeklyText } from './rules.ts'

/** When an endpoint is next wanted otherwise than now, and how. `at` in ms. */
export interface NextChange {
  readonly at: number
  readonly want: Segment['want']
}

/** More changes of who decides, each wanting the same, than rules come to. */
const most = 20

/** The next change of what is wanted after `now` (ms); null when there is none, as far as is known. */
export function nextChange(rules: Rules, now: number): NextChange | null {
  const { want, until } = desired(rules, now)
  let at = until
  for (let looks = 0; at !== null && looks < most; looks += 1) {
    const next = desired(rules, at)
    if (next.want !== want) return { at, want: next.want }
    at = next.until
  }
  return null
}

/** A stop that was announced and can still be skipped. `at` in ms since 1970. */
export interface Announced {
  readonly at: number
  readonly by: 'schedule' | 'idle'
}

/**
 * "stops in 53 min (schedule)": the next automatic start or stop of an endpoint in this state (null: unknown). Empty
 * where nothing is due. `now` in ms.
 */
export function nextStepText(
  active: boolean | null,
  rules: Rules | undefined,
  announced: Announced | null,
  now: number,
): string {
  if (announced !== null && active !== false) return stepText('stops', announced.at - now, announced.by)
  if (rules === undefined) return ''
  const { want } = desired(rules, now)
  if (active === true && want === 'down') return 'stops soon (schedule)'
  if (active === false && want === 'up') return 'starts soon (schedule)'
  const next = nextChange(rules, now)
  if (next === null) return ''
  if (next.want === 'down' && active !== false) return stepText('stops', next.at - now, 'schedule')
  if (next.want === 'up' && active !== true) return stepText('starts', next.at - now, 'schedule')
  return ''
}

/** "stops in 53 min (schedule)"; `ms` until then. */
export function stepText(verb: string, ms: number, by: Announced['by']): string {
  return `${verb} ${ms <= 0 ? 'now' : `in ${lasting(ms)}`} (${by === 'idle' ? 'idle' : 'schedule'})`
}

/**
 * "Up until tomorrow at 20:00, by: up weekdays 09:00-20:00 Asia/Seoul. Then down." Empty where nothing is laid down and
 * nothing is to come; "Should be down until …" of an endpoint that still runs. `now` in ms.
 */
export function decidedText(rules: Rules, now: number, active: boolean | null = null): string {
  const { want, by, until } = desired(rules, now)
  const next = nextChange(rules, now)
  if (by === 'nothing' && next === null) return ''
  // A hold ends even where nothing else wants anything then.
  const to = next?.at ?? (typeof by !== 'string' && by.kind === 'hold' ? until : null)
  const end = to === null ? '' : ` until ${instant(to)}`
  const after = next === null ? '' : ` Then ${wantText(next.want)}.`
  const isOtherwise = (want === 'down' && active === true) || (want === 'up' && active === false)
  const text = isOtherwise ? `should be ${want}` : wantText(want)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}${because(by)}.${after}`
}

/** "left as it is", in the middle of a sentence. */
function wantText(want: Segment['want']): string {
  return want === 'hands off' ? 'left as it is' : want
}

function because(by: Decider): string {
  if (by === 'nothing') return ''
  if (by === 'freeze') return ', since automation is frozen'
  if (by === 'protected') return ', since it is protected'
  if (by.kind === 'weekly') return `, by: ${weeklyText(by)}`
  if (by.kind === 'once') return ', as it was asked for once'
  if (by.skips !== undefined) return `, since the stop ${instant(by.skips)} is skipped`
  return by.by === 'console' ? ', since somebody has changed it elsewhere' : ', since somebody keeps it so'
}
