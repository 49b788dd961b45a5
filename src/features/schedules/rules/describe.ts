import { type Rule, type Rules, ruleName, weeklyText } from '../../../core/model/rules.ts'
import { type SentenceValue, say, type Words } from '../../../core/model/words.ts'
import { type DecidedSpan, type Decider, desired } from './desired-state.ts'

/** Changes of the decider without a change of what is wanted: more than rules ever make in a row. */
const most = 20

/** The next change of what is wanted after `now`, at an instant (ms); null if none is known. */
export function nextChange(
  rules: Rules,
  now: number,
): (Pick<DecidedSpan, 'want' | 'by'> & { readonly at: number }) | null {
  const { want, until } = desired(rules, now)
  let at = until
  for (let looks = 0; at !== null && looks < most; looks += 1) {
    const next = desired(rules, at)
    if (next.want !== want) return { at, want: next.want, by: next.by }
    at = next.until
  }
  return null
}

/**
 * "On until tomorrow at 20:00 (schedule: up daily 09:00-20:00 UTC), then off.", as a sentence about the endpoint where
 * its `name` is given; empty without a decision now or later. `listed`: its rules stand beside it.
 */
export function decidedText(
  rules: Rules,
  now: number,
  {
    active = null,
    name,
    listed,
  }: { readonly active?: boolean | null; readonly name?: string; readonly listed?: true } = {},
): Words {
  const { want, by, until } = desired(rules, now)
  const next = nextChange(rules, now)
  if (by === 'nothing' && next === null) return ''
  // The end of a hold is shown even if nothing changes then.
  const to = next?.at ?? (typeof by !== 'string' && by.kind === 'hold' ? until : null)
  const isAlready = active !== null && next?.want === (active ? 'up' : 'down')
  const isOtherwise = (want === 'down' && active === true) || (want === 'up' && active === false)
  return say(name === undefined ? 'decided.here' : 'decided.of', {
    name: name ?? '',
    state: want === 'hands off' ? 'left' : isOtherwise ? `${want}Soon` : want,
    end: to === null ? 'open' : 'set',
    until: { at: to ?? now },
    next:
      next === null || (want === 'hands off' && isAlready) ? 'none' : next.want === 'hands off' ? 'left' : next.want,
    ...because(listed && typeof by !== 'string' ? 'nothing' : by),
  })
}

/** What decides, and what stands in the sentence about it. */
function because(by: Decider): { readonly by: string; readonly rule: string; readonly skips: SentenceValue } {
  const none = { rule: '', skips: '' }
  if (typeof by === 'string') return { ...none, by }
  if (by.kind === 'weekly') return { ...none, by: 'weekly', rule: weeklyText(by) }
  if (by.kind === 'once') return { ...none, by: 'once' }
  if (by.skips !== undefined) return { ...none, by: 'skip', skips: { at: by.skips } }
  return { ...none, by: by.by === 'console' ? 'console' : 'hold' }
}

/** "up weekdays 09:00-20:00 Asia/Seoul", "stop once today at 19:00". */
export function textOf(rule: Rule): Words {
  if (rule.kind !== 'hold') return ruleName(rule)
  const until = { at: rule.until }
  if (rule.skips !== undefined) return say('rule.skip', { at: { at: rule.skips }, until })
  return say(rule.by === 'console' ? 'rule.changedElsewhere' : 'rule.paused', { until })
}
