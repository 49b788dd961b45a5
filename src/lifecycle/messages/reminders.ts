import type { Ask } from '../../core/model/question.ts'
import { answerersOf, confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import { lasting } from '../../core/time/format.ts'
import { approvals, memberList } from './approvers.ts'
import { type Draft, draft, textPart } from './draft.ts'
import { inWords, type ParsedRequest } from './facts.ts'

/** "Still waiting for 1 more approval: @sre", to those who have not answered. */
export function reminderOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Draft {
  const what = inWords(request, 'ask')
  if (request.requirement !== 'approval') {
    const says = `${what}: still waiting for an answer.`
    const who = confirmerOf(request) === 'admin' ? 'admin' : 'operator'
    return draft(says, [textPart(`${says} `, { person: request.actor }, ` or another ${who} decides.`)])
  }
  const { votes = [] } = request
  const missing = Math.max(1, ask.asking.needed - votes.length)
  const waits = `waiting for ${approvals(missing, votes.length > 0 ? 'more ' : '')}`
  const names = memberList(answerersOf(request, membersOf).now)
  return draft(`${what}: still ${waits}.`, [textPart(`Still ${waits}`, names.length === 0 ? '.' : ': ', ...names)])
}

/** Tells those who may answer from now on, and nobody before; null while nobody was let in. */
export function fallbackOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Draft | null {
  const { fallback } = ask.asking
  if (fallback === null || ask.fellBackAt === undefined) return null
  const { fellBackAt } = ask
  const had = (request.votes ?? []).filter(({ at }) => at <= fellBackAt)
  const waited = lasting(fallback.after)
  const { fellBackAt: _, ...before } = ask
  const { now, later } = answerersOf({ ...request, votes: had, ask: before }, membersOf)
  const [asked, others] = [memberList(now), memberList(later)]
  const nobody = asked.length === 0 ? ['Nobody'] : ['Nobody of ', ...asked]
  const first =
    had.length === 0
      ? [...nobody, ` has answered for ${waited}; `]
      : [`It still takes ${approvals(ask.asking.needed - had.length)} after ${waited}; `]
  const [says, who] =
    others.length === 0
      ? ['and nobody else could answer', ['nobody whom lamplighter.yaml names as fallback could answer.']]
      : ['so others may answer as well', [...others, ' may answer as well.']]
  return draft(`${inWords(request, 'ask')}: nobody has decided for ${waited}, ${says}.`, [textPart(...first, ...who)])
}
