import type { Inverse, Undoing } from '../../core/commands/define.ts'
import type { WriteLine } from '../../core/commands/fields.ts'
import { type IdleRule, isRule } from '../../core/model/records.ts'
import type { OneOff, WeeklyRule } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import { inLine, spanText } from '../../core/time/format.ts'
import { windowText } from '../../core/time/weekly-window.ts'

/** The line that makes this rule again for the person who writes it; null for the team's, or a start without an end. */
export function lineLaying(rule: WeeklyRule | OneOff, write: WriteLine): string | null {
  const { endpoint } = rule
  if (endpoint === null) return null
  if (rule.kind === 'once') {
    if (rule.want === 'down') return write('stop', { endpoint, at: inLine(rule.at) })
    return rule.until === undefined ? null : write('start', { endpoint, until: inLine(rule.until) })
  }
  const { direction, window, zone, autoscaled } = rule
  return write('schedule', { endpoint, direction, window: windowText(window), zone, autoscaled: yesIf(autoscaled) })
}

/** The line that makes this idle rule again, perhaps in another mode. */
export function lineWatching(rule: IdleRule, write: WriteLine, mode = rule.mode): string {
  const { endpoint, after, warn, autoscaled } = rule
  if (mode === 'off') return write('idle', { endpoint, mode })
  const tries = mode === 'try' && { mode }
  const lengths = { after: spanText(after), warn: spanText(warn) }
  return write('idle', { endpoint, ...tries, ...lengths, autoscaled: yesIf(autoscaled) })
}

/** The line that removes the one rule that a request made. */
export function takeRuleAway({
  request: { change, replaced = [], endpoint },
  write,
}: Pick<Undoing, 'request' | 'write'>): Inverse {
  const made = change?.put?.find(isRule)
  if (made === undefined || endpoint === undefined) return { why: say('rule.notRemembered') }
  if (replaced.some((one) => 'id' in one && one.id === made.id)) return { why: say('rule.takenOver') }
  return { line: write('unschedule', { endpoint: endpoint.id, rule: made.id }) }
}

function yesIf(is: boolean | undefined): 'yes' | undefined {
  return is === true ? 'yes' : undefined
}
