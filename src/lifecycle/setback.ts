import type { Ending } from '../domain/request.ts'
import type { Offer } from '../domain/shown.ts'
import { rows } from '../operations/index.ts'
import { rowOf } from '../operations/line.ts'
import { operationIn } from '../operations/stored.ts'
import { writeWord } from '../operations/words.ts'
import { end } from './end.ts'
import { quoted, type Work } from './work.ts'

type Bad = 'failed' | 'attention' | 'cancelled'

/**
 * A step has not come to its goal. Whatever is left that puts things back is done first; the request ends with this
 * afterwards. Without such steps it ends now.
 */
export async function setBack(work: Work, status: Bad, says: string, more: Partial<Ending> = {}): Promise<void> {
  const { house, held, request, at, step } = work
  // A step that was to put things back has left them as they are: how to go on is offered.
  const left = step.always === true && step.goal === 'serving' ? offerTo('start', work) : {}
  const ending = { says, ...quoted(work.last), ...more, ...left }
  const earlier = request.setback
  if (earlier !== undefined) {
    const { status: before, ...first } = earlier
    const both = { ...first, ...ending, says: `${first.says} ${says}` }
    return end(house, held, before === 'attention' ? before : status, both)
  }
  const next = request.plan?.findIndex((one, index) => index > at && one.always === true) ?? -1
  if (next === -1 || step.always === true) return end(house, held, status, ending)
  const progress = (request.progress ?? []).map((one, index) =>
    index >= at && index < next ? { ...one, done: true } : one,
  )
  const now = house.clock.now()
  await held.move({ ...request, setback: { ...ending, status }, progress, nextAt: now }, [
    { at: now, what: 'set back', detail: says },
  ])
}

/** "Could not stop my-llm." */
export function couldNot({ step, name, request }: Work): string {
  return (request.plan?.length ?? 0) > 1
    ? `Could not ${operationIn(request.line).row.name} ${name}: “${step.says}” failed.`
    : `Could not ${step.says} ${name}.`
}

/** A line as a button, where the table has its row. */
export function offerTo(verb: string, { id, name }: Work): { readonly offers?: readonly Offer[] } {
  if (rowOf(verb, rows) === undefined) return {}
  const label = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${name}`
  return { offers: [{ label, line: `${verb} ${writeWord(id)}` }] }
}
