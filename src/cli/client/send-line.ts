import { hash, randomUUID } from 'node:crypto'
import { say, type Words } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { plainText } from '../../core/words/plain.ts'
import { asText } from '../../core/words/render.ts'
import { type ClientTerminal, type Given, harmlessJson, readGiven } from '../command-line.ts'
import { type Access, type ClientReply, callApi, type Tries } from './call-api.ts'
import { accessOf } from './login.ts'
import {
  type Answered,
  badLine,
  exitCodes,
  noEnd,
  readable,
  showResult,
  stateText,
  tellFailure,
  unchanged,
} from './show.ts'

/** How long a question may take to appear, ms. */
const soon = 15_000

/** How long to wait for a proposal under way before exiting, ms: a CI runner kills a slower process. */
const longestSend = 8_000

/** The pauses between two checks of a request, and of one that is in the way, ms. */
const [firstPause, longestPause, firstRest, longestRest] = [250, 2_000, 1_000, 30_000]

/** Returns the exit code. A change keeps one key over all its retries. `near`: a hint if the word may be a typo. */
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
  const isRepeat = given.key !== undefined
  const tries = wait > 0 ? 'all' : 'one'
  let leave = async (): Promise<number> => {
    if (!isRepeat) terminal.out(unchanged)
    return noEnd
  }
  // A script reads from the JSON that nothing has been proposed yet.
  if (json) terminal.onInterrupt(() => leave())
  const onInterrupt: typeof terminal.onInterrupt = (next) => {
    leave = next
  }
  const looked = await callApi<Answered>(access, `v1/queries?line=${encodeURIComponent(line)}`, terminal, { tries })
  if (looked.kind === 'problem' && looked.problem.type === 'other-kind')
    return sendChange(access, given, wait > 0 ? 'all' : 'lost', json ? { ...terminal, onInterrupt } : terminal)
  const isKnown = looked.kind !== 'ok' || looked.body.answer !== undefined
  const done = isKnown ? looked : await follow(access, looked.body, { length: soon, waits: true, tries }, terminal)
  if (done.kind === 'ok') return showResult(done.body, json, terminal)
  return tellFailure(done, { json, access, isRepeat }, terminal)
}

async function sendChange(access: Access, given: Given, tries: Tries, terminal: ClientTerminal): Promise<number> {
  const { language, out, err } = terminal
  const { line, reason, wait, json, cancelOnExit, key = randomUUID() } = given
  const [body, until] = [{ line, ...(reason !== undefined && { reason }) }, terminal.now() + wait]
  let id: string | undefined
  let sent: Promise<ClientReply<Answered>> | undefined
  /** The last answer, if it was a refusal and nothing has been proposed since. */
  let refused: Answered | undefined
  let left: Promise<number> | undefined
  function leaveOnce(): Promise<number> {
    left ??= leave()
    return left
  }
  terminal.onInterrupt(leaveOnce)
  const done = await propose()
  // Its JSON is the only one.
  if (json && left !== undefined) return left
  if (done.kind !== 'ok') {
    const code = tellFailure(done, { json, access, key, id, isRepeat: given.key !== undefined }, terminal)
    if (cancelOnExit && id !== undefined && (done.kind !== 'problem' || done.problem.status !== 401)) await cancel(id)
    return code
  }
  return done.body.open ? leaveOnce() : showResult(done.body, json, terminal)

  /** Proposes the line and waits; again, with the next key, when another request is out of the way. */
  async function propose(): Promise<ClientReply<Answered>> {
    let rest = firstRest
    for (let attempt = 1; ; attempt++) {
      const proposal = { key: attempt === 1 ? key : hash('sha256', `${key} ${attempt}`, 'base64url'), body }
      refused = undefined
      sent = callApi<Answered>(access, 'v1/lines', terminal, { proposal, tries, until })
      const reply = await sent
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
      refused = ended.body
      err(`${stateText(ended.body, terminal)} ${asText(say('terminal.blocked'), language)}`)
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
    if (refused !== undefined) {
      if (json) out(harmlessJson(JSON.stringify(refused, null, 2)))
      return noEnd
    }
    // It can't be cancelled without its id.
    if (id === undefined && cancelOnExit) await Promise.race([sent, terminal.wait(longestSend)])
    if (id === undefined) {
      err(asText(say('terminal.unknown', { key }), language))
      return noEnd
    }
    const isCancelled = cancelOnExit && (await cancel(id))
    if (!cancelOnExit) err(asText(say('terminal.open', { key, id, program }), language))
    const left = json ? await callApi<Answered>(access, `v1/requests/${id}`, terminal, { tries: 'one' }) : null
    if (left?.kind === 'ok') out(harmlessJson(JSON.stringify(left.body, null, 2)))
    return isCancelled ? exitCodes.cancelled : noEnd
  }

  async function cancel(open: string): Promise<boolean> {
    const body = { line: `cancel ${open}`, reason: asText(say('terminal.gone'), language), wait: 5 }
    const proposal = { key: `cancel-${open}`, body }
    const reply = await callApi<Answered>(access, 'v1/lines', terminal, { proposal, tries: 'lost' })
    if (reply.kind === 'ok') err(stateText(reply.body, terminal))
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
    const says = stateText(body, terminal)
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
