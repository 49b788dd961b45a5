import type { Endpoint } from '../domain/endpoint.ts'
import type { Seen } from '../domain/progress.ts'

/** The part of a read that is kept with a request. `at` in ms. */
export function seenIn(endpoint: Endpoint, at: number): Seen {
  const running = endpoint.replicasByState?.['RUNNING']
  return {
    at,
    active: endpoint.active,
    ...(endpoint.status !== undefined && { status: endpoint.status }),
    ...(endpoint.replicas !== undefined && { replicas: endpoint.replicas }),
    ...(running !== undefined && { running }),
    ...(endpoint.updatedAt !== undefined && { updatedAt: endpoint.updatedAt }),
  }
}

/** "It is active (DEPLOYING, 1 of 3 replicas running)." The last thing that was seen, and nothing more. */
export function lastSeen(seen: Seen | undefined): string {
  if (seen === undefined || seen.active === null) return 'Its state could not be read.'
  if (!seen.active) return 'It is stopped.'
  const replicas =
    seen.running !== undefined && seen.replicas !== undefined
      ? `${seen.running} of ${seen.replicas} replicas running`
      : undefined
  const more = [seen.status, replicas].filter((part) => part !== undefined).join(', ')
  return more === '' ? 'It is active.' : `It is active (${more}).`
}
