import { writeLine } from '../core/commands/parse.ts'
import { neededFor } from '../core/commands/permissions.ts'
import { lineInWords, phrase } from '../core/commands/phrases.ts'
import { inCurrency } from '../core/model/automation.ts'
import { defined } from '../core/model/defined.ts'
import { type Endpoint, idNote, type NamedEndpoint } from '../core/model/endpoint.ts'
import type { Effect, Explained, Offer } from '../core/model/query-answer.ts'
import { onceIn, startsByHours } from '../core/model/records.ts'
import { type Ending, isEnded, type Request } from '../core/model/request.ts'
import type { Member } from '../core/model/roles.ts'
import { say, type Words } from '../core/model/words.ts'
import { whyNotThrough } from '../core/policy/programs.ts'
import type { OwnOutcome, QueryInput, Services } from '../core/ports/services.ts'
import { type Authorization, authorize } from '../core/requests/authorize.ts'
import { ableToAnswer } from '../core/requests/awaited.ts'
import { findEndpoint, withTags } from '../core/requests/find-endpoint.ts'
import { requestPhrase, stepsOf } from '../core/requests/in-words.ts'
import { openOn } from '../features/endpoints/lately.ts'
import { factsOf } from '../features/endpoints/state.ts'
import { itemOf } from '../features/history/command.ts'
import { costsIn } from '../features/savings/format.ts'
import { pricesNow } from '../features/savings/prices.ts'
import { rulesNow } from '../features/schedules/preview.ts'
import { decidedText } from '../features/schedules/rules/describe.ts'
import { type DryRun, dryRun } from './dry-run.ts'

type Items = Explained['items']

/** Explains a line: the result of its dry run, and who could agree to it. */
export async function explainLine(services: Services, { request, values }: QueryInput): Promise<OwnOutcome<Explained>> {
  const read = services.commands.parse(String(values['line']))
  if (read.kind !== 'line') return { kind: 'none', says: read.says, offers: [] }
  const { row, values: given, line } = read.read
  const title = lineInWords(writeLine(row, given, 'shown'), services.commands.rows)
  if (row.kind === 'query') {
    const authorization = await authorize(services, request.actor, request.place, neededFor(row, given))
    const word = 'endpoint' in row.fields ? String(given['endpoint']) : null
    const dry = { ...services, store: { ...services.store, rememberNames: async () => undefined } }
    const found = word === null ? null : await findEndpoint(dry, word, read.read, request)
    if (found?.kind === 'later') return { kind: 'unknown', says: found.says }
    // A single word was parsed as an endpoint's name.
    if (found?.kind === 'none') return told(row.recent === undefined ? title : (word ?? title), nothing(found))
    const endpoint = found?.endpoint && (await withTags(services, found.endpoint))
    const [records, now] = [await services.store.records(), services.clock.now()]
    const why = whyNotThrough(request, read.read, { records, now, endpoint })
    if (why !== null) return told(title, [{ text: say('explain.youMayNot', { why }) }])
    if (endpoint && row.recent !== undefined) return told(title, await stateOf(services, request, endpoint))
    return told(title, [
      { text: say('explain.reads') },
      ...youMay(services, authorization, request.through === undefined ? 'here' : 'look'),
    ])
  }
  const tried = await dryRun(services, { ...request, kind: 'operation', line, status: 'received', nextAt: null })
  const { status, ending } = tried.request
  if (status === 'received') return { kind: 'unknown', says: tried.events.at(-1)?.detail ?? '' }
  const does = [...acting(services, tried), ...(await planText(services, tried))]
  const isDone = does.length > 0 && (!isEnded(status) || status === 'succeeded')
  const way = request.through === undefined ? 'here' : 'propose'
  const { endpoint, change } = tried.request
  const name = endpoint?.name ?? ''
  const asking =
    way === 'here' && tried.planned !== undefined
      ? [{ label: phrase(services.commands.operation(line), name, 'press', change), line }]
      : []
  const items = [
    ...undone(services, tried),
    // A request that is in the way follows with its own buttons.
    ...(isDone ? does : nothing({ ...ending, ...(ending?.about && { offers: [] }) }, tried.request.shown?.items)),
    ...(await openOn(services, request, tried.request.endpoint ?? tried.planned?.endpoint)),
    ...(isDone || tried.authorization?.kind === 'not' ? youMay(services, tried.authorization, way, asking) : []),
  ]
  if (request.through === undefined) return told(title, items)
  const effect = await effectOf(services, tried, isDone && tried.authorization?.kind !== 'not')
  const { saves, zone } = effect
  const saving = saves && say('explain.saves', { hour: inCurrency(saves.amount, saves.currency) })
  const zoned = zone && say('program.zone', { zone })
  // No other sentence mentions these parts of the effect.
  return told(title, [...items, ...[saving, zoned].flatMap((text) => (text ? [{ text }] : []))], effect)
}

