import { createHash } from 'node:crypto'
import type { Commands } from '../../../core/commands/commands.ts'
import { isFromTable } from '../../../core/commands/define.ts'
import { type Line, writeLine } from '../../../core/commands/parse.ts'
import { deedOf } from '../../../core/commands/phrases.ts'
import type { Place } from '../../../core/model/actor.ts'
import type { Given, Press, Request } from '../../../core/model/request.ts'
import { sentences } from '../../../core/model/sentences.ts'
import type { Received } from '../../../core/ports/services.ts'
import { receive, receivePress } from '../../../core/requests/receive.ts'
import { maskOf } from '../../../core/text/redact.ts'
import type { Form } from '../forms/form.ts'
import { helpOf } from '../home/menu.ts'
import { formButton, type Message } from '../kit/blocks.ts'
import { sentence } from '../messages/query-answer.ts'
import { closedAt, closedTo, type Door, doorFor, reachIn } from '../projects.ts'
import type { Arrival, Reception, Taken } from './arrival.ts'
import { whichProject } from './which-project.ts'

/** Takes a line in: reads it, stores it, wakes a worker. Everything slow happens elsewhere. */
export async function arrive({ doors, commands, clock }: Reception, arrival: Arrival): Promise<Taken> {
  const read = commands.parse(arrival.typed)
  const door = doorFor(doors, arrival)
  // What is stored is judged by a worker; what is answered here shows nothing to somebody without a role.
  const shown = async (answer: () => Taken | Promise<Taken>) => {
    const closed = await closedAt(doors, arrival)
    return closed === null ? answer() : said(sentence(closed))
  }
  if (read.kind === 'misread') return shown(() => said(sentence(read.says)))
  if (read.kind === 'incomplete')
    return shown(async () => {
      const { row, values, missing, says } = read
      const wrong = missing.length === 0 && { wrong: says }
      const called = await calledBy(door, commands, values)
      const question = await whichProject(doors, arrival, 'form', read)
      return question === null ? formFor(door, arrival, { row, values, says, ...wrong, ...called }) : said(question)
    })
  const { row, values, line } = read.read
  if (isFromTable(row))
    return shown(async () => {
      const reach = await reachIn(doors, arrival.actor, arrival.channel)
      return said(helpOf(commands, row, values, { project: door?.project ?? '', now: clock.now(), ...reach }))
    })
  const unsealed = arrival.sealed === true ? undefined : unsealedIn(read.read)
  if (unsealed !== undefined) return shown(() => said(unsealed))
  const token = tokenIn(read.read)
  if (token !== undefined) return shown(() => said(token))
  if (door === undefined)
    return said((await whichProject(doors, arrival, 'line', read.read)) ?? sentence(sentences.noProject))
  const place = placeFor(door, arrival, row.kind)
  if (place === null) return formFor(door, arrival, { row, values })
  const request: Request = {
    id: requestIdOf(arrival.delivery),
    project: door.project,
    kind: row.kind,
    line,
    actor: arrival.actor,
    place,
    via: arrival.via,
    ...(arrival.open === true && { open: true }),
    ...(arrival.sealed === true && { sealed: true }),
    receivedAt: clock.now(),
    status: 'received',
    notes: [],
    nextAt: clock.now(),
  }
  return taken(await receive(door, request, arrival.replyUrl))
}

/** A form for what came in, whatever is known of it by now; why not, to somebody without a role. */
export async function formFor(
  door: Door | undefined,
  arrival: Arrival,
  wanted: Omit<Form, 'from' | 'placeless'>,
): Promise<Taken> {
  const closed = await closedTo(door, arrival)
  if (closed !== null) return said(sentence(closed))
  const { channel, project, replyUrl } = arrival
  const from = { channel, ...(project !== undefined && { project }), ...(replyUrl !== undefined && { replyUrl }) }
  const placeless = channel === '' && wanted.row.kind === 'operation' && door?.operationsChannel() === undefined
  return { kind: 'form', form: { ...wanted, from, placeless } }
}

