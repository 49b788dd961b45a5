import type { Ask } from '../../../core/model/question.ts'
import { confirmerOf } from '../../../core/policy/who-answers.ts'
import { lasting } from '../../../core/time/format.ts'
import { type Message, message, paragraph } from '../kit/blocks.ts'
import { approvals, type MembersOf, namesOf, stillAble } from './approvers.ts'
import { inWords, type ParsedRequest } from './facts.ts'

/** "Still waiting for 1 more approval: @sre", to those who have not answered. */
export function reminderOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Message {
  const what = inWords(request, 'ask')
  if (request.requirement !== 'approval') {
    const says = `${what}: still waiting for an answer.`
    const who = confirmerOf(request) === 'admin' ? 'admin' : 'operator'
    return message(says, [paragraph(`${says} `, { person: request.actor }, ` or another ${who} decides.`)])
  }
  const { votes = [] } = request
  const missing = approvals(Math.max(1, ask.asking.needed - votes.length))
  const says = `Still waiting for ${votes.length === 0 ? missing : missing.replace(' ', ' more ')}`
  const names = namesOf(request, ask, membersOf)
  return message(`${what}: ${says.charAt(0).toLowerCase()}${says.slice(1)}.`, [
    paragraph(says, names.length === 0 ? '.' : ': ', ...names),
  ])
}

/** Tells those who may answer from now on, and nobody before; null while nobody was let in. */
export function fallbackOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Message | null {
  const { fallback } = ask.asking
  if (fallback === null || ask.fellBackAt === undefined) return null
  const { fellBackAt } = ask
  const had = (request.votes ?? []).filter(({ at }) => at <= fellBackAt)
  const then = { ...request, votes: had }
  const waited = lasting(fallback.after)
  const { fellBackAt: _, ...before } = ask
  const asked = namesOf(then, before, membersOf)
  const nobody = asked.length === 0 ? ['Nobody'] : ['Nobody of ', ...asked]
  const first =
    had.length === 0
      ? [...nobody, ` has answered for ${waited}; `]
      : [`It still takes ${approvals(ask.asking.needed - had.length)} after ${waited}; `]
  const others = stillAble(fallback.to, then, ask)
  const [says, who] =
    others.length === 0
      ? ['and nobody else could answer', ['nobody whom lamplighter.yaml names as fallback could answer.']]
      : ['so others may answer as well', [...others, ' may answer as well.']]
  return message(`${inWords(request, 'ask')}: nobody has decided for ${waited}, ${says}.`, [
    paragraph(...first, ...who),
  ])
}
