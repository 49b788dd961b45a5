import { nextStepText } from '../domain/decided.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Offer } from '../domain/shown.ts'
import type { Context } from './define.ts'
import { writeWord } from './words.ts'

/** The next automatic start or stop, as far as the rules and what was announced tell. */
export function nextOf(
  endpoint: Endpoint,
  { rulesOf, announcedOf, now }: Pick<Context<unknown>, 'rulesOf' | 'announcedOf' | 'now'>,
): string {
  return nextStepText(endpoint.active, rulesOf?.(endpoint), announcedOf?.(endpoint) ?? null, now)
}

/** "active · stops in 53 min (schedule) · RUNNING · 3 replicas": what is next comes before the platform's own words. */
export function stateOf(endpoint: Endpoint, next = ''): string {
  const active = endpoint.active === null ? 'state unknown' : endpoint.active ? 'active' : 'stopped'
  // A stopped endpoint may still carry an old status (the platform's own sample does): it would only mislead.
  const status = endpoint.active === false ? undefined : endpoint.status
  return [active, next, status, replicasOf(endpoint), endpoint.gpu].filter(Boolean).join(' · ')
}

/** "2 of 3 replicas running", "3 replicas", or nothing where the platform says nothing. */
export function replicasOf({ active, replicas, replicasByState, autoscaled }: Endpoint): string | undefined {
  if (replicas === undefined) return undefined
  const running = replicasByState?.['RUNNING']
  const many = `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
  const some = active && running !== undefined && running !== replicas ? `${running} of ${many} running` : many
  return autoscaled ? `${some}, autoscaled` : some
}

/** The line that switches an endpoint to its other state, as a button. By id, so that a rename cannot redirect it. */
export function switchesOf({ active, id, name }: Endpoint): readonly Offer[] {
  if (active === null) return []
  return [
    active
      ? { label: `Stop ${name}`, line: `stop ${writeWord(id)}` }
      : { label: `Start ${name}`, line: `start ${writeWord(id)}` },
  ]
}
