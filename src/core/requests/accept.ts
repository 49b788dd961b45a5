import { begunIn, type Command, isFromTable } from '../commands/commands.ts'
import type { Query, Row } from '../commands/define.ts'
import { exampleAbout, exampleName } from '../commands/examples.ts'
import { hiddenText, neededFor, opensForm, rowsFor } from '../commands/permissions.ts'
import { writeWord } from '../commands/quoting.ts'
import type { QueryAnswer } from '../model/query-answer.ts'
import { idWord } from '../model/question.ts'
import type { FieldValues, Press, Request } from '../model/request.ts'
import type { Place } from '../model/roles.ts'
import { say, type Words } from '../model/words.ts'
import type { Received } from '../ports/services.ts'
import { noRoleText } from './authorize.ts'
import {
  type Arrival,
  gatewayFor,
  type IntakeContext,
  noProjectText,
  type Origin,
  type ProjectGateway,
  reachable,
  roleIn,
  unclear,
  type Visit,
  visitOf,
  whyClosedAt,
  whyClosedTo,
} from './gateway.ts'
import { withNamesInTexts } from './in-words.ts'
import { type Opening, openingOf } from './open-form.ts'
import { nameOrNot } from './overview.ts'
import { receive, receivePress, requestIdOf } from './receive.ts'
import { secretIn } from './sealed-values.ts'
import { type Instead, lineToRun, misreadAnswer } from './unstored-line.ts'
import { offersInstead, whyNotDecline } from './waiting-list.ts'

/** A form for a row, filled in with what is known so far. */
export interface Form extends Opening {
  readonly row: Row
  readonly from: Origin
  /** An operation's card needs a channel, and none is configured for it. */
  readonly placeless?: boolean
  /** What to type instead, if the form cannot be opened. */
  readonly says?: Words
}

/** The outcome of a line, form or press. Every kind but `accepted` is shown at once, to the sender only. */
export type IntakeResult =
  /** Stored. The result is shown when it is ready, in this channel or to this person; a press has none. */
  | { readonly kind: 'accepted'; readonly channel?: string }
  /** Finished here. `stored`: `yes`, or the reason why it was not stored, or may not have been. */
  | ({ readonly kind: 'said'; readonly stored?: 'yes' | 'too often' | 'storage' } & Instead)
  | { readonly kind: 'answered'; readonly answer: QueryAnswer }
  | { readonly kind: 'form'; readonly form: Form }
  /** The line could belong to several projects, so the sender picks one. */
  | {
      readonly kind: 'which project'
      readonly among: readonly string[]
      readonly line: string
      readonly opens: 'line' | 'form'
    }

/** Parses a line, stores it and wakes a worker. Slow work happens in the worker. */
export async function accept(context: IntakeContext, arrival: Arrival): Promise<IntakeResult> {
  const visit = visitOf(context, arrival)
  const { gateway, gateways, commands, clock } = visit
  const read = await nameOrNot(gateway, commands.parse(arrival.typed, arrival.via))
  // The worker checks roles for stored lines. Lines answered here need that check first.
  const shown = async (answer: () => IntakeResult | Promise<IntakeResult>) => {
    const closed = await whyClosedAt(gateways, arrival)
    return closed === null ? answer() : said(closed)
  }
  if (read.kind === 'misread')
    return shown(async () => {
      const answer = await misreadAnswer(visit, read)
      if ('title' in answer) return listed(answer)
      const line = lineToRun(commands, arrival, answer)
      return line === undefined ? { kind: 'said', ...answer } : accept(context, { ...arrival, typed: line })
    })
  if (read.kind === 'incomplete')
    return shown(async () => {
      const instead = arrival.through ? null : await requestsFor(visit, read)
      return instead ?? (await whichProject(visit, 'form', read)) ?? formFor(visit, read)
    })
  const { row, values } = read.read
  if (isFromTable(row)) return shown(() => helpFor(visit, row, values))
  if (arrival.via === 'button' && opensForm(row, values)) return openForm(context, arrival)
  const secret = secretIn(read.read, arrival.sealed === true)
  if (secret !== undefined) return shown(() => ({ kind: 'said', ...secret }))
  if (gateway === undefined) return (await whichProject(visit, 'line', read.read)) ?? said(noProjectText(arrival))
  const place = placeFor(gateway, arrival, row.kind)
  if (place === null) return formFor(visit, { row, values })
  const { line } = await withNamesInTexts(gateway.namesOf, commands, read.read)
  const receivedAt = clock.now()
  const request: Request = {
    id: requestIdOf(arrival.delivery),
    project: gateway.project,
    kind: row.kind,
    line,
    actor: arrival.actor,
    place,
    via: arrival.via,
    ...(arrival.open === true && { open: true }),
    ...(arrival.sealed === true && { sealed: true }),
    ...(arrival.through !== undefined && { through: arrival.through }),
    receivedAt,
    status: 'received',
    notes: [],
    nextAt: receivedAt,
  }
  const result = taken(await receive(gateway, request, arrival.replyUrl))
  return result.kind === 'accepted' ? { ...result, channel: place.channel } : result
}

