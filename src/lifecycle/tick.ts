import type { Endpoint } from '../domain/endpoint.ts'
import { type Pursuit, pursue } from '../domain/pursuit.ts'
import { lockdownIn } from '../domain/records.ts'
import { rulebookOf } from '../domain/rulebook.ts'
import type { Rules } from '../domain/rules.ts'
import { tellOfGone } from './gone.ts'
import { absentOwners } from './owners.ts'
import type { House } from './ports.ts'
import { act, type Looked } from './pursuing.ts'

/** Longer than a look takes even over ten thousand endpoints. ms. */
const turnLife = 60_000

/**
 * Looks all rules through: what should be up or down now, and what differs. Any number of processes may call it at any
 * time, late, or twice: one at a time has the turn, and what is handed in has an id made of what it is. Done each
 * minute, and whenever a rule has changed. False: they were not looked through; somebody else is at it, or the platform
 * does not answer.
 */
export async function tick(house: House): Promise<boolean> {
  const now = house.clock.now()
  const [records, policy] = [await house.store.records(), house.policy()]
  const ruled = policy.automation.team.length > 0 || rulebookOf(records, policy, now).own.size > 0
  if (!ruled || lockdownIn(records) !== null) return true
  const giveBack = await house.store.takeTurn('rules', turnLife)
  if (giveBack === null) return false
  try {
    const listed = await house.platform.list()
    if (listed.kind !== 'answered') {
      house.log.warn({ project: house.project, why: listed.says }, 'the rules could not be looked through')
      return false
    }
    await house.store.rememberNames(listed.answer, now)
    const pursuits = await house.store.pursuits()
    const gone = await absentOwners(house, records, pursuits)
    const book = rulebookOf(records, policy, now, ({ owner }) => gone.has(owner.user))
    for (const endpoint of listed.answer) {
      const one = look(endpoint, book.of(endpoint), now, policy.automation.notice, pursuits.get(endpoint.id))
      if (one !== null) await act(house, one)
    }
    await tellOfGone(house, book, listed.answer, pursuits)
  } finally {
    await giveBack()
  }
  return true
}

/** Null where there is nothing to do: most endpoints, most of the time. */
function look(
  endpoint: Endpoint,
  rules: Rules,
  now: number,
  notice: number,
  pursuit: Pursuit | undefined,
): Looked | null {
  const { active, autoscaled } = endpoint
  if (rules.weekly.length + rules.once.length + rules.holds.length === 0 && pursuit === undefined) return null
  // What the platform scales by itself is left to it, unless a rule says otherwise.
  const meant = autoscaled === true ? { ...rules, weekly: rules.weekly.filter((rule) => rule.autoscaled) } : rules
  // A state nobody knows is nothing to act on.
  if (active === null) return null
  const { occurrence, what } = pursue(endpoint.id, meant, active, now, notice, pursuit)
  const asked = pursuit?.state === 'asked' || pursuit?.state === 'waits'
  if (what.kind === 'nothing' && !asked) return null
  return { endpoint, rules: meant, occurrence, what, pursuit, now }
}
