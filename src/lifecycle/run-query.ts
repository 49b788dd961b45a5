import { forPrograms } from '../core/commands/commands.ts'
import type { OwnAnswers, Query } from '../core/commands/define.ts'
import { mayWrite, offeredTo } from '../core/commands/permissions.ts'
import type { QueryAnswer } from '../core/model/answer.ts'
import type { Endpoint } from '../core/model/endpoint.ts'
import { freezeAt } from '../core/model/records.ts'
import { type FieldValues, type Request, terms } from '../core/model/request.ts'
import { tokenKey } from '../core/model/token.ts'
import { say } from '../core/model/words.ts'
import { fenceOf, isInside, liveTokens, roleThrough, whyNotThrough } from '../core/policy/programs.ts'
import { withRemedy, withStop } from '../core/ports/platform.ts'
import type { ClaimedRequest, OwnOutcome, QueryInput, Services } from '../core/ports/services.ts'
import { authorize, keptOf } from '../core/requests/authorize.ts'
import { end } from '../core/requests/end.ts'
import { findEndpoint, nearNote, withTags } from '../core/requests/find-endpoint.ts'
import { ownAccess } from '../features/approvals/stand-ins.ts'
import { latelyOn, openNow } from '../features/endpoints/lately.ts'
import { schedulesOf } from '../features/endpoints/schedules-query.ts'
import { historyOf } from '../features/history/query.ts'
import { usesOf } from '../features/idle/usage.ts'
import { tailOf } from '../features/logs/read.ts'
import { guardText } from '../features/safeguards/protect.ts'
import { costsIn } from '../features/savings/format.ts'
import { pricesNow } from '../features/savings/prices.ts'
import { savingsAsked } from '../features/savings/query.ts'
import { rulesNow } from '../features/schedules/preview.ts'
import { decidedText } from '../features/schedules/rules/describe.ts'
import { withUndo } from '../features/undo/undo.ts'
import { explainLine } from './explain.ts'

