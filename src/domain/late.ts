import { lasting } from './duration.ts'

const minuteMs = 60_000

/**
 * Whether a start that was missed is still worth it: half an hour or a quarter of its time remains. `nominal` is when
 * it was due, `until` when the endpoint is no longer wanted up (null: no end known); all in ms.
 */
export function isWorthStarting(nominal: number, until: number | null, now: number): boolean {
  if (until === null) return true
  const left = until - now
  return left > 0 && (left >= 30 * minuteMs || left >= (until - nominal) / 4)
}

/** Whether a stop comes so late after its nominal instant (ms) that people must be told before, and that it was missed. */
export function isLateStop(nominal: number, now: number): boolean {
  return now - nominal > 15 * minuteMs
}

/** The reason of something that is so late (ms), said once however often it is put off: "It is 41 min late." */
export function withLateness(why: string, late: number): string {
  const before = why.replace(/ ?It is [\dhdmins ]+ late\.$/, '')
  return [before, `It is ${lasting(late)} late.`].filter((part) => part !== '').join(' ')
}
