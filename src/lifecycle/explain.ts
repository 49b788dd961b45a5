import { phrase } from '../core/commands/phrases.ts'
import type { Explained } from '../core/model/answer.ts'
import { idNote } from '../core/model/endpoint.ts'
import { type Ending, isEnded, type Request } from '../core/model/request.ts'
import type { Member } from '../core/model/roles.ts'
import { say } from '../core/model/words.ts'
import { answerersOf, type MembersOf } from '../core/policy/who-answers.ts'
import type { OwnOutcome, QueryInput, Services } from '../core/ports/services.ts'
import { type Authorization, authorize } from '../core/requests/authorize.ts'
import { findEndpoint } from '../core/requests/find-endpoint.ts'
import { instant, lasting } from '../core/time/format.ts'
import { asText } from '../core/words/render.ts'
import { unableAmong } from '../features/approvals/unable.ts'
import { rulesNow } from '../features/schedules/preview.ts'
import { decidedText } from '../features/schedules/rules/describe.ts'
import { type DryRun, dryRun } from './dry-run.ts'

type Items = Explained['items']

/** Tells what a line would come to: what its dry run did, and who could agree to that. */
export async function explainLine(services: Services, { request, values }: QueryInput): Promise<OwnOutcome<Explained>> {
  const read = services.commands.parse(String(values['line']))
  if (read.kind !== 'line') return { kind: 'none', says: read.says, offers: [] }
  const { row, values: given, line } = read.read
  if (row.kind === 'query') {
    const standing = await authorize(services, request.actor, request.place, row.needs?.(given) ?? 'viewer')
    const word = 'endpoint' in row.fields ? String(given['endpoint']) : null
    const dry = { ...services, store: { ...services.store, rememberNames: async () => undefined } }
    const found = word === null ? null : await findEndpoint(dry, word, row.name, 'query')
    if (found?.kind === 'later') return { kind: 'unknown', says: asText(found.says) }
    if (found?.kind === 'none') return told(line, nothing(found))
    const what = found === null ? 'It only reads' : `It only reads ${found.endpoint.name}`
    return told(line, [{ text: `${what}, and answers you privately.` }, ...youMay(services, standing)])
  }
  const tried = await dryRun(services, { ...request, kind: 'operation', line, status: 'received', nextAt: null })
  const { status, ending } = tried.request
  if (status === 'received') return { kind: 'unknown', says: asText(tried.events.at(-1)?.detail ?? '') }
  const does = [...acting(services, tried), ...(await planned(services, tried))]
  const isDone = does.length > 0 && (!isEnded(status) || status === 'succeeded')
  return told(line, [
    ...undone(services, tried),
    ...(isDone ? does : nothing(ending ?? { says: '' })),
    ...(isDone || tried.standing?.kind === 'not' ? youMay(services, tried.standing) : []),
  ])
}

function told(title: string, items: Items): OwnOutcome<Explained> {
  return { kind: 'answered', answer: { title, items } }
}

function youMay({ project }: Services, standing: Authorization | undefined): Items {
  if (standing?.kind !== 'not') return [{ text: 'You may ask for it here.' }]
  const { lacks, says } = standing
  return [{ text: ['You may not:', lacks === undefined ? says : `it takes the role ${lacks} in project ${project}.`] }]
}

/** Why nothing would be done, and lines that might be meant, each to be explained. */
function nothing({ says, told: more = [], offers = [] }: Pick<Ending, 'says' | 'told' | 'offers'>): Items {
  const lead = more.filter((part) => typeof part === 'string').find((part) => part.length > 2)
  const whom = more.filter((part) => typeof part !== 'string')
  const each = offers.map(({ label, about = label, line }) => ({
    text: about,
    offers: [{ label: 'Explain', line: `explain ${line}` }],
  }))
  const text = ['It would do nothing now.', says, lead ?? '']
  return [{ text, ...(whom.length > 0 && { whom }) }, ...each]
}

/** The line that an undo would ask for. */
function undone({ commands }: Services, { request: { undoes, line, endpoint }, events: [undo] }: DryRun): Items {
  if (undoes === undefined || undo?.detail === undefined) return []
  const [was, asks] = [asText(undo.detail), line].map((one) => commands.called(one, endpoint))
  return [{ text: `The last was “${was}”, so it would ask for “${asks}”.` }]
}

