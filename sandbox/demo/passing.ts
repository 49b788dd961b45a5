import type { Control } from '../slack/options.ts'
import type { MovableClock } from './time.ts'

const spans = [
  { label: '+10 min', minutes: 10 },
  { label: '+1 h', minutes: 60 },
  { label: '+12 h', minutes: 720 },
] as const

/** The buttons beside the clock, and those that are offered while it waits. */
export function passingControls(time: MovableClock): readonly Control[] {
  const why = () => time.waiting()?.why
  return [
    ...spans.map(({ label, minutes }) => ({ group: 'Time', label, run: () => time.pass(minutes) })),
    {
      group: 'Time',
      label: 'Fast',
      isOn: time.moving,
      run: () => {
        if (!time.moving()) return time.pass(Number.POSITIVE_INFINITY)
        time.halt()
        return undefined
      },
    },
    {
      group: 'Time',
      label: 'Go on',
      offered: why,
      by: () => time.waiting()?.goesOnAfter,
      run: () => done(time.goOn),
    },
    { group: 'Time', label: 'Stay', offered: why, run: () => done(time.halt) },
  ]
}

function done(deed: () => void): undefined {
  deed()
  return undefined
}
