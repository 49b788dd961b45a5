import type { Endpoint } from '../domain/endpoint.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import type { Rulebook } from '../domain/rulebook.ts'
import { writeWord } from '../operations/words.ts'
import { bygone } from './bygone.ts'
import type { House } from './ports.ts'
import { readEndpoint } from './read.ts'

/** Says once of each endpoint with rules that the platform has no more that its rules rest. */
export async function tellOfGone(
  house: House,
  { own }: Rulebook,
  listed: readonly Endpoint[],
  pursuits: ReadonlyMap<string, Pursuit>,
): Promise<void> {
  const there = new Set(listed.map(({ id }) => id))
  for (const [id, rules] of own) {
    const key = goneKey(id)
    // Should it go again some day, it is said again.
    if (there.has(id) && pursuits.has(key)) await house.store.notePursuits(new Map([[key, null]]))
    // A hold ends by itself.
    if (there.has(id) || pursuits.has(key) || rules.weekly.length + rules.once.length === 0) continue
    // A list may leave something out.
    const read = await readEndpoint(house, id)
    if (read.kind !== 'gone') continue
    const note: Pursuit = { occurrence: key, state: 'left', attempts: 0, at: house.clock.now() }
    await house.store.notePursuits(new Map([[key, note]]))
    const { name } = (await bygone(house, id)) ?? { name: id }
    void house.announce(`The platform has no ${name} any more: its rules rest. “${read.says}”`, [
      { label: `Take the rules of ${name} away`, line: `unschedule ${writeWord(id)}` },
    ])
  }
}

/** What is noted of an endpoint with rules that the platform has no more. */
export function goneKey(id: string): string {
  return `gone ${id}`
}
