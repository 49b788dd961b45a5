import type { PlannedCall } from '../../../src/core/model/plan.ts'
import type { Change } from '../../../src/core/model/records.ts'
import type { Request } from '../../../src/core/model/request.ts'
import { isSame } from '../../../src/core/model/roles.ts'
import { endpointOf, type Findings, isInTime, untimely } from './findings.ts'
import {
  callsOf,
  endpointStanding,
  endsLockdown,
  isApprover,
  isFull,
  isStoppingRule,
  isStricter,
  needOf,
  rankOf,
  type World,
} from './law.ts'
import type { Answers } from './oracle-answers.ts'
import type { Made, MemoryEndpoint } from './platform.ts'

/** Judges the effects: calls to the platform, and changes of our own records (rules 8, 11 to 16, 18, 19). */
export interface Deeds {
  changes(request: Request, change: Change): void
  calls(request: Request, made: Made): void
}

/** The keys of the records that each verb may delete. */
const droppers: Readonly<Record<string, string>> = {
  back: '^away:',
  unprotect: '^protection:',
  thaw: '^(?:freeze|lockdown)$',
  keep: '^hold:',
  resume: '^hold:',
  protect: '^rule:',
  start: '^(?:hold|rule):',
  stop: '^rule:',
  unschedule: '^rule:',
}

/** Changes at the platform must begin within this time after the decision, ms. */
const startWithin = 5 * 60_000

export function judgeDeeds(
  world: World,
  { must, count }: Findings,
  { asked, placeOf }: Pick<Answers, 'asked' | 'placeOf'>,
): Deeds {
  const { shelf, clock, platform } = world

  function changes(request: Request, change: Change): void {
    const { line, actor } = request
    const [verb = ''] = line.split(' ')
    count(`changed by ${verb}`)
    const locked = shelf.records.has('lockdown')
    must(
      !locked || ['protect', 'freeze', 'back', 'thaw', 'unschedule'].includes(verb),
      'a record changes in a lockdown',
    )
    must(!locked || verb !== 'thaw' || rankOf(world, actor, request.place) >= 4, 'a lockdown was ended by no admin')
    for (const record of change.put ?? [])
      must(record.kind !== 'away' || (isSame(record.who, actor) && !isSame(record.to, actor)), 'a false stand-in')
    for (const key of change.drop ?? []) {
      const own = `away:${actor.team}:${actor.user}`
      must(verb !== 'back' || key === own, `${key} was taken away by back`)
      must(new RegExp(droppers[verb] ?? '^$').test(key), `${key} was taken away by ${verb}`)
    }
    const endpoint = endpointOf(world, request)
    const rules = ['protect', 'start'].includes(verb)
      ? (change.drop ?? []).filter((key) => key.startsWith('rule:'))
      : []
    for (const ended of rules.map((key) => shelf.records.get(key)))
      must(ended?.kind === 'once' && ended.endpoint === endpoint?.id, `${verb} ended more than a planned stop`)
    if (isStoppingRule(line))
      must(endpointStanding(world, endpoint) !== 'protected', 'a rule may stop what is protected')
    entitled(request, { back: 1, away: 3 }[verb] ?? 2, endpoint)
  }

  function calls(request: Request, { call, endpoint }: Made): void {
    count('called')
    const { plan = [], progress = [] } = request
    const at = progress.findIndex(({ done }) => done !== true)
    const [step, sends] = [plan[at], progress[at]?.sends ?? []]
    const sent = sends.at(-1)
    must(request.status === 'running' && request.endpoint?.id === endpoint, 'its holder is not at work')
    must(!shelf.records.has('lockdown'), 'called in a lockdown')
    must(sent?.at === clock.now() && sent.outcome === undefined, 'called and not journalled')
    must(JSON.stringify(step?.call) === JSON.stringify(call), 'called what is not planned')
    const again = sends.slice(0, -1).some(({ outcome }) => outcome?.kind !== 'unreached')
    must(step?.repeatable === true || !again, 'called twice what may be called once')
    if (progress.reduce((sum, one) => sum + one.sends.length, 0) > 1) return
    const found = platform.endpoints.get(endpoint)
    must(found !== undefined, 'there is no such endpoint')
    if (found === undefined) return
    const planned = plan.map((one) => nameOf(one.call)).join(', ')
    const meant = callsOf(request.line, found).join(', ')
    must(planned === meant, `${planned} was agreed to, and it is ${meant} by now`)
    must(endpointStanding(world, found) === request.exposure, `it is ${endpointStanding(world, found)} by now`)
    entitled(request, 2, found)
  }

  /** Checks everything that must hold when a request changes something. */
  function entitled(request: Request, rank: number, endpoint: MemoryEndpoint | undefined): void {
    const { actor, place, votes: given = [], ask, decision } = request
    must(rankOf(world, actor, place) >= rank, `${actor.user} may not ask for this any more`)
    const need = needOf(world, request, endpoint)
    must(need.requirement !== 'refusal', 'done although the policy refuses it')
    const then =
      request.requirement === 'nothing' ? { ...need, requirement: 'nothing' as const } : asked.get(request.id)
    must(then !== undefined, 'done without ever having been judged')
    if (then === undefined) return
    must(!isStricter(need, then), `done as ${then.requirement}, and by now it takes ${need.requirement}`)
    count(`done under ${then.requirement}${decision?.glass ? ' by glass' : ''}`)
    if (then.requirement === 'nothing') return
    must(decision?.yes === true, 'done without a yes')
    if (decision === undefined) return
    must(isInTime(request, decision.at), untimely)
    must(clock.now() - decision.at <= startWithin, 'begun too long after the decision')
    if (decision.glass === true || then.requirement === 'confirmation') {
      const needed = decision.glass === true || endsLockdown(request) ? 4 : 2
      const rank = rankOf(world, decision.by, placeOf(request, decision.by, decision.at))
      must(rank >= needed, `${decision.by.user} could not decide that any more`)
      return
    }
    const fellBack = ask?.fellBackAt !== undefined
    const still = given.filter(
      ({ by, at, for: whose = by }) =>
        isFull(world, by) && isApprover(world, whose, placeOf(request, by, at), need.asking, fellBack),
    )
    const people = new Set(still.map(({ by }) => by.user))
    people.delete(actor.user)
    must(people.size >= then.asking.needed, `done with ${people.size} of ${then.asking.needed} approvals`)
    if (then.asking.needed > 1) count('done under several approvals')
  }

  return { changes, calls }
}

function nameOf({ method, path, body }: PlannedCall): string {
  if (method === 'patch') return 'patch'
  const [last = ''] = path.split('/').slice(-1)
  return last === 'scale' ? `scale ${(body as { readonly replica_count: number }).replica_count}` : last
}
