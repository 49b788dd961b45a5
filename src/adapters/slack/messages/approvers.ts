import type { RichTextBlock } from '@slack/types'
import type { Actor } from '../../../core/model/actor.ts'
import type { Told } from '../../../core/model/answer.ts'
import type { Impact } from '../../../core/model/policy.ts'
import type { Ask, Vote } from '../../../core/model/question.ts'
import type { Request } from '../../../core/model/request.ts'
import type { Member, Role } from '../../../core/model/roles.ts'
import { answerersOf, confirmerOf } from '../../../core/policy/who-answers.ts'
import { instant } from '../../../core/time/format.ts'
import { paragraph } from '../kit/blocks.ts'
import { type Mention, markupOf, type Piece } from '../kit/rich-text.ts'

/** Whom the policy gives a role. */
export type MembersOf = (role: Role) => readonly Member[]

/** More would call half the workspace together. */
const most = 10

/** "It takes 2 approvals." */
export function countOf({ asking }: Ask): string {
  return `It takes ${approvals(asking.needed)}.`
}

export function approvals(count: number): string {
  return count === 1 ? '1 approval' : `${count} approvals`
}

/** Who decides without an approval. */
export function confirmersOf(request: Request): string {
  return confirmerOf(request) === 'admin' ? 'Any admin decides.' : 'The requester or another operator decides.'
}

/** Who may approve: "@sre or @ben may give them, the requester may not." */
export function whoMay(request: Request, ask: Ask, membersOf: MembersOf): readonly Piece[] {
  const names = namesOf(request, ask, membersOf)
  const them = ask.asking.needed === 1 ? 'it' : 'them'
  const others = standInsOf(ask)
  const also = others.length === 0 ? [] : [' (', ...others, ')']
  if (names.length === 0 && others.length === 0)
    return ['Nobody whom lamplighter.yaml names for approvals could give it now.']
  return [...(names.length === 0 ? ['Any approver'] : names), ` may give ${them}`, ...also, ', the requester may not.']
}

/** Exactly those who may approve and have not: the policy's list or its approvers, and whoever was let in later. */
export function namesOf(request: Request, ask: Ask, membersOf: MembersOf): readonly Piece[] {
  const later = ask.fellBackAt === undefined ? [] : (ask.asking.fallback?.to ?? [])
  return stillAble([...answerersOf('approval', ask.asking, membersOf), ...later], request, ask)
}

/** Members but for the requester, those who have voted, and those who could not approve. */
export function stillAble(members: readonly Member[], { actor, votes = [] }: Request, ask: Ask): readonly Piece[] {
  const unable = (ask.unable ?? []).map((user) => ({ team: '', user }))
  return joined(members, [actor, ...votes.map(({ by }) => by), ...unable])
}

/** "@cleo for @ben until Jan 5 at 09:00": what is over by then need not be looked at to be true. */
function standInsOf({ standIns = [] }: Ask): readonly Piece[] {
  return standIns.flatMap(({ to, of, until }, at) => [
    ...(at === 0 ? [] : [', ']),
    { person: to },
    ' for ',
    { person: of },
    ` until ${instant(until)}`,
  ])
}

/** A sentence's texts and people. */
export function toldIn(told: Told = []): readonly Piece[] {
  return told.map((part) => (typeof part === 'string' ? part : mentionOf(part)))
}

function mentionOf(member: Member): Piece {
  if (member.kind === 'everyone') return 'anybody in this workspace'
  if (member.kind === 'user') return { person: { team: '', user: member.id } }
  return member.kind === 'group' ? { group: member.id } : { channel: member.id }
}

/** Until when an answer counts, as the end of the question. */
export function untilIn({ expiresAt }: Ask): string {
  return ` Open until ${instant(expiresAt)}.`
}

/** What protects the endpoint that is asked about. */
export function guardIn({ guard }: Ask): readonly (string | Mention)[] {
  if (guard === undefined) return []
  return guard.who === undefined ? [inPolicyWords(guard.says)] : [{ person: guard.who }, guard.says]
}

/** Members of the policy but for some people: "@sre, @ops or @ben"; nothing where that is nobody. */
export function joined(members: readonly Member[], without: readonly Actor[] = []): readonly Piece[] {
  if (members.some(({ kind }) => kind === 'everyone')) return ['Anybody in this workspace']
  const shown = members.flatMap((member): Mention[] => {
    if (member.kind === 'everyone') return []
    if (member.kind !== 'user') return [member.kind === 'group' ? { group: member.id } : { channel: member.id }]
    // The policy's people are all of the home workspace.
    return without.some(({ user }) => user === member.id) ? [] : [{ person: { team: '', user: member.id } }]
  })
  const unique = [...new Map(shown.map((piece) => [markupOf(piece), piece])).values()]
  const few = unique.length > most ? [...unique.slice(0, most), `${unique.length - most} more`] : unique
  return few.flatMap((piece, at) => [at === 0 ? '' : at === few.length - 1 ? ' or ' : ', ', piece])
}

/** "1 of 2 · agreed by @ben for @dana": the votes so far. */
export function votesOf({ ask, votes = [] }: Request): readonly RichTextBlock[] {
  if (ask === undefined || votes.length === 0) return []
  return [paragraph(`${votes.length} of ${ask.asking.needed} · agreed by `, ...votersOf(votes))]
}

/** "@ben for @dana, @cleo" */
export function votersOf(votes: readonly Pick<Vote, 'by' | 'for'>[]): readonly (string | Mention)[] {
  return votes.flatMap(({ by, for: absent }, at) => [
    ...(at === 0 ? [] : [', ']),
    { person: by },
    ...(absent === undefined ? [] : [' for ', { person: absent }]),
  ])
}

const hurts: Readonly<Record<Impact, string>> = {
  reversible: 'what can be taken back',
  disruptive: 'what interrupts',
  destructive: 'what cannot be taken back',
  loosening: 'what lifts a guard',
}

/**
 * A place of the policy file, as people read it who have never seen that: "endpoints[0] (tag:prod): matrix.disruptive.active"
 * is "for tag:prod, on what interrupts (active)". `explain` tells the place itself. Any other text stays as it is.
 */
export function inPolicyWords(text: string): string {
  return text
    .replace(/\busual matrix \((\w+), (\w+)\)/g, (_, impact: string, exposure: string) =>
      cell('as usual', impact, exposure),
    )
    .replace(
      /(?:endpoints\[\d+\] \(([^)]*)\): )?\bmatrix\.(\w+)\.(\w+)/g,
      (_, match: string | undefined, impact: string, exposure: string) =>
        cell(match === undefined ? 'of this project' : `for ${match}`, impact, exposure),
    )
    .replace(/\bby endpoints\[\d+\] \(([^)]*)\)/g, 'by the rule for $1')
}

function cell(whose: string, impact: string, exposure: string): string {
  return `${whose}, on ${hurts[impact as Impact] ?? impact} (${exposure})`
}
