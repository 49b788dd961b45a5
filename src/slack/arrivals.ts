import { createHash } from 'node:crypto'
import type { Actor } from '../domain/actor.ts'
import { sentences } from '../domain/errors.ts'
import type { Press, Request } from '../domain/request.ts'
import type { Clock, Received } from '../lifecycle/ports.ts'
import { type Doors, receive, receivePress } from '../lifecycle/receive.ts'
import { rows } from '../operations/index.ts'
import { readLine } from '../operations/line.ts'
import { sentence, shownMessage } from './answer.ts'
import type { Message } from './blocks.ts'

/** A project as a door sees it: which channels are its own, and where its requests are stored. */
export interface Door extends Doors {
  readonly project: string
  /** Channel ids; `*` is every channel that no other project names. */
  readonly channels: readonly string[]
}

/** A line as it came in, whoever typed or pressed it. */
export interface Arrival {
  /** Of the delivery: the same delivery is the same request. */
  readonly delivery: string
  readonly typed: string
  readonly actor: Actor
  readonly channel: string
  readonly replyUrl: string | undefined
  /** Show the answer to the whole channel. */
  readonly open?: boolean
}

/**
 * Takes a line in: reads it, stores it, wakes a worker. Returns what its sender is told at once, or null when there
 * is nothing to say before the work is done. Everything slow happens elsewhere.
 */
export async function arrive(doors: readonly Door[], clock: Clock, arrival: Arrival): Promise<Message | null> {
  const read = readLine(arrival.typed, rows)
  if (read.kind !== 'line') return sentence(read.says)
  const { row, values, line } = read.read
  const door = doorFor(doors, arrival.channel)
  if (row.kind === 'query' && row.call === undefined) {
    return shownMessage(
      row.show(undefined, { values, rows, now: clock.now(), project: door?.project ?? '', role: null }),
    )
  }
  if (door === undefined) return sentence(sentences.noProject)
  const request: Request = {
    id: idOf(arrival.delivery),
    project: door.project,
    kind: row.kind,
    line,
    actor: arrival.actor,
    place: { channel: arrival.channel },
    ...(arrival.open === true && { open: true }),
    receivedAt: clock.now(),
    status: 'received',
    notes: [],
    nextAt: clock.now(),
  }
  return said(await receive(door, request, arrival.replyUrl))
}

/** Takes somebody's answer to a request in. `value` is what our button carries: the request and the ask it answers. */
export async function answerArrives(
  doors: readonly Door[],
  clock: Clock,
  arrival: Omit<Arrival, 'typed' | 'open'> & { readonly value: string; readonly yes: boolean },
): Promise<Message | null> {
  const [, request, n] = /^([\w-]{22})\.(\d{1,3})$/.exec(arrival.value) ?? []
  const door = doorFor(doors, arrival.channel)
  if (request === undefined || n === undefined || door === undefined) return sentence(sentences.oldAsk)
  const { actor, channel, yes } = arrival
  const press: Press = { id: idOf(arrival.delivery), request, ask: Number(n), yes, actor, channel, at: clock.now() }
  return said(await receivePress(door, press, arrival.replyUrl))
}

/** The project of a channel: the one that names it, else the one that takes every channel. */
function doorFor(doors: readonly Door[], channel: string): Door | undefined {
  return (
    doors.find(({ channels }) => channels.includes(channel)) ?? doors.find(({ channels }) => channels.includes('*'))
  )
}

function idOf(delivery: string): string {
  return createHash('sha256').update(delivery).digest('base64url').slice(0, 22)
}

function said(received: Received): Message | null {
  if (received.kind === 'nothing') return sentence(sentences.nothingStored)
  if (received.kind === 'perhaps') return sentence(sentences.perhapsStored)
  return received.workers ? null : sentence(sentences.noWorker)
}
