import { createHash } from 'node:crypto'
import type { Actor, Place } from '../domain/actor.ts'
import { sentences } from '../domain/errors.ts'
import { maskOf } from '../domain/mask.ts'
import type { Press, Request, Via } from '../domain/request.ts'
import type { Clock, Received } from '../lifecycle/ports.ts'
import { receive, receivePress } from '../lifecycle/receive.ts'
import type { Commands } from '../operations/commands.ts'
import { isFromTable } from '../operations/define.ts'
import { type Line, writeLine } from '../operations/line.ts'
import { sentence } from './answer.ts'
import type { Message } from './blocks.ts'
import { calledBy } from './called-by.ts'
import { closedAt, closedTo, type Door, doorFor, reachIn } from './door.ts'
import type { Form } from './form.ts'
import { helpOf } from './help.ts'
import { formButton } from './offers.ts'
import { whichProject } from './which-project.ts'

/** What taking something in needs. */
export interface Reception {
  readonly doors: readonly Door[]
  readonly commands: Commands
  readonly clock: Clock
}

/** A line as it came in, whoever typed or pressed it. */
export interface Arrival {
  /** Of the delivery: the same delivery is the same request. */
  readonly delivery: string
  readonly typed: string
  readonly via: Via
  readonly actor: Actor
  /** '' on the Home and in the global shortcut. */
  readonly channel: string
  /** The channel was picked in a form. */
  readonly chosen?: boolean
  /** Where the channel does not tell it. */
  readonly project?: string
  readonly replyUrl: string | undefined
  /** Show the answer to the whole channel. */
  readonly open?: boolean
  /** A form has sealed the secret values that the line names. */
  readonly sealed?: boolean
}

/** What became of something that came in, for whoever sent it. */
export type Taken =
  /** Stored: the rest is shown when it is done. */
  | { readonly kind: 'taken' }
  /** To be told at once, and to that person alone. */
  | { readonly kind: 'said'; readonly message: Message }
  /** It takes more words: a form asks for them. */
  | { readonly kind: 'form'; readonly form: Form }

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
