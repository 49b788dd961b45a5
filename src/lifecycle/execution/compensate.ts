import { buttonTo, phrase } from '../../core/commands/phrases.ts'
import { type Goal, isAnswered, isUntaken, type Seen, type Step, showsEffect, stepName } from '../../core/model/plan.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import { lockdownIn, ruleKey } from '../../core/model/records.ts'
import { type Ending, type Request, terms } from '../../core/model/request.ts'
import { startedBy } from '../../core/model/rules.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { end, type LastMove } from '../../core/requests/end.ts'
import { lockedDown } from '../../features/safeguards/lockdown.ts'
import { lastSeen, lookAgain, ownWords, platformQuote, stateSeen, type Work } from './work.ts'

type Bad = 'failed' | 'attention' | 'cancelled'

/** What went wrong, how the endpoint was last seen (undefined: unreadable), and what people can do. */
interface Setback {
  readonly says: Words
  readonly seen?: Seen | undefined
  readonly advice?: Words | undefined
  /** No endpoint was found, so none is offered to be restored. */
  readonly gone?: true
}

/** Handles a failed step: runs the restoring steps first, then ends the request. */
export async function stepFailed(
  work: Work,
  status: Bad,
  what: Setback,
  { options, ...more }: Partial<Ending> & Pick<LastMove, 'options'> = {},
): Promise<void> {
  const { services, claim, request, at, step } = work
  const { plan = [] } = request
  // Without it, the history would show the state of before for a while.
  if (what.seen !== undefined) services.store.rememberState({ ...what.seen, id: work.id }).catch(() => undefined)
  const restores = step.always !== true && !isUntaken(request.progress)
  const next = restores ? plan.findIndex((one, index) => index > at && one.always === true) : -1
  const isEnd = next === -1 || request.setback !== undefined
  // A restoring step, or the scale after a start, failed by itself, so people get a button for it.
  const isLast = step.always === true || step.goal.startsWith('restored:')
  const left = isLast && what.gone !== true ? offerBack(work, what.seen) : {}
  // The state before the restoring steps would mislead. The end shows the last state.
  const isRead = 'seen' in what && (what.seen !== undefined || work.last !== undefined)
  const state = isEnd && isRead ? stateSeen(what.seen) : ''
  const told = [what.says, ownWords(work.last), state, what.advice ?? '', ...doneBy(work, isEnd, status)]
  // The answer to a call that was accepted is a success.
  const quote = work.last?.outcome?.kind !== 'answered' && platformQuote(work.last)
  const ending = { says: told, ...quote, ...more, ...left }
  const earlier = request.setback
  if (earlier !== undefined) {
    const { status: before, ...first } = earlier
    // An endpoint that isn't found or read before a restoring step may not be after it either.
    const isSaid = JSON.stringify(first.says).includes(JSON.stringify(what.says))
    const says = isSaid ? told : [first.says, told]
    const both = { ...first, ...ending, says }
    return end(services, claim, before === 'attention' ? before : status, both)
  }
  // A run that did not start has no end either. An endpoint that runs, or may run, keeps it.
  const run = status === 'failed' && request.asked !== undefined ? startedBy(request.occurrence) : undefined
  const last = run !== undefined && what.seen?.active === false ? { change: { drop: [ruleKey(run)] } } : options
  if (isEnd) return end(services, claim, status, { ...ending, ...(last && { options: last }) })
  const progress = (request.progress ?? []).map((one, index) =>
    index >= at && index < next ? { ...one, done: true } : one,
  )
  const now = services.clock.now()
  await claim.move({ ...request, setback: { ...ending, status }, progress, nextAt: now }, [
    { at: now, what: 'set back', detail: 'seen' in what ? [what.says, lastSeen(what.seen)] : what.says },
  ])
}

/** Handles an endpoint that a read has not found. After a minute, the step fails and restoring steps look for it again. */
export function notFound(work: Work): Promise<void> {
  const now = work.services.clock.now()
  const { goneSince = now } = work.progress
  if (now - goneSince < terms.decided)
    return lookAgain({ ...work, progress: { ...work.progress, goneSince } }, null, 5_000)
  return stepFailed(work, 'attention', { says: say('step.gone', { name: work.name }), gone: true })
}

