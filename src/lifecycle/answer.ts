import type { Endpoint } from '../domain/endpoint.ts'
import { sentences } from '../domain/errors.ts'
import { terms } from '../domain/request.ts'
import type { Shown } from '../domain/shown.ts'
import { rows } from '../operations/index.ts'
import { queryIn } from '../operations/stored.ts'
import { end } from './end.ts'
import { findEndpoint } from './find.ts'
import { mayAct } from './identify.ts'
import type { Held, House } from './ports.ts'

/** Answers a query: one call, shown by its row. Nothing is changed, so nothing is locked or asked. */
export async function answer(house: House, held: Held): Promise<void> {
  const { request } = held
  if (house.clock.now() - request.receivedAt > terms.ask)
    return end(house, held, 'expired', { says: sentences.notTaken })
  const { row, values } = queryIn(request.line)
  const standing = await mayAct(house, request.actor, request.place, 'viewer')
  if (standing.kind === 'not') return end(house, held, 'refused', { says: standing.says })

  let endpoint: Endpoint | undefined
  if ('endpoint' in row.fields) {
    const found = await findEndpoint(house, String(values['endpoint']), row.name, 'query')
    if (found.kind === 'later') return end(house, held, 'failed', { says: sentences.cannotRead(found.says) })
    if (found.kind === 'none') return end(house, held, 'refused', { says: found.says, offers: found.offers })
    endpoint = { active: null, ...found.endpoint }
  }
  const outcome =
    row.call === undefined
      ? { kind: 'answered' as const, answer: undefined }
      : await house.platform.send(row.call(values, endpoint))
  if (outcome.kind !== 'answered') return end(house, held, 'failed', { says: sentences.cannotRead(outcome.says) })
  const shown: Shown = row.show(outcome.answer, {
    values,
    project: house.project,
    role: standing.role,
    rows,
    now: house.clock.now(),
    ...(endpoint && { endpoint }),
  })
  return end(house, held, 'succeeded', { says: shown.title }, { change: { shown } })
}