/** Secret values are never typed, so a typed line that names some is answered by the way to the form. */
function unsealedIn({ row, values }: Line): Message | undefined {
  const secret = Object.entries(row.fields).find(
    ([name, field]) => field.kind === 'secrets' && typeof values[name] === 'string',
  )
  if (secret === undefined) return undefined
  const [name, { label }] = secret
  return sentence(
    `${label} are set in the form, where values stay hidden. Nothing was done.`,
    formButton(writeLine(row, { ...values, [name]: undefined })),
  )
}

const hide = maskOf()

/** Whatever looks like a token is not even stored: it would stand on a card and in the history. */
function tokenIn({ row, values, line }: Line): Message | undefined {
  if (hide(line) === line) return undefined
  const rest = Object.fromEntries(Object.entries(values).filter(([, value]) => hide(String(value)) === String(value)))
  return sentence(sentences.token, ...(row.kind === 'operation' ? [formButton(writeLine(row, rest))] : []))
}

/**
 * Where a request belongs. What was asked for in no channel: a query is answered directly, an operation is shown and
 * asked about where the project's people are, in the operations channel; without one (null) its form asks for a channel.
 */
function placeFor({ operationsChannel }: Door, arrival: Arrival, kind: 'query' | 'operation'): Place | null {
  const { channel, chosen, actor } = arrival
  const operations = operationsChannel()
  if (channel !== '') return { channel, ...(chosen === true && { chosen }) }
  if (kind === 'query') return { channel: actor.user, chosen: true }
  return operations === undefined ? null : { channel: operations, chosen: true }
}

/** Takes somebody's answer to a request in. `value` is what our button carries: the request and the ask it answers. */
export async function answerArrives(
  { doors, clock }: Pick<Reception, 'doors' | 'clock'>,
  arrival: Omit<Arrival, 'typed' | 'open' | 'via'> & { readonly value: string; readonly yes: boolean },
): Promise<Taken> {
  const [, request, n] = /^([\w-]{22})\.(\d{1,3})$/.exec(arrival.value) ?? []
  const door = doorFor(doors, arrival)
  if (request === undefined || n === undefined || door === undefined) return said(sentence(sentences.oldAsk))
  const { actor, yes } = arrival
  const channel = arrival.channel === '' ? actor.user : arrival.channel
  const press: Press = {
    id: requestIdOf(arrival.delivery),
    request,
    ask: Number(n),
    yes,
    actor,
    channel,
    at: clock.now(),
  }
  return taken(await receivePress(door, press, arrival.replyUrl), sentences.pressPerhapsStored)
}

/** The same delivery is the same request. */
export function requestIdOf(delivery: string): string {
  return createHash('sha256').update(delivery).digest('base64url').slice(0, 22)
}

function taken(received: Received, perhaps: string = sentences.perhapsStored): Taken {
  if (received.kind === 'nothing') return said(sentence(sentences.nothingStored(received.why)))
  if (received.kind === 'gone') return said(sentence(sentences.forgotten))
  if (received.kind === 'perhaps') return said(sentence(perhaps))
  if (received.kind === 'refused') return said(sentence(sentences.tooMuch[received.why]))
  return received.workers ? { kind: 'taken' } : said(sentence(sentences.noWorker))
}

function said(message: Message): Taken {
  return { kind: 'said', message }
}

/** What a request does that a line names by its id, for a form about it; nothing where it cannot be had at once. */
export async function calledBy(
  door: Door | undefined,
  commands: Commands,
  { request: id }: Given,
): Promise<Pick<Form, 'called'>> {
  if (typeof id !== 'string' || !/^[\w-]{22}$/.test(id)) return {}
  const request = await door?.store.load(id).catch(() => null)
  if (!request) return {}
  return { called: deedOf(commands.operation(request.line), request.endpoint?.name ?? '', request.change) }
}
