import { hash, randomUUID } from 'node:crypto'
import type { AnswerView, RequestView } from '../../adapters/api/views.ts'
import { say, type Words } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { plainText } from '../../core/words/plain.ts'
import { asText } from '../../core/words/render.ts'
import { type ClientTerminal, type Given, readGiven } from '../command-line.ts'
import { type Access, type ClientReply, callApi, type Tries } from './call-api.ts'
import { accessOf } from './login.ts'
import { badLine, drawAnswer, exitCodes, noEnd, readable, tellFailure } from './show.ts'

/** How long a question may take to appear, and the pauses between two checks. ms. */
const [soon, firstPause, longestPause] = [15_000, 250, 2_000]

/** How long to wait for a proposal under way before exiting, ms: a CI runner kills a slower process. */
const longestSend = 8_000

/** The pauses between two checks of the request in the way. ms. */
const [firstRest, longestRest] = [1_000, 30_000]

/** The API's reply to a query or a proposal: a plain answer, or a request. */
type Answered = Pick<RequestView, 'id' | 'open'> & Partial<RequestView> & { readonly again?: true }

/**
 * Sends a line and returns the exit code. A change keeps one key over all its retries. `near` is what to say about a
 * word that may be a typo if nobody is logged in.
 */
export async function sendLine(words: readonly string[], terminal: ClientTerminal, near = ''): Promise<number> {
  const fail = (says: Words): number => {
    terminal.err(asText(says, terminal.language))
    return badLine
  }
  const given = readGiven(words)
  if ('wrong' in given) return fail(given.wrong)
  const access = await accessOf(terminal.env)
  if ('wrong' in access) {
    const [word = ''] = given.line.split(' ')
    return fail(access.wrong === '' ? say('terminal.notLoggedIn', { word, near, program }) : access.wrong)
  }
  const { line, json, wait } = given
  const tries = wait > 0 ? 'all' : 'lost'
  const looked = await callApi<Answered>(access, `v1/queries?line=${encodeURIComponent(line)}`, terminal, { tries })
  if (looked.kind === 'problem' && looked.problem.type === 'other-kind')
    return sendChange(access, given, tries, terminal)
  const isKnown = looked.kind !== 'ok' || looked.body.answer !== undefined
  const done = isKnown ? looked : await follow(access, looked.body, { length: soon, waits: true, tries }, terminal)
  return done.kind === 'ok' ? show(done.body, json, terminal) : tellFailure(done, { json, access }, terminal)
}

/** Prints the result, and returns the exit code. */
function show(last: Answered, json: boolean, terminal: ClientTerminal): number {
  const { language, out, err } = terminal
  const answer: AnswerView | undefined = last.answer?.[language]
  if (json) out(JSON.stringify(last, null, 2))
  else if (answer !== undefined) out(drawAnswer(answer, terminal))
  // Someone who redirects the JSON still reads the result.
  const tell = json ? err : out
  if (answer === undefined && last.open === false)
    tell([textOf(last, terminal), last.quote ?? ''].filter((part) => part !== '').join('\n'))
  for (const other of last.perhaps ?? []) err(`  ${program} ${readable(other, terminal)}`)
  return last.status === undefined || last.already ? 0 : exitCodes[last.status]
}

/** Proposes a change and waits for its end. */
async function sendChange(access: Access, given: Given, tries: Tries, terminal: ClientTerminal): Promise<number> {
  const { language, out, err } = terminal
  const { line, reason, wait, json, cancelOnExit, key = randomUUID() } = given
  const [body, until] = [{ line, ...(reason !== undefined && { reason }) }, terminal.now() + wait]
  let id: string | undefined
  /** The proposal under way. */
  let sent: Promise<unknown> | undefined
  terminal.onInterrupt(leave)
  const done = await propose()
  if (done.kind !== 'ok') {
    const code = tellFailure(done, { json, access, key, id }, terminal)
    if (cancelOnExit && id !== undefined) await cancel(id)
    return code
  }
  return done.body.open ? leave() : show(done.body, json, terminal)

  /** Proposes the line and waits; again, with the next key, when another request is out of the way. */
  async function propose(): Promise<ClientReply<Answered>> {
    let rest = firstRest
    for (let attempt = 1; ; attempt++) {
      const proposal = { key: attempt === 1 ? key : hash('sha256', `${key} ${attempt}`, 'base64url'), body }
      const sending = callApi<Answered>(access, 'v1/lines', terminal, { proposal, tries, until })
      sent = sending
      const reply = await sending
      if (reply.kind !== 'ok') return reply
      id = reply.body.id
      const { again, received = '', blockedBy } = reply.body
      // Without a key from the user, only a repeat of this very call can be meant.
      if (again && given.key !== undefined && (blockedBy === undefined || wait === 0))
        err(readable(plainText(say('terminal.sameRequest', { at: { at: Date.parse(received) } }), language), terminal))
      const length = Math.max(until - terminal.now(), soon)
      const ended = await follow(access, reply.body, { length, waits: wait > 0, tries }, terminal)
      if (ended.kind !== 'ok' || ended.body.blockedBy === undefined || wait === 0) return ended
      id = undefined
      err(`${textOf(ended.body, terminal)} ${asText(say('terminal.blocked'), language)}`)
      for (let isOpen = true; isOpen; rest = Math.min(rest * 2, longestRest)) {
        if (terminal.now() >= until) return ended
        await terminal.wait(Math.min(rest, until - terminal.now()))
        const other = await callApi<Answered>(access, `v1/requests/${ended.body.blockedBy}`, terminal, { tries })
        isOpen = other.kind === 'ok' && other.body.open
      }
    }
  }

  /** Exits before the request has ended. */
  async function leave(): Promise<number> {
    // It can't be cancelled without its id.
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

  async function cancel(open: string): Promise<boolean> {
    const body = { line: `cancel ${open}`, reason: asText(say('terminal.gone'), language), wait: 5 }
    const proposal = { key: `cancel-${open}`, body }
    const reply = await callApi<Answered>(access, 'v1/lines', terminal, { proposal, tries: 'lost' })
    if (reply.kind === 'ok') err(textOf(reply.body, terminal))
    else tellFailure(reply, { json: false, key, access, id: open }, terminal)
    return reply.kind === 'ok' && reply.body.status === 'succeeded'
  }
}

/** Polls a request and reports each state until it ends, `length` (ms) passes or, unless `waits`, people are asked. */
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
    // The link to the question follows a moment after it.
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