/** Answers a query with one call or an answer of our own. Nothing changes, so no lock or agreement is needed. */
export async function answer(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  if (services.clock.now() - request.receivedAt > terms.ask)
    return end(services, claim, 'expired', { says: say('request.notTaken') })
  // The weekly report arrives with its answer.
  if (request.shown !== undefined) return end(services, claim, 'succeeded', { says: request.shown.title })
  const { row, values } = claim.query
  const { actor, place } = request
  const authorization = await authorize(services, actor, place, row.needs?.(values) ?? 'viewer')
  if (authorization.kind === 'not') {
    const { stranger, says } = authorization
    const kept = await keptOf(services, authorization, request)
    // The answer is one sentence, which is useless to the channel.
    if (stranger !== undefined && row.stranger !== undefined)
      return end(services, claim, 'succeeded', { says: row.stranger(stranger), ...kept })
    return end(services, claim, 'refused', { says, ...kept })
  }

  let endpoint: Endpoint | undefined
  if ('endpoint' in row.fields) {
    const usable = request.through === undefined ? services.commands : forPrograms(services.commands)
    const asking = { ...services, commands: usable }
    const found = await findEndpoint(asking, String(values['endpoint']), claim.query, request)
    if (found.kind === 'later')
      return end(services, claim, 'failed', { says: say('endpoint.unread', { why: withStop(found.says) }) })
    if (found.kind === 'none') return end(services, claim, 'refused', { says: found.says, offers: found.offers })
    endpoint = { active: null, ...found.endpoint }
  }
  const like = nearNote(String(values['endpoint']), endpoint)
  const records = await services.store.records()
  const judged = { records, now: services.clock.now() }
  const why = whyNotThrough(request, claim.query, {
    ...judged,
    endpoint: endpoint && (await withTags(services, endpoint)),
  })
  if (why !== null) return end(services, claim, 'refused', { says: why })
  const role = roleThrough(request, authorization.role, records)
  const on = fenceOf(request, records)
  const token = request.through && records.get(tokenKey(request.through.token))
  const outcome = await outcomeOf(services, request, row, values, endpoint)
  if (outcome.kind === 'none') return end(services, claim, 'refused', { says: outcome.says, offers: outcome.offers })
  if (outcome.kind !== 'answered')
    return end(services, claim, 'failed', { says: say('endpoint.unread', { why: withStop(withRemedy(outcome)) }) })
  const used = row.used?.(outcome.answer)
  async function ruled() {
    const rulesOf = await rulesNow(services)
    const decidedOf = (one: Endpoint) =>
      decidedText(rulesOf(one), judged.now, { active: one.active, status: one.status ?? '' })
    return { rulesOf, decidedOf }
  }
  const { files = [], ...whole }: QueryAnswer = row.show(outcome.answer, {
    values,
    project: services.project,
    role,
    ...(request.through !== undefined && { byProgram: true }),
    ...(token?.kind === 'token' && { token }),
    ...(request.open !== true && { asker: actor }),
    ...(authorization.by !== null && { by: authorization.by }),
    rows: services.commands.rows,
    now: services.clock.now(),
    ...(endpoint && { endpoint }),
    ...(endpoint && row.recent !== undefined && (await latelyOn(services, request, endpoint, row.recent))),
    ...(row.ruled === true && { listed: (await services.store.names())?.endpoints }),
    ...(on !== undefined && { isInside: (one) => isInside(on, one) }),
    ...(row.you === true && { you: await ownAccess(services, request) }),
    ...(row.ruled === true && { ...(await ruled()), ...(await openNow(services)) }),
    ...(row.ruled === true && { freeze: freezeAt(records, judged.now) }),
    ...(row.ruled === true && { guardOf: (one) => guardText(one, services.policy(), records) }),
    ...(used !== undefined && { useOf: await usesOf(services, used), ...costsIn(await pricesNow(services)) }),
  })
  const { parse, rows } = services.commands
  const may = (line: string) => {
    const read = parse(line)
    const isFor = read.kind === 'misread' || whyNotThrough(request, 'read' in read ? read.read : read, judged) === null
    return isFor && mayWrite(role, line, rows)
  }
  // An answer in a channel shows every button, because some of the members may use it.
  const noted = like === null ? whole : { ...whole, items: [{ text: like }, ...whole.items] }
  const shown = request.open === true ? noted : offeredTo(may, noted)
  // Stored before the end that names them. Files that no end names expire.
  await services.store.keepFiles(
    request.id,
    files.map(({ text }) => text),
  )
  const change = { shown, ...(files.length > 0 && { files: files.map(({ name }) => name) }) }
  // Agents poll, so queries that any viewer may make are only counted; otherwise they would fill the audit.
  const unaudited = request.through !== undefined && (row.needs?.(values) ?? 'viewer') === 'viewer'
  return end(services, claim, 'succeeded', { says: shown.title, change, options: { unaudited } })
}

function outcomeOf(
  services: Services,
  request: Request,
  row: Query,
  values: FieldValues,
  endpoint: Endpoint | undefined,
): Promise<OwnOutcome<unknown>> {
  if (row.own !== undefined) return own[row.own](services, { request, values, endpoint })
  if (row.call !== undefined) return services.platform.send(row.call(values, endpoint))
  return Promise.resolve({ kind: 'answered', answer: undefined })
}

/** The queries that need more than one call, or none. */
const own: {
  readonly [Name in keyof OwnAnswers]: (services: Services, asked: QueryInput) => Promise<OwnOutcome<OwnAnswers[Name]>>
} = {
  logs: tailOf,
  history: async (services, asked) => withUndo(services, await historyOf(services, asked), asked),
  savings: savingsAsked,
  schedules: schedulesOf,
  explain: explainLine,
  tokens: async ({ store, clock }) => ({ kind: 'answered', answer: liveTokens(await store.records(), clock.now()) }),
  doctor: async (services, { request }) => ({ kind: 'answered', answer: await services.checks(request.place) }),
}
