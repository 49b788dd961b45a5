import { writeWord } from '../../core/commands/tokens.ts'
import type { Actor } from '../../core/model/actor.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { terms } from '../../core/model/limits.ts'
import { isSkipped } from '../../core/model/past.ts'
import { holdKey, type Pursuit, type Records } from '../../core/model/records.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import type { Hold, Rules } from '../../core/model/rules.ts'
import type { House } from '../../core/ports/services.ts'
import { readEndpoint } from '../../core/requests/read-endpoint.ts'
import { instant, lasting } from '../../core/time/format.ts'
import { absolute } from '../../core/time/parse-when.ts'
import { lastOn } from '../history/query.ts'
import { morningAfter } from '../savings/cost.ts'
import { idOf, zoneOf } from './hand-in.ts'
import { attemptsOf, type Found, note, ruleText } from './look.ts'
import { desired } from './rules/desired-state.ts'
import type { Pursue } from './rules/reconcile-decision.ts'

/** A start that came too late to be worth it is told, and left. */
export async function missed(house: House, found: Found, what: Pursue & { readonly kind: 'missed' }): Promise<void> {
  const { endpoint, occurrence, now } = found
  await note(house, endpoint, { occurrence, state: 'left', attempts: 0, at: now })
  const late = lasting(now - what.nominal)
  const rest = what.until === null ? '' : ` It would have been up until ${instant(what.until)}.`
  const says = `Missed: ${endpoint.name} was to be started ${instant(what.nominal)}, ${late} ago, and is not started any more.${rest} ${ruleText(what.by)}`
  await house.store.write({}, [{ at: now, what: 'missed', detail: says }])
  void house.announce(says, [{ label: `Start ${endpoint.name}`, line: `start ${writeWord(endpoint.id)}` }])
}

/** Somebody has moved it, here or elsewhere: that is respected until the rules next change their mind, and told once. */
export async function moved(house: House, found: Found, what: Pursue & { readonly kind: 'moved' }): Promise<void> {
  const { endpoint, occurrence, pursuit, now } = found
  if (pursuit === undefined) return
  // In the middle of a restart nobody can say how it stands; and a list may be older than what is to be seen by now.
  if ((await house.store.holderOf(endpoint.id)) !== null) return
  const read = await readEndpoint(house, endpoint.id)
  if (read.kind !== 'read' || read.endpoint.active !== endpoint.active) return
  const last = await house.store.lastDone(endpoint.id)
  const theirs = last !== null && (last.ending?.at ?? 0) > pursuit.at && !isAutomatic(last)
  const by = theirs ? last.actor : ('console' as const)
  // It may be moved so more than once while the rules want the same.
  const id = idOf(house, occurrence, now)
  const hold = { kind: 'hold', id, endpoint: endpoint.id, at: now, until: what.until, by } as const
  const state = endpoint.active === true ? 'up' : 'down'
  const says = `${endpoint.name} is ${state}, though its rules want it ${what.want}: ${theirs ? 'that was asked for here' : 'somebody has changed it at the console or elsewhere'}.`
  const detail = `${says} It is left so until ${instant(what.until)}.`
  await house.store.write({ put: [hold] }, [{ at: now, what: 'moved by hand', detail }])
  await note(house, endpoint, { occurrence, state: 'held', attempts: attemptsOf(found), at: now })
  if (theirs) return
  const morning = morningAfter(now, await zoneOf(house, desired(found.rules, now).by))
  await tellOfHold(house, hold, says, [
    { label: 'Return to schedule', line: `keep ${writeWord(endpoint.id)} off` },
    ...keepingSo(endpoint.id, morning, now, house.policy().bounds.keep),
  ])
}

/**
 * Ends a hold that stands for a change elsewhere, once that is as the rules want it again, whoever has seen to it: they
 * decide from then on, and the next change is told like the first. Null: there is none, or it is as different as it was.
 */
export function endedHold(endpoint: Endpoint, rules: Rules, now: number): Hold | null {
  const hold = rules.holds.find(({ by, at, until }) => by === 'console' && at + terms.lag < now && now < until)
  if (hold === undefined) return null
  const { want } = desired({ ...rules, holds: rules.holds.filter((one) => one !== hold) }, now)
  return want !== 'hands off' && endpoint.active === (want === 'up') ? hold : null
}

/**
 * Lays down what somebody has skipped, so that everybody sees it and anybody can take it back. False where nobody has,
 * or where what was skipped has no end: then it is left so without another word.
 */