async function effectOf(services: Services, { request, planned }: DryRun, allowed: boolean): Promise<Effect> {
  const { plan = [], change, requirement, ask } = request
  const seen = planned?.endpoint
  const once = onceIn(change)
  const facts = seen && factsOf(seen, costsIn(await pricesNow(services)).priceOf(seen))
  const asked = allowed ? ask : undefined
  return defined({
    allowed,
    needs: allowed ? (ask === undefined ? 'nothing' : (requirement ?? 'nothing')) : 'refusal',
    approvals: asked?.asking.needed,
    whom: asked && (await ableToAnswer(services, request, asked)).now,
    expires: asked?.expiresAt,
    at: once?.at,
    until: once?.until,
    zone: once && ((await services.people.zoneOf(request.actor)) ?? 'UTC'),
    endpoint: facts,
    saves: plan.at(-1)?.goal === 'stopped' ? facts?.perHour : undefined,
  })
}

/** Explains an endpoint's state: its last change, and what decides about it now. */
async function stateOf(services: Services, asked: Request, endpoint: NamedEndpoint & Partial<Endpoint>) {
  const { clock, commands, store } = services
  const [rulesOf, [last]] = await Promise.all([rulesNow(services), store.recentOn(endpoint.id)])
  const rules = decidedText(rulesOf({ active: null, ...endpoint }), clock.now(), endpoint)
  const change = last && itemOf({ request: last, events: [] }, null, { now: clock.now(), rows: commands.rows })
  const example = commands.write('explain', { line: commands.write('stop', { endpoint: endpoint.name }) })
  return [
    { text: say('explain.last', { name: endpoint.name, known: change === undefined ? 'none' : 'one' }) },
    ...(change === undefined ? [] : [change]),
    ...(await openOn(services, asked, endpoint)),
    ...(rules === '' ? [] : [{ text: rules }]),
    { text: say('line.example', { example }) },
  ]
}

function told(title: Words, items: Items, effect?: Effect): OwnOutcome<Explained> {
  return { kind: 'answered', answer: { title, items, ...(effect && { effect }) } }
}

function youMay(
  { project }: Services,
  authorization: Authorization | undefined,
  way: 'here' | 'propose' | 'look',
  offers: readonly Offer[] = [],
): Items {
  // "Here" means the button beside it.
  if (authorization?.kind !== 'not')
    return way === 'here' && offers.length === 0 ? [] : [{ text: say('explain.youMay', { way }), offers }]
  const { lacks, says } = authorization
  if (lacks === undefined) return [{ text: say('explain.youMayNot', { why: says }) }]
  return [{ text: say('explain.lacks', { role: lacks, project }) }]
}

/** Says why nothing would be done, with buttons that explain similar lines, or requests that are `shown`. */
function nothing({ says, told = '', offers = [] }: Partial<Ending>, shown: Items = []): Items {
  const lines = offers.map((offer) => ({ text: offer.label, offers: [offer] }))
  const again = ({ line }: Offer) => ({ label: say('action.explain'), line: `explain ${line}` })
  const each = [...lines, ...shown].map((one) => ({ ...one, offers: (one.offers ?? []).slice(0, 1).map(again) }))
  return [{ text: say('explain.nothing', { why: [says ?? '', told] }) }, ...each]
}