/** Fails a step because reads have failed for too long. */
export function leftUnread(work: Work): Promise<void> {
  const says = say('step.unread', { name: work.name })
  return stepFailed(work, 'attention', { says, advice: say('step.seePlatform') })
}

/** Indices of the unfinished restoring steps. */
export function leftBack({ plan = [], progress = [] }: Request): readonly number[] {
  return plan.flatMap(({ always }, index) => (always === true && progress[index]?.done !== true ? [index] : []))
}

/** Ends a request that an internal error kept too long from restoring its endpoint. `seen`: the last read. */
export async function giveUp(work: Work, seen: Seen | undefined): Promise<void> {
  const { plan = [], progress = [] } = work.request
  const left = leftBack(work.request)
  const [at = left[0] ?? work.at] = left.filter(
    (index) => seen === undefined || !showsEffect(plan[index]?.goal ?? 'answered', seen),
  )
  const [step = work.step, here = work.progress] = [plan[at], progress[at]]
  const what = { says: say('request.brokeBack', { name: work.name }), seen, advice: say('step.seeLog') }
  // Earlier reads are too old to show that the endpoint is running.
  await stepFailed({ ...work, at, step, progress: { ...here, looks: [] }, last: here.sends.at(-1) }, 'attention', what)
}

/** Whether a lockdown halts the step. Restoring steps wait until it ends; all other steps end the request. */
export async function isHalted(work: Work): Promise<boolean> {
  const lockdown = lockdownIn(await work.services.store.records())
  if (lockdown === null) return false
  if (work.step.always === true) await lookAgain(work, null, 30_000)
  else await stepFailed(work, 'failed', { says: [failureText(work), lockedDown(lockdown.why)] })
  return true
}

/** The button that restores an endpoint by hand: a start, or a scale if the endpoint was last seen running. */
function offerBack(work: Work, seen = work.progress.looks.at(-1)): { readonly offers?: readonly Offer[] } {
  if (seen?.active !== true) return { offers: [buttonTo('start', work)] }
  const [, replicas] = work.step.goal.split(':')
  return replicas === undefined ? {} : { offers: [scaleTo(work, Number(replicas))] }
}

export function scaleTo({ services, id }: Work, replicas: number): Offer {
  const line = services.commands.write('scale', { endpoint: id, to: replicas })
  return { label: say('step.scaleAgain', { count: `${replicas}` }), line }
}

/** Says what earlier steps did: "my-llm was stopped." After a failure, only what the last read cannot show. */
function doneBy({ request, at, name }: Work, isEnd: boolean, status: Bad): readonly Words[] {
  const cancelled = status === 'cancelled'
  const isTold = ({ goal }: Step, index: number) =>
    cancelled ? index <= at : isEnd && index < at && goal === 'answered'
  const done = (request.plan ?? []).filter((one, index) => isTold(one, index) && wasAnswered(request, index))
  if (done.length === 0) return cancelled ? [say('step.nothingDone', { name })] : []
  return done.map(({ goal }) => pastOf(goal, name))
}

export function wasAnswered({ progress }: Pick<Request, 'progress'>, index: number): boolean {
  return progress?.[index]?.sends.slice(-1).some(isAnswered) === true
}

function pastOf(goal: Goal, name: string): Sentence {
  if (goal === 'answered') return say('step.settingsChanged')
  if (goal === 'stopped') return say('step.stopped', { name })
  return goal === 'serving'
    ? say('step.started', { name })
    : say('step.scaled', { name, count: goal.split(':')[1] ?? '' })
}

/** "Could not scale my-llm to 5.", with the failed step if there are several. */
export function failureText({ claim: { command }, step, name, request }: Work): Sentence {
  const deed = phrase(command, name, 'ask')
  if ((request.plan?.length ?? 0) > 1) return say('end.stepFailed', { deed, step: stepName(step) })
  return say('end.failed', { deed })
}
