import type { Received } from '../lifecycle/ports.ts'

/** What a door's script says, as the lifecycle names it. */
export function receivedOf(answer: unknown): Received {
  if (!Array.isArray(answer)) return { kind: 'perhaps' }
  const [kind, more] = answer as [string, number]
  if (kind === 'stored' || kind === 'known') return { kind, workers: more === 1 }
  if (kind === 'refused') return { kind, why: more === 1 ? 'person' : 'project' }
  return { kind: kind === 'gone' ? 'gone' : 'nothing' }
}

/**
 * Tells a write that cannot have been stored from one whose reply was merely lost. Redis' own refusals and a
 * connection that was not there before anything was sent are certain; a time-out or a cut is not.
 */
export async function received(write: Promise<unknown>): Promise<unknown> {
  try {
    return await write
  } catch (error) {
    if (!(error instanceof Error)) return null
    const refused =
      error.name === 'ReplyError' || /^(OOM|READONLY|LOADING|NOAUTH|MISCONF|WRONGTYPE)/.test(error.message)
    const unsent = /Stream isn't writeable|ECONNREFUSED|ENOTFOUND/.test(error.message)
    return refused || unsent ? ['nothing', 0] : null
  }
}
