import type { ClientTerminal } from '../command-line.ts'
import { type Access, type ClientReply, callApi, type Tries } from './call-api.ts'
import { type Answered, stateText } from './show.ts'

/** The pauses between two checks, ms. */
const [firstPause, longestPause] = [250, 2_000]

/** Polls a request and reports each state until it ends, `length` (ms) passes or, unless `waits`, people are asked. */
export async function follow(
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