export async function skipped(house: House, { endpoint, rules, now }: Found, request: Request): Promise<boolean> {
  const { decision, due = now, id } = request
  if (decision === undefined || !isSkipped(request)) return false
  const { want, until } = desired({ ...rules, holds: [], freeze: null }, Math.max(now, due))
  if (want !== 'down' || until === null) return false
  const hold: Hold = { kind: 'hold', id, endpoint: endpoint.id, at: now, until, by: decision.by, skips: due }
  const detail = `The stop of ${endpoint.name} ${instant(due)} is skipped; it is left as it is until ${instant(until)}.`
  await house.store.write({ put: [hold] }, [{ at: now, what: 'skipped', by: decision.by, detail }])
  return true
}

/** Until the morning of whoever presses, which may be 34 hours away, where no zone is known; nothing the policy refuses. */
function keepingSo(endpoint: string, morning: number | null, now: number, most: number): readonly Offer[] {
  if ((morning ?? now + 34 * 3_600_000) - now > most) return []
  const until = morning === null ? 'tomorrow 09:00' : absolute(morning)
  return [{ label: 'Keep it so until tomorrow', line: `keep ${writeWord(endpoint)} until ${until}` }]
}

/** What was told is tried for so long; if it stands nowhere by then, there is nothing to take back. ms. */
const patience = 5 * 60_000

/** Tells people of a hold that nobody here has asked for, and keeps where that stands: they may answer while it lasts. */
async function tellOfHold(house: House, hold: Hold, says: string, offers: readonly Offer[]): Promise<void> {
  const { id, endpoint, at, until } = hold
  // It waits for an answer, so that looks are taken until there is one.
  const note: Pursuit = { occurrence: endpoint, state: 'waits', attempts: 0, at, told: { says, until } }
  await keep(house, id, note)
  void house
    .announce(`${says} It is left so until ${instant(until)}.`, offers)
    .then((place) => place && keep(house, id, { ...note, told: { says, until, ...place } }))
    .catch((err: unknown) => house.log.warn({ err }, 'where an announcement stands could not be kept'))
}

/** Takes the buttons away of what has been answered or is over, and says what became of it. Can be called at any time. */
export async function closeAnswered(
  house: House,
  { records, pursuits, now }: { records: Records; pursuits: ReadonlyMap<string, Pursuit>; now: number },
): Promise<void> {
  for (const [key, { occurrence: endpoint, told, at }] of pursuits) {
    if (told === undefined) continue
    const hold = records.get(holdKey(endpoint))
    const newer = hold?.kind === 'hold' && key !== openKey(hold.id) ? hold : null
    if (hold?.kind === 'hold' && newer === null && now < told.until) continue
    const { channel, ts, says, until } = told
    const id = key.slice(openKey('').length)
    if (channel === undefined || ts === undefined) {
      if (now - at > patience) await keep(house, id, null)
      continue
    }
    const { became, by } = await answerTo(house, { endpoint, told: at, until }, newer)
    void house
      .announce(`${says} ${became}`, [], by, { channel, ts })
      .then((place) => place && keep(house, id, null))
      .catch((err: unknown) => house.log.warn({ err }, 'an announcement could not be closed'))
  }
}

/** What people have laid down since they were told (ms), and who. */
async function answerTo(
  house: House,
  { endpoint, told, until }: { readonly endpoint: string; readonly told: number; readonly until: number },
  newer: Hold | null,
): Promise<{ readonly became: string; readonly by?: Actor }> {
  if (newer?.by === 'console') return { became: 'It has been changed once more since.' }
  if (newer !== null) return { became: `It is kept so until ${instant(newer.until)} by`, by: newer.by }
  if (house.clock.now() >= until) return { became: `It was left so until ${instant(until)}; its rules decide again.` }
  const last = await lastOn(house, endpoint)
  const isTheirs = (last?.ending?.at ?? 0) > told && last?.change?.drop?.includes(holdKey(endpoint)) === true
  return isTheirs
    ? { became: 'It was returned to its schedule by', by: last.actor }
    : { became: 'By now it is as its rules want it; they decide again.' }
}

function openKey(hold: string): string {
  return `open ${hold}`
}

async function keep(house: House, hold: string, note: Pursuit | null): Promise<void> {
  await house.store.notePursuits(new Map([[openKey(hold), note]]))
}
