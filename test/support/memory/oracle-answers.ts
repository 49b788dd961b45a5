import type { Vote } from '../../../src/core/model/question.ts'
import type { Press, Request } from '../../../src/core/model/request.ts'
import { type Actor, isSame, type Place } from '../../../src/core/model/roles.ts'
import { endpointOf, type Findings, isInTime, untimely } from './findings.ts'
import { endsLockdown, isApprover, isFull, type Need, needOf, rankOf, type World } from './law.ts'

/** Judges the questions to people, and whose answers count (rules 11, 13, 16). */
export interface Answers {
  readonly typed: (request: Request) => void
  readonly pressed: (press: Press) => void
  readonly asks: (request: Request) => void
  readonly votes: (request: Request, earlier: readonly Vote[]) => void
  readonly decides: (before: Request, request: Request) => void
  readonly cancels: (before: Request, by: Actor) => void
  /** Returns where a person gave a counted answer. */
  readonly placeOf: (request: Request, by: Actor, at: number) => Place
  /** What each request needed when people were last asked. */
  readonly asked: ReadonlyMap<string, Need>
}

export function judgeAnswers(world: World, { must, count }: Findings): Answers {
  const { shelf, clock } = world
  const lines = new Map<string, Request>()
  const presses = new Map<string, Press>()
  const used = new Set<string>()
  const asked = new Map<string, Need>()
  const places = new Map<string, Place>()

  /** Checks that people are asked for what the rules require at that moment. */
  function asks(request: Request): void {
    const now = needOf(world, request, endpointOf(world, request))
    // Whoever was asked about a stop at the end of a run is asked again if a yes would start the endpoint.
    const starts = request.change?.put?.some((one) => one.kind === 'once' && one.want === 'up') === true
    const need = now.requirement === 'nothing' && starts ? { ...now, requirement: 'confirmation' as const } : now
    asked.set(request.id, need)
    count(`asked for ${need.requirement}`)
    must(request.requirement === need.requirement, `${request.requirement} was asked for, not ${need.requirement}`)
    const needed = need.requirement === 'approval' ? need.asking.needed : 1
    must(request.ask?.asking.needed === needed, `${request.ask?.asking.needed} people were asked for, not ${needed}`)
    must((request.votes ?? []).length === 0 && request.decision === undefined, 'an old answer stands under a new ask')
  }

  /** Whether a person gave this answer to this question at that time and place. Each answer counts once. */
  function said({ id, ask }: Request, { by, at, place }: Pick<Vote, 'by' | 'at' | 'place'>, yes: boolean): boolean {
    for (const [key, press] of presses) {
      const meant = press.request === id && press.ask === ask?.n && press.yes === yes
      if (used.has(key) || !meant || press.at !== at || !isSame(press.actor, by) || !isThere(press)) continue
      return counts(key, press)
    }
    const verb = yes ? 'approve ' : 'decline '
    for (const [key, line] of lines) {
      if (used.has(key) || !line.line.startsWith(verb) || line.receivedAt !== at || !isSame(line.actor, by)) continue
      if (!isThere(line.place)) continue
      return counts(key, line.place)
    }
    return false

    function isThere({ channel, chosen = false }: Place): boolean {
      return channel === place?.channel && chosen === (place.chosen ?? false)
    }
    function counts(key: string, { channel, chosen = false }: Place): true {
      used.add(key)
      places.set(`${id} ${by.user} ${at}`, { channel, chosen })
      return true
    }
  }

  /** An unknown place is the person's own, because no channel then gives them a role. */
  function placeOf({ id }: Request, by: Actor, at: number): Place {
    return places.get(`${id} ${by.user} ${at}`) ?? { channel: by.user, chosen: true }
  }

  function votes(request: Request, earlier: readonly Vote[]): void {
    const vote = request.votes?.at(-1)
    must(request.votes?.length === earlier.length + 1, 'votes came or went')
    if (vote === undefined) return
    const { by, at } = vote
    const { actor, ask } = request
    const whose = vote.for ?? by
    const asking = ask?.asking ?? world.policy().asking
    count(vote.for === undefined ? 'voted' : 'voted for another')
    must(said(request, vote, true), `${by.user} never said so`)
    const place = placeOf(request, by, at)
    must(isInTime(request, at), untimely)
    must(!isSame(by, actor) && !isSame(whose, actor), 'the requester approves')
    must(isFull(world, by), `${by.user} is no full member`)
    must(!earlier.some((one) => isSame(one.by, by)), `${by.user} has two votes`)
    const spent = earlier.flatMap((one) => (one.for === undefined ? [one.by] : [one.for]))
    must(!spent.some((one) => isSame(one, whose)), `the word of ${whose.user} counts twice`)
    const fellBack = ask?.fellBackAt !== undefined && vote.for === undefined
    must(isApprover(world, whose, place, asking, fellBack), `${whose.user} may not approve`)
    if (vote.for !== undefined) {
      const away = shelf.records.get(`away:${whose.team}:${whose.user}`)
      const stands = away?.kind === 'away' && isSame(away.to, by) && clock.now() < away.until
      must(stands, `${by.user} does not stand in for ${whose.user}`)
    }
  }

  function decides(before: Request, request: Request): void {
    const { decision, place, requirement, actor } = request
    if (decision === undefined) return
    const { by, at, yes } = decision
    must(isInTime(before, at), untimely)
    must(before.status === 'awaiting', 'something was decided that did not wait')
    if (decision.glass === true) {
      count('broke the glass')
      must(requirement === 'approval', 'the glass was broken for something that takes no approval')
      must(rankOf(world, by, place) >= 4, `${by.user} is no admin and broke the glass`)
      must((decision.because ?? '') !== '', 'the glass was broken without a reason')
      const line = [...lines.values()].some((one) => one.line.startsWith('break-glass ') && isSame(one.actor, by))
      must(line, `${by.user} never asked to break the glass`)
      return
    }
    count(`decided ${yes ? 'yes' : 'no'} under ${requirement}`)
    if (requirement === 'confirmation') {
      must(said(request, decision, yes), `${by.user} never said so`)
      // A requester who is no operator any more may only withdraw the question.
      if (request.status === 'cancelled' && !yes && isSame(by, actor) && !endsLockdown(request)) return
      const rank = rankOf(world, by, placeOf(request, by, at))
      must(rank >= (endsLockdown(request) ? 4 : 2), `${by.user} is no operator and decided`)
      return
    }
    const votes = request.votes?.length ?? 0
    must(!yes || votes === request.ask?.asking.needed, 'decided by too few or too many')
    must(yes || said(request, decision, yes), `${by.user} never said so`)
    if (request.status !== 'declined') return
    const places = [by, ...absentFor(by)].filter((one) => !isSame(one, actor))
    const fellBack = request.ask?.fellBackAt !== undefined
    const may = places.some((one) =>
      isApprover(world, one, placeOf(request, by, at), request.ask?.asking ?? world.policy().asking, fellBack),
    )
    must(isFull(world, by) && !isSame(by, actor) && may, `${by.user} may not decline`)
  }

  /** The requester or an approver may cancel a waiting request; one that only settles may also give way to a stop. */
  function cancels({ actor, status }: Request, by: Actor): void {
    count('cancelled by somebody')
    const needed = status === 'running' ? 2 : 3
    const theirs = [...lines.values()].filter((one) => isSame(one.actor, by) && /^(?:cancel|stop) /.test(one.line))
    const may = theirs.some(({ place }) => rankOf(world, by, place) >= needed)
    must(isSame(by, actor) || may, `${by.user} may not cancel this`)
  }

  function absentFor(by: Actor): readonly Actor[] {
    return [...shelf.records.values()].flatMap((one) =>
      one.kind === 'away' && isSame(one.to, by) && clock.now() < one.until ? [one.who] : [],
    )
  }

  return {
    typed: (request) => void lines.set(request.id, request),
    pressed: (press) => void presses.set(press.id, press),
    asks,
    votes,
    decides,
    cancels,
    placeOf,
    asked,
  }
}