/** What it would do with other requests, and in whose place. */
function acting({ commands }: Services, { others }: DryRun): Items {
  return others.flatMap(({ before, after }) => {
    const { line, endpoint, ask, requirement, votes = [] } = before
    const called = commands.called(line, endpoint)
    const end = after.ending ?? after.setback
    if (end !== undefined) return [{ text: [`It would end “${called}”:`, end.says] }]
    if (after.decision?.glass === true)
      return [{ text: `It would let this pass without its approvals, and tell everybody: ${called}.` }]
    const vote = after.votes?.at(votes.length)
    if (vote === undefined && after.decision === undefined) return []
    const [needed, left] = [ask?.asking.needed ?? 1, (ask?.asking.needed ?? 1) - votes.length]
    const many = `${needed} approvals; ${left} ${left === 1 ? 'is' : 'are'} still missing`
    return [
      { text: `It would agree, as you, to: ${called}.` },
      ...(requirement === 'approval' ? [{ text: `It takes ${needed === 1 ? '1 approval' : many}.` }] : []),
      ...(vote?.for ? naming('You would answer in the place of', [{ kind: 'user', id: vote.for.user }]) : []),
    ]
  })
}

/** What would be done, what that takes, and which rules hold already. */
async function planned(services: Services, { request, proposal }: DryRun): Promise<Items> {
  if (proposal === undefined) return []
  const { line, endpoint, plan = [], change, means = [], requirement, exposure, ask } = request
  const seen = proposal.endpoint
  const text = [
    say('explain.does', { deed: phrase(services.commands.operation(line), endpoint?.name ?? '', 'ask', change) }),
    plan.length > 1 ? `It takes: ${plan.map(({ says }) => says).join(', ')}.` : '',
    ...means,
    ask?.why ?? proposal.why,
    idNote(endpoint),
  ]
  // A rule that can stop what is stopped now is judged as if it were active.
  const isLater = exposure === 'active' && seen?.active === false
  const since = isLater ? ', since it can stop it later' : `, since the endpoint is ${exposure}`
  const takes = requirement === 'approval' ? 'an approval by somebody else' : `a ${requirement}`
  const asks = ask === undefined ? 'Nobody has to agree' : `It takes ${takes}${endpoint === undefined ? '' : since}`
  const { who, says } = ask?.guard ?? {}
  const guard =
    who === undefined ? { text: says ?? '' } : { text: 'Somebody protects it:', who, ...(says && { detail: says }) }
  const rules = seen && decidedText((await rulesNow(services))(seen), services.clock.now(), { name: seen.name })
  const items = [
    { text },
    { text: `${asks}. The rule: ${proposal.demand.rule}.` },
    guard,
    ...(await agreement(services, request)),
    { text: rules ?? '' },
  ]
  return items.filter((item) => item.text !== '')
}

/** Who could agree to a question, how long they would have, and who in whose place. */
async function agreement({ people, policy }: Services, request: Request): Promise<Items> {
  const { actor, requirement, ask } = request
  if (ask === undefined) return []
  const membersOf: MembersOf = (role) => policy().roles[role]
  const named = answerersOf(request, membersOf)
  const { unable: found } = await unableAmong({ people }, actor.team, [...named.now, ...named.later, ...named.glass])
  const unable = [...(ask.unable ?? []), ...found]
  const { needed, now, later, glass } = answerersOf({ ...request, ask: { ...ask, unable } }, membersOf)
  const { expires, fallback } = ask.asking
  const these = needed === 1 ? 'One of these has' : `${needed} of these have`
  const within = `within ${lasting(expires)}`
  const could =
    requirement === 'approval' ? `${these} to agree, ${within}; never the requester:` : `These could agree, ${within}:`
  return [
    ...(now.length === 0 ? [{ text: 'Nobody could agree: the policy names nobody who may.' }] : naming(could, now)),
    ...naming(`After ${lasting(fallback?.after ?? 0)} without an answer also:`, later),
    ...(ask.standIns ?? []).map(({ of: who, to, until }) => ({
      text: `Until ${instant(until)} in the place of somebody else:`,
      whom: [{ kind: 'user', id: to.user }] as const,
      who,
      detail: 'is away',
    })),
    ...naming('In an emergency one of these alone, with a reason and told to all (break-glass):', glass),
  ]
}

function naming(text: string, whom: readonly Member[]): Items {
  return whom.length === 0 ? [] : [{ text, whom }]
}
