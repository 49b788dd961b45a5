import type { Actor } from '../domain/actor.ts'
import { instant } from '../domain/instant.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import { holdKey, type Records } from '../domain/records.ts'
import type { Hold } from '../domain/rules.ts'
import type { Offer } from '../domain/shown.ts'
import { lastOn } from './last-on.ts'
import type { House } from './ports.ts'

/** What was told is tried for so long; if it stands nowhere by then, there is nothing to take back. ms. */
const patience = 5 * 60_000

/** Tells people of a hold that nobody here has asked for, and keeps where that stands: they may answer while it lasts. */
export async function tellOfHold(house: House, hold: Hold, says: string, offers: readonly Offer[]): Promise<void> {
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
