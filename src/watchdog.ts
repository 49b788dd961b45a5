import type { House } from './lifecycle/ports.ts'
import type { Ticks } from './queue/ticks.ts'
import type { Round } from './rounds.ts'
import { patience, type Ticked } from './store/ticked.ts'

/**
 * What sees outside the queue that the rules are looked through: when nobody has done so for three minutes they are
 * looked through here, and people are told once; and a chain of ticks that has broken is begun anew.
 */
export function watchdogs(
  house: Pick<House, 'announce' | 'clock' | 'log' | 'project'>,
  ticked: Ticked,
  ticks: Pick<Ticks, 'mend'>,
  look: () => Promise<unknown>,
): readonly Round[] {
  const begun = house.clock.monotonic()
  async function bark(): Promise<void> {
    // Right after a start nobody may have had the time.
    if (house.clock.monotonic() - begun < patience || (await ticked.ago()) !== null) return
    house.log.warn({ project: house.project }, 'the rules have not been looked through for three minutes')
    if (await ticked.mayTell())
      void house.announce(
        'The rules have not been looked through for three minutes, so starts and stops may come late. I look at them myself now; /endpoint doctor says what is wrong.',
      )
    await look()
  }
  return [
    { run: bark, every: 60_000, trouble: 'nobody could see whether the rules are looked through' },
    { run: () => ticks.mend(), every: 180_000, trouble: 'the chain of ticks could not be looked at' },
  ]
}
