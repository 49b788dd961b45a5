import type { Control } from '../slack/options.ts'
import type { MovableClock } from './time.ts'

const spans = [
  { label: '+10 min', minutes: 10 },
  { label: '+1 h', minutes: 60 },
  { label: '+12 h', minutes: 720 },
] as const
const week = 7 * 24 * 60

/** Returns the buttons beside the clock, and those offered while it waits. */
export function passingControls(time: MovableClock): readonly Control[] {
  const why = () => time.waiting()?.why
  return [
    ...spans.map(({ label, minutes }) => ({ group: 'Time', label, run: () => time.pass(minutes) })),
    {
      group: 'Time',
      label: 'Fast',
      isOn: time.moving,
      run: () => {
        if (!time.moving()) return weekPasses(time)
        time.halt()
        return undefined
      },
    },
    {
      group: 'Time',
      label: 'Resume the clock',
      offered: why,
      by: () => time.waiting()?.goesOnAfter,
      run: () => done(time.goOn),
    },
    { group: 'Time', label: 'Stop the clock', offered: why, run: () => done(time.halt) },
  ]
}

/** Returns why the clock stopped; undefined if a person stopped it. */
async function weekPasses(time: MovableClock): Promise<string | undefined> {
  const end = time.clock.now() + week * 60_000
  return (await time.pass(week)) ?? (time.clock.now() >= end ? 'A week has passed.' : undefined)
}

function done(deed: () => void): undefined {
  deed()
  return undefined
}
