import { hash, randomUUID } from 'node:crypto'
import type { AnswerView, RequestView } from '../../adapters/api/views.ts'
import { say, type Words } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { plainText } from '../../core/words/plain.ts'
import { asText } from '../../core/words/render.ts'
import { type ClientTerminal, readGiven } from '../command-line.ts'
import { type Access, type ClientReply, callApi, type Tries } from './calls.ts'
import { accessOf } from './login.ts'
import { badLine, drawAnswer, exitCodes, noEnd, readable, tellFailure } from './show.ts'

/** How long a proposal may take to be asked about, and how long to wait between two looks, ms. */
const [soon, firstPause, longestPause] = [15_000, 250, 2_000]

/** How long a proposal on its way is waited for before this ends, ms: a runner kills what takes longer. */
const longestSend = 8_000

/** How long to wait before another look at what is in the way, ms. */
const [firstRest, longestRest] = [1_000, 30_000]

/** What the API answers a query or a proposal with: a plain answer, or a request. */
type Answered = Pick<RequestView, 'id' | 'open'> & Partial<RequestView> & { readonly again?: true }

/**
 * Hands a line in and returns the exit code. A change is proposed under one key however often it takes to be heard.
 * `near`: what to say of a word that may be a slip, where nobody is logged in.
 */
export async function sendLine(words: readonly string[], terminal: ClientTerminal, near = ''): Promise<number> {
  const { language, out, err } = terminal
  const fail = (says: Words): number => {
    err(asText(says, language))
    return badLine
  }
  const given = readGiven(words)
  if ('wrong' in given) return fail(given.wrong)
  const access = await accessOf(terminal.env)
  if ('wrong' in access) {
    const [word = ''] = given.line.split(' ')
    return fail(access.wrong === '' ? say('terminal.notLoggedIn', { word, near, program }) : access.wrong)
  }
  const { line, reason, wait, json, cancelOnExit, key = randomUUID() } = given
  const tries = wait > 0 ? 'all' : 'lost'
  const looked = await callApi<Answered>(access, `v1/queries?line=${encodeURIComponent(line)}`, terminal, { tries })
  const isQuery = looked.kind !== 'problem' || looked.problem.type !== 'other-kind'
  let id: string | undefined
  /** The proposal on its way. */
  let sent: Promise<unknown> | undefined
  /** Ends before the request does. */
  const leave = async (): Promise<number> => {
    // Without its id nothing can be cancelled.
    if (id === undefined && cancelOnExit) await Promise.race([sent, terminal.wait(longestSend)])
    if (id === undefined) {
      err(asText(say('terminal.unknown', { key }), language))
      return noEnd
    }
    const isCancelled = cancelOnExit && (await cancel(id))
    if (!cancelOnExit) err(asText(say('terminal.open', { key, id, program }), language))
    const left = json ? await callApi<Answered>(access, `v1/requests/${id}`, terminal, { tries: 'one' }) : null
    if (left?.kind === 'ok') out(JSON.stringify(left.body, null, 2))
    return isCancelled ? exitCodes.cancelled : noEnd
  }
  const cancel = async (open: string): Promise<boolean> => {
    const body = { line: `cancel ${open}`, reason: asText(say('terminal.gone'), language), wait: 5 }
    const proposal = { key: `cancel-${open}`, body }
    const reply = await callApi<Answered>(access, 'v1/lines', terminal, { proposal, tries: 'lost' })
    if (reply.kind === 'ok') err(textOf(reply.body, terminal))
    else tellFailure(reply, { json: false, key, access, id: open }, terminal)
    return reply.kind === 'ok' && reply.body.status === 'succeeded'
  }
  if (!isQuery) terminal.onInterrupt(leave)
  const [body, until] = [{ line, ...(reason !== undefined && { reason }) }, terminal.now() + wait]
  /** Proposes it and waits; once more, under the next key, when another request is out of the way. */
  const propose = async (): Promise<ClientReply<Answered>> => {
    let rest = firstRest
    for (let attempt = 1; ; attempt++) {
      const proposal = { key: attempt === 1 ? key : hash('sha256', `${key} ${attempt}`, 'base64url'), body }
      const sending = callApi<Answered>(access, 'v1/lines', terminal, { proposal, tries, until })
      sent = sending
      const reply = await sending
      if (reply.kind !== 'ok') return reply
      id = reply.body.id
      const { again, received = '', blockedBy } = reply.body
      // Without a key of its own it can only be this call that was heard twice.
      if (again && given.key !== undefined && (blockedBy === undefined || wait === 0))
        err(readable(plainText(say('terminal.sameRequest', { at: { at: Date.parse(received) } }), language), terminal))
      const length = Math.max(until - terminal.now(), soon)
      const done = await follow(access, reply.body, { length, waits: wait > 0, tries }, terminal)
      if (done.kind !== 'ok' || done.body.blockedBy === undefined || wait === 0) return done
      id = undefined
      err(`${textOf(done.body, terminal)} ${asText(say('terminal.blocked'), language)}`)
      for (let isOpen = true; isOpen; rest = Math.min(rest * 2, longestRest)) {
        if (terminal.now() >= until) return done
        await terminal.wait(Math.min(rest, until - terminal.now()))
        const other = await callApi<Answered>(access, `v1/requests/${done.body.blockedBy}`, terminal, { tries })
        isOpen = other.kind === 'ok' && other.body.open
      }
    }
  }
  const lookUp = async () =>
    looked.kind !== 'ok' || looked.body.answer
      ? looked
      : follow(access, looked.body, { length: soon, waits: true, tries }, terminal)
  const done = isQuery ? await lookUp() : await propose()
  if (done.kind !== 'ok') return tellFailure(done, isQuery ? { json, access } : { json, access, key, id }, terminal)
  const { body: last } = done
  if (last.open && !isQuery) return leave()
  const answer: AnswerView | undefined = last.answer?.[language]
  if (json) out(JSON.stringify(last, null, 2))
  else if (answer !== undefined) out(drawAnswer(answer, terminal))
  // Whoever stores the JSON reads the end all the same.
  const tell = json ? err : out
  if (answer === undefined && last.open === false)
    tell([textOf(last, terminal), last.quote ?? ''].filter((part) => part !== '').join('\n'))
  for (const other of last.perhaps ?? []) err(`  ${program} ${readable(other, terminal)}`)
  return last.status === undefined || last.already ? 0 : exitCodes[last.status]
}

