import { deedOf } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/tokens.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Goal, Plan, Seen } from '../../core/model/plan.ts'
import { lockdownIn } from '../../core/model/records.ts'
import type { Ending, Request } from '../../core/model/request.ts'
import { sentences } from '../../core/model/sentences.ts'
import { end } from '../../core/requests/end.ts'
import { lastSeen, look, quoted, type Work } from './work.ts'

type Bad = 'failed' | 'attention' | 'cancelled'

/** What went wrong, how the endpoint was last seen (undefined: it could not be read), and what to do about it. */
interface Setback {
  readonly says: string
  readonly seen?: Seen | undefined
  readonly advice?: string | undefined
}

/**
 * A step has not come to its goal. Whatever is left that puts things back is done first; the request ends with this
 * afterwards. Without such steps it ends now.
 */
export async function setBack(work: Work, status: Bad, what: Setback, more: Partial<Ending> = {}): Promise<void> {
  const { house, held, request, at, step } = work
  const next = step.always === true ? -1 : nextAlways(request.plan, at)
  const isEnd = next === -1 || request.setback !== undefined
  // A step that was to put things back has left them as they are: how to go on is offered.
  const left = step.always === true ? offerBack(work, what.seen) : {}
  // How it stood before things are put back would only mislead: the end tells what is seen last.
  const state = isEnd && 'seen' in what ? lastSeen(what.seen) : ''
  const told = [what.says, state, what.advice ?? '', doneBy(work, isEnd, status)]
    .filter((part) => part !== '')
    .join(' ')
  const ending = { says: told, ...quoted(work.last), ...more, ...left }
  const earlier = request.setback
  if (earlier !== undefined) {
    const { status: before, ...first } = earlier
    const both = { ...first, ...ending, says: `${first.says} ${told}` }
    return end(house, held, before === 'attention' ? before : status, both)
  }
  if (isEnd) return end(house, held, status, ending)
  const progress = (request.progress ?? []).map((one, index) =>
    index >= at && index < next ? { ...one, done: true } : one,
  )
  const now = house.clock.now()
  await held.move({ ...request, setback: { ...ending, status }, progress, nextAt: now }, [
    { at: now, what: 'set back', detail: 'seen' in what ? `${what.says} ${lastSeen(what.seen)}` : what.says },
  ])
}

/**
 * Whether all changes are stopped by now, also those half way. Then nothing more is begun: what puts things back waits
 * until it may, and everything else is over.
 */
export async function isHalted(work: Work): Promise<boolean> {
  const lockdown = lockdownIn(await work.house.store.records())
  if (lockdown === null) return false
  if (work.step.always === true) await look(work, null, 30_000)
  else await setBack(work, 'failed', { says: `${couldNot(work)} ${sentences.lockedDown(lockdown.why)}` })
  return true
}

function nextAlways(plan: Plan = [], at: number): number {
  return plan.findIndex((one, index) => index > at && one.always === true)
}

/** What brings an endpoint back by hand, as it was last seen; unless certainly up, a start. */
function offerBack(work: Work, seen = work.progress.looks.at(-1)): { readonly offers?: readonly Offer[] } {
  const { step, id } = work
  if (seen?.active !== true) return offerTo('start', work)
  return step.goal === 'serving'
    ? {}
    : { offers: [{ label: `${capital(step.says)} again`, line: step.says.replace(' ', ` ${writeWord(id)} `) }] }
}

/**
 * What was carried out before this: "my-llm was stopped. The settings were changed." Of a failure only what the last
 * read cannot show, and only where nothing is put back any more.
 */
function doneBy({ request, at, name }: Work, isEnd: boolean, status: Bad): string {
  const cancelled = status === 'cancelled'
  const done = (request.plan ?? []).filter(({ goal }, index) =>
    cancelled
      ? index <= at && wasAnswered(request, index)
      : isEnd && index < at && goal === 'answered' && wasAnswered(request, index),
  )
  if (done.length === 0) return cancelled ? `Nothing was done to ${name}.` : ''
  return done.map(({ goal }) => pastOf(goal, name)).join(' ')
}

/** Whether the platform has carried the step out, by its own word or by what was seen. */
export function wasAnswered({ progress }: Pick<Request, 'progress'>, index: number): boolean {
  return progress?.[index]?.sends.at(-1)?.outcome?.kind === 'answered'
}

function pastOf(goal: Goal, name: string): string {
  if (goal === 'answered') return 'The settings were changed.'
  if (goal === 'stopped') return `${name} was stopped.`
  return goal === 'serving' ? `${name} was started.` : `${name} was scaled to ${goal.split(':')[1]}.`
}

/** "Could not scale my-llm to 5.", and of several steps which one failed. */
export function couldNot({ held: { command }, step, name, request }: Work): string {
  if ((request.plan?.length ?? 0) > 1) return `Could not ${command.row.name} ${name}: “${step.says}” failed.`
  return `Could not ${deedOf(command, name)}.`
}

/** A line as a button, where the table has its row. */
export function offerTo(
  verb: string,
  { house: { commands }, id, name }: Pick<Work, 'house' | 'id' | 'name'>,
): { readonly offers?: readonly Offer[] } {
  if (commands.find(verb) === undefined) return {}
  return { offers: [{ label: `${capital(verb)} ${name}`, line: `${verb} ${writeWord(id)}` }] }
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
