import type { Endpoint } from '../domain/endpoint.ts'
import { mostUnknown } from '../domain/idle.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import { isMark } from '../domain/reading.ts'
import { isEnded } from '../domain/request.ts'
import { end } from './end.ts'
import { idOf } from './hand-in.ts'
import { type Idler, idlingKey } from './idler.ts'
import { holding } from './let-go.ts'
import type { House } from './ports.ts'
import type { Watched } from './watch.ts'

/** Looks what has become of a stop that was handed in, and takes it back where it is not to be any more. */
export async function followUp(house: House, endpoint: Endpoint, idler: Idler | null, pursuit: Pursuit): Promise<void> {
  const id = idOf(house, pursuit.occurrence, 1)
  const request = await house.store.load(id)
  if (request === null || isEnded(request.status)) {
    // Whatever it came to, the clock goes on from there: people's no, and a last look that said no, count as a use.
    const state = request?.status === 'succeeded' ? 'met' : 'left'
    return note(house, endpoint, { ...pursuit, state, at: request?.ending?.at ?? house.clock.now() })
  }
  const why = noMore(idler, pursuit.occurrence)
  if (why === null || request.status !== 'awaiting') return
  const other = await house.store.claim(id)
  if (other === null) return
  await holding(house, other, async () => {
    if (other.request.status !== 'awaiting') return
    await end(house, other, 'cancelled', { says: `${endpoint.name} was left up: ${why}.` })
    await note(house, endpoint, { ...pursuit, state: 'left', at: house.clock.now() })
  })
}

/** Why what people were told is not true any more, as the end of a sentence; or null. */
export function noMore(idler: Idler | null, occurrence: string | undefined): string | null {
  if (idler === null) return 'its idle watch is off'
  const { rule, spared, clock, watched } = idler
  if (rule.mode !== 'on') return 'its idle watch only tries'
  if (spared !== null) return spared
  if (idler.occurrence !== occurrence) {
    const mark = watched.segments.findLast(isMark)
    if (mark?.to !== clock.since) return 'its idle watch or its replicas have changed'
    return mark.state === 'busy' ? `it is in use again (${mark.why})` : mark.why
  }
  return clock.unknown > mostUnknown ? `whether it is used cannot be seen (${doubtIn(watched)})` : null
}

function doubtIn({ segments }: Watched): string {
  return segments.findLast(({ state }) => state === 'unknown')?.why ?? 'nobody looked for a while'
}

/** Keeps how far the pursuit of an endpoint's idleness has come. */
export async function note(house: House, { id }: Endpoint, pursuit: Pursuit): Promise<void> {
  await house.store.notePursuits(new Map([[idlingKey(id), pursuit]]))
}
