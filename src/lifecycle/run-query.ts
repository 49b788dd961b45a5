import type { Context, OwnAnswers, Query } from '../core/commands/define.ts'
import { mayWrite, neededFor, offeredTo } from '../core/commands/permissions.ts'
import type { Endpoint } from '../core/model/endpoint.ts'
import type { QueryAnswer } from '../core/model/query-answer.ts'
import { freezeAt, type Records } from '../core/model/records.ts'
import type { FieldValues, Request } from '../core/model/request.ts'
import { tokenKey } from '../core/model/token.ts'
import { say } from '../core/model/words.ts'
import { fenceOf, isInside, liveTokens, roleThrough, whyNotThrough } from '../core/policy/programs.ts'
import { quotedMessage, withRemedy } from '../core/ports/platform.ts'
import type { ClaimedRequest, OwnOutcome, QueryInput, Services } from '../core/ports/services.ts'
import { type Authorization, authorize, refusalStorage } from '../core/requests/authorize.ts'
import { end } from '../core/requests/end.ts'
import { findEndpoint, type Listing, listingSoon, nearNote, withTags } from '../core/requests/find-endpoint.ts'
import { ownAccess } from '../features/approvals/stand-ins.ts'
import { latelyOn, openNow } from '../features/endpoints/lately.ts'
import { schedulesOf } from '../features/endpoints/schedules-query.ts'
import { historyOf } from '../features/history/query.ts'
import { usesOf } from '../features/idle/usage.ts'
import { tailOf } from '../features/logs/command.ts'
import { guardText } from '../features/safeguards/protect.ts'
import { costsIn } from '../features/savings/format.ts'
import { pricesNow } from '../features/savings/prices.ts'
import { savingsAsked } from '../features/savings/query.ts'
import { rulesNow } from '../features/schedules/preview.ts'
import { decidedText } from '../features/schedules/rules/describe.ts'
import { withUndo } from '../features/undo/undo.ts'
import { explainLine } from './explain.ts'

/** Answers a query with one call or an answer of our own. Nothing changes, so no lock or agreement is needed. */
export async function runQuery(services: Services, claim: ClaimedRequest): Promise<void> {
  const { request } = claim
  // The weekly report arrives with its answer.
  if (request.shown !== undefined) return end(services, claim, 'succeeded', { says: request.shown.title })
  const { row, values } = claim.query
  const needed = neededFor(row, values)
  const listing = 'endpoint' in row.fields ? listingSoon(services) : undefined
  const authorization = await authorize(services, request.actor, request.place, needed)
  if (authorization.kind === 'not') return refuse(services, claim, authorization)
  const endpoint = listing && (await endpointAskedAbout(services, claim, listing))
  if (endpoint === null) return
  const records = await services.store.records()
  const judged = { records, now: services.clock.now() }
  const tagged = endpoint && (await withTags(services, endpoint))
  const why = whyNotThrough(request, claim.query, { ...judged, endpoint: tagged })
  if (why !== null) return end(services, claim, 'refused', { says: why })
  const outcome = await outcomeOf(services, request, row, values, endpoint)
  if (outcome.kind === 'none') return end(services, claim, 'refused', { says: outcome.says, offers: outcome.offers })
  if (outcome.kind !== 'answered')
    return end(services, claim, 'failed', { says: say('endpoint.noAnswer', { why: withRemedy(outcome) }) })
  const role = roleThrough(request, authorization.role, records)
  const { by } = authorization
  const known = { role, ...(by && { by }), ...(endpoint && { endpoint }) }
  const context = await contextOf(services, claim, judged, known, row.used?.(outcome.answer))
  const { files = [], ...whole }: QueryAnswer = row.show(outcome.answer, context)
  const may = (line: string) => {
    const read = services.commands.parse(line)
    const isFor = read.kind === 'misread' || whyNotThrough(request, 'read' in read ? read.read : read, judged) === null
    return isFor && mayWrite(role, line, services.commands.rows)
  }
  const like = nearNote(String(values['endpoint']), endpoint)
  const noted = like === null ? whole : { ...whole, items: [{ text: like }, ...whole.items] }
  // An answer in a channel shows every button, because some of the members may use it.
  const shown = request.open === true ? noted : offeredTo(may, noted)
  // Stored before the end that names them. Files that no end names expire.
  const texts = files.map(({ text }) => text)
  await services.store.keepFiles(request.id, texts)
  // Buttons write ids, which tell a channel nothing.
  const line = request.open === true ? services.commands.called(request.line, endpoint) : request.line
  const change = { shown, line, ...(files.length > 0 && { files: files.map(({ name }) => name) }) }
  // Agents poll, so queries that any viewer may make are only counted; otherwise they would fill the audit.
  const unaudited = request.through !== undefined && needed === 'viewer'
  return end(services, claim, 'succeeded', { says: shown.title, change, options: { unaudited } })
}

