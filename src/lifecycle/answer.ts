import { isSame, policyFile } from '../domain/actor.ts'
import type { Announced } from '../domain/decided.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { sentences } from '../domain/errors.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import type { Shown } from '../domain/shown.ts'
import { terms } from '../domain/terms.ts'
import type { Query } from '../operations/define.ts'
import type { Given } from '../operations/field.ts'
import { offeredTo } from '../operations/needed.ts'
import { end } from './end.ts'
import { findEndpoint } from './find.ts'
import { recentOn } from './history.ts'
import { keptOf, mayAct, type Standing } from './identify.ts'
import { rulesNow } from './outlook.ts'
import { type OwnOutcome, own } from './own.ts'
import { withRemedy } from './platform.ts'
import type { Held, House } from './ports.ts'
import { usesOf } from './uses.ts'
import { youNow } from './you.ts'

/** Answers a query: a call or an answer of our own, shown by its row. Nothing is changed, so nothing is locked or asked. */
export async function answer(house: House, held: Held): Promise<void> {
  const { request } = held
  if (house.clock.now() - request.receivedAt > terms.ask)
    return end(house, held, 'expired', { says: sentences.notTaken })
  const { row, values } = held.query
  const { actor, place } = request
  // What the clock asks for in nobody's name is for everybody who reads there.
  const standing: Standing =
    isAutomatic(request) && isSame(actor, policyFile)
      ? { kind: 'may', role: 'viewer', by: null }
      : await mayAct(house, actor, place, row.needs?.(values) ?? 'viewer')
  if (standing.kind === 'not') {
    const { stranger, says } = standing
    // A sentence and nothing shown: there is nothing in it for the channel.
    if (stranger !== undefined && row.stranger !== undefined)
      return end(house, held, 'succeeded', { says: row.stranger(stranger) }, keptOf(standing, request))
    return end(house, held, 'refused', { says }, keptOf(standing, request))
  }

  let endpoint: Endpoint | undefined
  if ('endpoint' in row.fields) {
    const found = await findEndpoint(house, String(values['endpoint']), row.name, 'query')
    if (found.kind === 'later') return end(house, held, 'failed', { says: sentences.cannotRead(found.says) })
    if (found.kind === 'none') return end(house, held, 'refused', { says: found.says, offers: found.offers })
    endpoint = { active: null, ...found.endpoint }
  }
  const outcome = await outcomeOf(house, request, row, values, endpoint)
  if (outcome.kind === 'none') return end(house, held, 'refused', { says: outcome.says, offers: outcome.offers })
  if (outcome.kind !== 'answered')
    return end(house, held, 'failed', { says: sentences.cannotRead(withRemedy(outcome)) })
  const { files = [], ...whole }: Shown = row.show(outcome.answer, {
    values,
    project: house.project,
    role: standing.role,
    ...(request.open !== true && { asker: actor }),
    ...(standing.by !== null && { by: standing.by }),
    rows: house.commands.rows,
    now: house.clock.now(),
    ...(endpoint && { endpoint }),
    ...(endpoint && row.recent !== undefined && { past: await recentOn(house, endpoint.id, row.recent) }),
    ...(row.you === true && { you: await youNow(house, request) }),
    ...(row.ruled === true && { rulesOf: await rulesNow(house), announcedOf: await announcedNow(house) }),
    ...(row.used !== undefined && { useOf: await usesOf(house, row.used(outcome.answer)) }),
  })
  // What a channel reads is for everybody in it, and some of them may.
  const shown = request.open === true ? whole : offeredTo(standing.role, whole, house.commands.rows)
  // Before the end that names them: what is kept for nobody goes by itself.
  await house.store.keepFiles(
    request.id,
    files.map(({ text }) => text),
  )
  const change = { shown, ...(files.length > 0 && { files: files.map(({ name }) => name) }) }
  return end(house, held, 'succeeded', { says: shown.title }, { change })
}

/** The automatic stops that were announced and can still be skipped, by endpoint. */
async function announcedNow({ store }: House): Promise<(endpoint: Endpoint) => Announced | null> {
  const found = (await store.open()).flatMap(({ status, requirement, endpoint, ask, via }) =>
    status === 'awaiting' && requirement === 'notice' && endpoint !== undefined && ask?.due !== undefined
      ? [[endpoint.id, { at: ask.due, by: via === 'idle' ? 'idle' : 'schedule' }] as const]
      : [],
  )
  const stops = new Map<string, Announced>(found)
  return ({ id }) => stops.get(id) ?? null
}

function outcomeOf(
  house: House,
  request: Request,
  row: Query,
  values: Given,
  endpoint: Endpoint | undefined,
): Promise<OwnOutcome<unknown>> {
  if (row.own !== undefined) return own[row.own](house, { request, values, endpoint })
  if (row.call !== undefined) return house.platform.send(row.call(values, endpoint))
  return Promise.resolve({ kind: 'answered', answer: undefined })
}
