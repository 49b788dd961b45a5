import type { Services } from '../core/ports/services.ts'

/** Shares of what Redis may hold: people are told, they are told that it is over, questions are refused. */
const shares = { near: 0.7, over: 0.6, crowded: 0.85 } as const

/** How often every worker looks whether people have to be told, ms. */
export const roomEvery = 15_000

/** Whether people know that Redis is nearly full, as all workers know it. */
export interface Alarm {
  /** True for the one process that is to tell them now; it is asked again unless that `lasts`. */
  raise(): Promise<boolean>
  lasts(): Promise<unknown>
  /** True for the one process that is to tell them that it is over. */
  end(): Promise<boolean>
}

/** Questions are refused. `share`: of what Redis may hold, 0 to 1; null: unknown. */
export function isCrowded(share: number | null): boolean {
  return share !== null && share >= shares.crowded
}

/** People should give Redis more room. */
export function isNearlyFull(share: number): boolean {
  return share >= shares.near
}

/** What to do about it, in sentences. */
export const roomRemedy =
  'Raise maxmemory, and have old entries of the audit moved out (LAMPLIGHTER_AUDIT_DIR). From 85 % on I answer no questions; a full Redis takes no changes either.'

/** Tells people once when Redis is nearly full, and once when it has room again. */
export async function watchRoom(
  { announce, project, log }: Pick<Services, 'announce' | 'project' | 'log'>,
  share: number | null,
  alarm: Alarm,
): Promise<void> {
  if (share === null) return
  const says = `${percent(share)} of its maxmemory is in use.`
  if (isNearlyFull(share)) {
    if (!(await alarm.raise())) return
    log.warn({ project, share }, 'Redis is nearly full')
    await announce(`Redis is nearly full: ${says} ${roomRemedy}`)
    await alarm.lasts()
  } else if (share < shares.over && (await alarm.end())) await announce(`Redis has room again: ${says}`)
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