/** Accepts a person's answer to a request. `value` comes from our button: the request's id and its ask's number. */
export async function acceptAnswer(
  { gateways, clock }: Pick<IntakeContext, 'gateways' | 'clock'>,
  arrival: Omit<Arrival, 'typed' | 'open' | 'via'> & Pick<Press, 'yes' | 'outside'> & { readonly value: string },
): Promise<IntakeResult> {
  const [, request, n] = /^([\w-]{22})\.(\d{1,3})$/.exec(arrival.value) ?? []
  const gateway = gatewayFor(gateways, arrival)
  if (gateway === undefined && arrival.project !== undefined) return said(noProjectText(arrival))
  if (request === undefined || n === undefined || gateway === undefined) return said(say('approval.replaced'))
  const { actor, yes, outside } = arrival
  const [id, at] = [requestIdOf(arrival.delivery), clock.now()]
  const channel = arrival.channel === '' ? actor.user : arrival.channel
  const press: Press = { id, request, ask: Number(n), yes, actor, channel, at, ...(outside && { outside }) }
  return taken(await receivePress(gateway, press, arrival.replyUrl), say('request.pressPerhapsStored'))
}

export async function openForm(context: IntakeContext, arrival: Arrival): Promise<IntakeResult> {
  const visit = visitOf(context, arrival)
  const { commands } = visit
  const read = commands.parse(arrival.typed)
  const begun = begunIn(read)
  // A button's line may have a gap, such as a schedule without a direction.
  const isGap = read.kind === 'misread' && begun && commands.write(begun.row.name, begun.values) === arrival.typed
  const wrong = isGap ? undefined : begun?.wrong
  if (begun === undefined || (read.kind === 'misread' && !isGap && wrong === undefined))
    return said('says' in read ? read.says : '')
  const { values } = begun
  // "Scale my-llm to 0" is a stop: its example is of another command.
  const row = commands.find(wrong?.example?.split(' ')[0] ?? '') ?? begun.row
  const closed = await whyNotDecline(visit, { row, values })
  if (closed !== null) return said(closed)
  const instead = await requestsFor(visit, { row, values })
  return instead ?? formFor(visit, { row, values, ...(row === begun.row && { wrong }) })
}

/** Lists the requests of a list again, without the one that a press in it has answered. Null if it was the last. */
export async function listWithout(context: IntakeContext, arrival: Arrival): Promise<QueryAnswer | null> {
  const begun = begunIn(context.commands.parse(arrival.typed))
  if (begun === undefined) return null
  const { request, endpoint, because } = begun.values
  const wanted = { row: begun.row, values: because === undefined ? {} : { because } }
  const [, answered] = idWord.exec(String(request ?? endpoint)) ?? []
  const list = await requestsFor(visitOf(context, arrival), wanted, answered)
  return list?.kind === 'answered' ? list.answer : null
}

/** Lists the requests that a line like a bare `cancel` could be about. Null for any other line. */
async function requestsFor(visit: Visit, wanted: Command, answered?: string): Promise<IntakeResult | null> {
  const instead = await offersInstead(visit, wanted, answered)
  if (instead === null) return null
  const closed = await whyClosedTo(visit.gateway, visit, neededFor(wanted.row, wanted.values))
  return closed === null ? listed(instead) : said(closed)
}