/** The line that an undo would hand in. */
function undone({ commands }: Services, { request: { undoes, line, endpoint }, events: [undo] }: DryRun): Items {
  if (undoes === undefined || undo?.detail === undefined) return []
  const [was, asks] = [undo.detail, line].map((one) => (typeof one === 'string' ? commands.called(one, endpoint) : one))
  return [{ text: say('explain.undo', { was: was ?? '', asks: asks ?? '' }) }]
}

/** What the line would do to other requests, and in whose place it would vote. */
function acting({ commands }: Services, { request, others }: DryRun): Items {
  return others.flatMap(({ before, after }) => {
    const { ask, requirement, votes = [] } = before
    const line = requestPhrase(commands, before)
    const end = after.ending ?? after.setback
    if (after.ending?.takenBy !== undefined) return [{ text: noLonger(commands, request, before) }]
    if (end !== undefined) return [{ text: say('explain.ends', { line, why: end.says }) }]
    if (after.decision?.glass === true) return [{ text: say('explain.glass', { line }) }]
    const vote = after.votes?.at(votes.length)
    if (vote === undefined && after.decision === undefined) return []
    const [needed, left] = [ask?.asking.needed ?? 1, (ask?.asking.needed ?? 1) - votes.length]
    return [
      { text: say('explain.approves', { line }) },
      ...(requirement === 'approval' ? [{ text: say('explain.missing', { needed, left }) }] : []),
      ...(vote?.for ? naming(say('explain.inPlaceOf'), [{ kind: 'user', id: vote.for.user }]) : []),
    ]
  })
}

/** Says that an announced stop or start would no longer happen, because this request comes first. */
function noLonger({ operation }: Services['commands'], request: Request, { line, endpoint }: Request): Words {
  const [{ wants = 'down' }, now] = [operation(line).row, operation(request.line).row.wants]
  const rest = wants === 'down' && now !== 'down' ? 'again' : 'no'
  return say('explain.announced', { name: endpoint?.name ?? '', wants, rest })
}

/** Says what would be done, what agreement that needs, and which rules already apply. */
async function planText(services: Services, { request, planned }: DryRun): Promise<Items> {
  if (planned === undefined) return []
  const { line, endpoint, plan = [], change, means = [], requirement, exposure, ask } = request
  const { endpoint: seen, decided } = planned
  const text = [
    say('explain.does', { deed: phrase(services.commands.operation(line), endpoint?.name ?? '', 'ask', change) }),
    stepsOf(plan),
    ...means,
    ask?.why ?? planned.why,
    idNote(endpoint),
  ]
  // A rule that can stop an endpoint later is judged as if the endpoint were running.
  const isLater = ask !== undefined && exposure === 'active' && seen?.active === false
  const needs = ask === undefined ? 'nothing' : (requirement ?? 'nothing')
  const rules = seen && decidedText((await rulesNow(services))(seen), services.clock.now(), seen)
  const items = [
    { text },
    {
      text: [
        say('explain.takes', { needs, since: !isLater ? 'none' : startsByHours(change) ? 'hours' : 'later' }),
        ask && !isLater ? decided.inWords : '',
      ],
    },
    { text: ask?.guard?.says ?? '' },
    ...(await agreement(services, request)),
    { text: rules ?? '' },
  ]
  return items.filter((item) => item.text !== '')
}

/** Says who could agree to a question, within what time, and who could stand in for whom. */
async function agreement(services: Services, request: Request): Promise<Items> {
  const { requirement, ask } = request
  if (ask === undefined) return []
  const { needed, now, later, glass } = await ableToAnswer(services, request, ask)
  const { expires, fallback } = ask.asking
  const could = say('explain.could', { needs: requirement ?? 'nothing', needed, length: { lasting: expires } })
  return [
    ...(now.length === 0 ? [{ text: say('explain.nobody') }] : naming(could, now)),
    ...naming(say('explain.fallback', { length: { lasting: fallback?.after ?? 0 } }), later),
    ...(ask.standIns ?? []).map(({ of: who, to, until }) => ({
      text: say('explain.standIn', { until: { at: until } }),
      whom: [{ kind: 'user', id: to.user }] as const,
      who,
      detail: say('explain.away'),
    })),
    ...naming(say('explain.glassBy'), glass),
  ]
}

function naming(text: Words, whom: readonly Member[]): Items {
  return whom.length === 0 ? [] : [{ text, whom }]
}
