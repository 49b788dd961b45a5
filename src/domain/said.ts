import type { Hold, OneOff, Rule, Rules } from './rules.ts'
import type { Spell } from './spell.ts'
import { weeklyAt } from './weekly.ts'

/** What is wanted of an endpoint, and by what. */
export interface Said {
  readonly want: 'up' | 'down' | 'hands off'
  readonly by: Rule | 'protected' | 'freeze' | 'nothing'
}

/** All that has an opinion at an instant, in the order in which they decide. */
export function saidAt(rules: Rules, spells: readonly Spell[], ms: number): readonly Said[] {
  const { freeze, holds } = rules
  const weekly: readonly Said[] = weeklyAt(rules, ms)
  if (freeze === null && holds.length === 0 && spells.length === 0) return weekly
  const frozen: readonly Said[] = isFrozen(rules, ms) ? [{ want: 'hands off', by: 'freeze' }] : []
  const held = holds
    .filter(({ at, until }) => at <= ms && ms < until)
    .sort(newestFirst)
    .map((by): Said => ({ want: by.keeps ?? 'hands off', by }))
  const [spell] = spells.filter(({ rule }) => rule.at <= ms).sort((a, b) => newestFirst(a.rule, b.rule))
  const once: readonly Said[] = spell !== undefined && ms < spell.to ? [{ want: spell.rule.want, by: spell.rule }] : []
  const trail: readonly Said[] =
    spell !== undefined && spell.to <= ms && ms < spell.trail ? [{ want: 'down', by: spell.rule }] : []
  return [...frozen, ...held, ...once, ...weekly, ...trail]
}

/** What is decided among what was said: the first, unless it would stop what is protected. */
export function decided(rules: Rules, [first]: readonly Said[]): Said {
  if (first === undefined) return { want: 'hands off', by: 'nothing' }
  return first.want === 'down' && rules.protected ? { want: 'hands off', by: 'protected' } : first
}

function newestFirst(a: Hold | OneOff, b: Hold | OneOff): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}

/** Whether automation is frozen at an instant (ms). */
export function isFrozen({ freeze }: Rules, ms: number): boolean {
  return freeze !== null && freeze.at <= ms && (freeze.until === null || ms < freeze.until)
}
