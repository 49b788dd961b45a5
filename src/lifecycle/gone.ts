import type { Endpoint } from '../domain/endpoint.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import type { Rulebook } from '../domain/rulebook.ts'
import { writeWord } from '../operations/words.ts'
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
  for (const id of own.keys()) {
    const key = `gone ${id}`
    // Should it go again some day, it is said again.
    if (there.has(id) && pursuits.has(key)) await house.store.notePursuits(new Map([[key, null]]))
    if (there.has(id) || pursuits.has(key)) continue
    // A list may leave something out.
    const read = await readEndpoint(house, id)
    if (read.kind !== 'gone') continue
    const note: Pursuit = { occurrence: key, state: 'left', attempts: 0, at: house.clock.now() }
    await house.store.notePursuits(new Map([[key, note]]))
    void house.announce(`The platform has no endpoint ${id} any more: its rules rest. ${read.says}`, [
      { label: 'Take its rules away', line: `unschedule ${writeWord(id)}` },
    ])
  }
}