/** Looks until it is over, `length` (ms) has passed or, unless it `waits`, people have been asked; tells each new state. */
async function follow(
  access: Access,
  first: Answered,
  { length, waits, tries }: { readonly length: number; readonly waits: boolean; readonly tries: Tries },
  terminal: ClientTerminal,
): Promise<ClientReply<Answered>> {
  const end = terminal.now() + length
  let [body, told] = [first, '']
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const { open, status, link } = body
    const isAsked = status === 'running' || (status === 'awaiting' && link !== undefined)
    const says = textOf(body, terminal)
    // Where to answer is known a moment after the question.
    if (open && isAsked && says !== told) {
      told = says
      terminal.err(says)
    }
    if (!open || (isAsked && !waits) || terminal.now() >= end) return { kind: 'ok', body }
    await terminal.wait(Math.min(pause, Math.max(0, end - terminal.now())))
    const next = await callApi<Answered>(access, `v1/requests/${body.id}`, terminal, { tries })
    if (next.kind !== 'ok') return next
    body = next.body
  }
}

function textOf({ id, says, status, link, expires }: Answered, terminal: ClientTerminal): string {
  const said = says?.[terminal.language] ?? ''
  if (status !== 'awaiting' || link === undefined) return readable(said, terminal)
  const until = expires && plainText(say('terminal.asked', { id, at: { at: Date.parse(expires) } }), terminal.language)
  return readable([said, until, link].filter((part) => part).join(' '), terminal)
}
