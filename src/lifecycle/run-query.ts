import type { OwnAnswers, Query } from '../core/commands/define.ts'
import { offeredTo } from '../core/commands/permissions.ts'
import { isSame, policyFile } from '../core/model/actor.ts'
import type { Shown } from '../core/model/answer.ts'
import type { Endpoint } from '../core/model/endpoint.ts'
import { terms } from '../core/model/limits.ts'
import { type Given, isAutomatic, type Request } from '../core/model/request.ts'
import type { Announced } from '../core/model/rules.ts'
import { sentences } from '../core/model/sentences.ts'
import { withRemedy } from '../core/ports/platform.ts'
import type { Asked, OwnOutcome } from '../core/ports/query.ts'
import type { Held, House } from '../core/ports/services.ts'
import { keptOf, mayAct, type Standing } from '../core/requests/authorize.ts'
import { end } from '../core/requests/end.ts'
import { findEndpoint } from '../core/requests/find-endpoint.ts'
import { youNow } from '../features/approvals/mandates.ts'
import { schedulesOf } from '../features/endpoints/schedules-query.ts'
import { historyOf, recentOn } from '../features/history/query.ts'
import { usesOf } from '../features/idle/usage.ts'
import { tailOf } from '../features/logs/read.ts'
import { savingsAsked } from '../features/savings/query.ts'
import { rulesNow } from '../features/schedules/preview.ts'
import { explainLine } from './planning/explain.ts'

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

type Own = {
  readonly [Name in keyof OwnAnswers]: (house: House, asked: Asked) => Promise<OwnOutcome<OwnAnswers[Name]>>
}

/** How the queries that are not one call are answered. */
const own: Own = {
  logs: tailOf,
  history: historyOf,
  savings: savingsAsked,
  schedules: schedulesOf,
  explain: explainLine,
  doctor: async (house, { request }) => ({ kind: 'answered', answer: await house.checks(request.place) }),
}
