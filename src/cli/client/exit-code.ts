import type { Status } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { asText } from '../../core/words/render.ts'
import type { Access, ClientReply } from './calls.ts'
import type { ClientTerminal, Given } from './given.ts'
import { readable } from './show.ts'

/** What the exit code says of an operation. */
export const exitCodes: Readonly<Record<Status, number>> = {
  succeeded: 0,
  failed: 1,
  attention: 1,
  refused: 2,
  declined: 3,
  cancelled: 3,
  expired: 4,
  received: 4,
  awaiting: 4,
  running: 4,
}
export const [badLine, noEnd] = [2, 4]

/** Says why a call failed, and returns the exit code. `id`: of the request, if it was accepted before the call that failed: then nobody knows here how it ends. */
export function tellFailure(
  reply: Exclude<ClientReply<unknown>, { readonly kind: 'ok' }>,
  {
    json,
    access,
    key = '',
    id,
  }: Pick<Given, 'json' | 'key'> & { readonly access: Access; readonly id?: string | undefined },
  { env, language, out, err }: ClientTerminal,
): number {
  const isUnknown = key !== '' && (id !== undefined || reply.kind === 'unreached' || reply.lost === true)
  const perhaps = id === undefined ? say('terminal.unknown', { key }) : say('terminal.accepted', { id, key })
  if (reply.kind === 'unreached') {
    err(asText(say('terminal.unreached', { url: access.url, why: reply.why }), language))
    if (isUnknown) err(asText(perhaps, language))
    return noEnd
  }
  const { problem } = reply
  const isOpen = isUnknown || problem.status === 503 || problem.type === 'too-many-calls'
  const code = isOpen ? noEnd : problem.status === 500 ? exitCodes.failed : badLine
  if (json) out(JSON.stringify({ ...problem, id, ...(code === badLine && { unchanged: true }) }, null, 2))
  err(readable(problem.says[language], { language }))
  for (const line of problem.perhaps ?? []) err(`  ${program} ${readable(line, { language })}`)
  if (problem.type === 'bad-token' && !env['LAMPLIGHTER_TOKEN'])
    err(asText(say('terminal.loginAgain', { program, url: access.url }), language))
  if (isUnknown) err(asText(perhaps, language))
  return code
}