/** Returns a row's form with the values known so far, or a refusal for a person without the role. */
async function formFor(visit: Visit, wanted: Pick<Form, 'row' | 'values' | 'wrong' | 'says'>): Promise<IntakeResult> {
  const { gateway, channel, replyUrl } = visit
  const closed = await whyClosedTo(gateway, visit, neededFor(wanted.row, wanted.values))
  if (closed !== null) return said(closed)
  // By the time the form is submitted, its channel may belong to another project with an endpoint of the same name.
  const { project } = gateway ?? visit
  const from = { channel, ...(project !== undefined && { project }), ...(replyUrl !== undefined && { replyUrl }) }
  const placeless = channel === '' && wanted.row.kind === 'operation' && gateway?.operationsChannel() === undefined
  const known = gateway === undefined ? wanted : await openingOf(gateway, visit, wanted)
  return { kind: 'form', form: { ...wanted, ...known, from, placeless } }
}

/** Shows the rows that this person may use, or one row to anyone. Examples use a real endpoint's name. */
async function helpFor(visit: Visit, row: Query, values: FieldValues): Promise<IntakeResult> {
  const { gateway, gateways, commands, clock, actor, channel } = visit
  const { rows } = commands
  const role = await roleIn(gateways, { actor, channel })
  const isOne = values['about'] !== undefined
  // Without a role, the list would contain only hidden rows.
  if (!isOne && (role === null || role === undefined)) return said(noRoleText(role))
  const listed = isOne || role === null || role === undefined ? rows : rowsFor(role, rows)
  const known = await gateway?.store.names().catch(() => null)
  const about = writeWord(known?.endpoints[0]?.name ?? exampleName)
  const shown = listed.map((one) => ({ ...one, examples: one.examples.map((line) => exampleAbout(about, line)) }))
  const context = { values, rows: shown, now: clock.now(), project: gateway?.project ?? '', role: role ?? null }
  const answer = row.show(undefined, context)
  const hidden = hiddenText(rows, listed)
  return { kind: 'answered', answer: hidden === '' ? answer : { ...answer, foot: [hidden, answer.foot ?? ''] } }
}

/** Outside channels, a query is answered directly and an operation needs the operations channel; null without one. */
function placeFor({ operationsChannel }: ProjectGateway, arrival: Arrival, kind: 'query' | 'operation'): Place | null {
  const { channel, chosen, actor } = arrival
  const operations = operationsChannel()
  if (channel !== '') return { channel, ...(chosen === true && { chosen }) }
  if (kind === 'query') return { channel: actor.user, chosen: true }
  return operations === undefined ? null : { channel: operations, chosen: true }
}

/** Asks for the project, offering those where the sender may use the row. Null if the project is clear. */
async function whichProject(
  visit: Visit,
  opens: 'line' | 'form',
  { row, values }: Command,
): Promise<IntakeResult | null> {
  const among = unclear(visit.gateways, visit)
  if (among.length === 0) return null
  const needed = neededFor(row, values)
  // People without a role may still ask why they have none.
  const isForAll = row.kind === 'query' && row.stranger !== undefined
  const mine = isForAll ? among : await reachable(among, visit.actor, visit.channel, needed)
  if (mine.length > 0)
    return { kind: 'which project', among: mine.map(({ project }) => project), line: visit.typed, opens }
  const role = await roleIn(visit.gateways, visit)
  if (role === null || role === undefined) return said(noRoleText(role))
  return said(say('role.inNone', { role: needed, projects: { any: among.map(({ project }) => project) } }))
}

function taken(received: Received, perhaps: Words = say('request.perhapsStored')): IntakeResult {
  const away = { stored: 'storage' } as const
  if (received.kind === 'nothing')
    return { ...said(say('request.notStored', { why: say(`storage.${received.why}`) })), ...away }
  if (received.kind === 'gone') return said(say('request.forgotten'))
  if (received.kind === 'perhaps') return { ...said(perhaps), ...away }
  if (received.kind === 'refused') return { ...said(say(`request.tooMuch.${received.why}`)), stored: 'too often' }
  return received.workers ? { kind: 'accepted' } : { ...said(say('request.noWorker')), stored: 'yes' }
}

/** Returns the requests with their buttons, or only the title if there are none. */
function listed(answer: QueryAnswer): IntakeResult {
  return answer.items.length === 0 ? said(answer.title) : { kind: 'answered', answer }
}

function said(says: Words): Extract<IntakeResult, { kind: 'said' }> {
  return { kind: 'said', says }
}