/** Refuses a query, unless it has an answer for people without a role. */
async function refuse(services: Services, claim: ClaimedRequest, refusal: Authorization & { kind: 'not' }) {
  const { stranger, says } = refusal
  const kept = await refusalStorage(services, refusal, claim.request)
  // The answer is one sentence, which is useless to the channel.
  const { row } = claim.query
  if (stranger !== undefined && row.stranger !== undefined)
    return end(services, claim, 'succeeded', { says: row.stranger(stranger), ...kept })
  return end(services, claim, 'refused', { says, ...kept })
}

/** The endpoint that the query names. Null if none was found; the request has then been ended. */
async function endpointAskedAbout(services: Services, claim: ClaimedRequest, listing: Listing) {
  const { request, query } = claim
  const found = await findEndpoint(services, String(query.values['endpoint']), query, request, listing)
  if (found.kind === 'found') return { active: null, ...found.endpoint } satisfies Endpoint
  if (found.kind === 'none') await end(services, claim, 'refused', { says: found.says, offers: found.offers })
  else await end(services, claim, 'failed', { says: say('endpoint.noAnswer', { why: quotedMessage(found.says) }) })
  return null
}

/** Reads what the query's row says that its answer needs. `used`: the endpoints whose use it shows. */
async function contextOf(
  services: Services,
  { request, query: { row, values } }: ClaimedRequest,
  { records, now }: { readonly records: Records; readonly now: number },
  known: Pick<Context<FieldValues>, 'role' | 'by' | 'endpoint'>,
  used: readonly Endpoint[] | undefined,
): Promise<Context<FieldValues>> {
  const { endpoint } = known
  const on = fenceOf(request, records)
  const token = request.through && records.get(tokenKey(request.through.token))
  return {
    ...known,
    values,
    project: services.project,
    ...(request.through !== undefined && { byProgram: true }),
    ...(token?.kind === 'token' && { token }),
    ...(request.open !== true && { asker: request.actor }),
    rows: services.commands.rows,
    now: services.clock.now(),
    ...(endpoint && row.recent !== undefined && (await latelyOn(services, request, endpoint, row.recent))),
    ...(on !== undefined && { isInside: (one) => isInside(on, one) }),
    ...(row.you === true && { you: await ownAccess(services, request) }),
    ...(row.ruled === true && (await ruledAt(services, records, now))),
    ...(used !== undefined && { useOf: await usesOf(services, used), ...costsIn(await pricesNow(services)) }),
  }
}

/** What decides about the endpoints at `now` (ms), and what is open on them. */
async function ruledAt(services: Services, records: Records, now: number) {
  const rulesOf = await rulesNow(services)
  return {
    rulesOf,
    decidedOf: (one: Endpoint) => decidedText(rulesOf(one), now, { active: one.active, status: one.status ?? '' }),
    ...(await openNow(services)),
    freeze: freezeAt(records, now),
    guardOf: (one: Endpoint) => guardText(one, services.policy(), records),
    listed: (await services.store.names())?.endpoints,
  }
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
