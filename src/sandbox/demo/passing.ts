import type { Control } from '../slack/options.ts'
import type { MovableClock } from './time.ts'

const spans = [
  { label: '+10 min', minutes: 10 },
  { label: '+1 h', minutes: 60 },
  { label: '+12 h', minutes: 720 },
] as const

/** How long whoever does nothing is given to read a question and to begin to answer it, s. */
const toRead = 4

/** The buttons beside the clock, and those that are offered while it waits. */
export function passingControls(time: MovableClock): readonly Control[] {
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
    { group: 'Time', label: 'Go on', offered: time.waiting, by: toRead, run: () => done(time.goOn) },
    { group: 'Time', label: 'Stay', offered: time.waiting, run: () => done(time.halt) },
  ]
}

function done(deed: () => void): undefined {
  deed()
  return undefined
}
