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
  const { house, held, request, at } = work
  const ending = { says, ...quoted(work.last), ...more }
  const earlier = request.setback
  if (earlier !== undefined) {
    // What was to put it back has failed as well: both are said, and how to go on.
    const both = { ...ending, says: `${earlier.says} ${says}`, ...offerTo('start', work) }
    return end(house, held, earlier.status === 'attention' ? 'attention' : status, both)
  }
  const next = request.plan?.findIndex(({ always }, index) => index > at && always === true) ?? -1
  if (next === -1) return end(house, held, status, ending)
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
    ? `Could not ${operationIn(request.line).row.name} ${name}: could not ${step.says} it.`
    : `Could not ${step.says} ${name}.`
}

/** A line as a button, where the table has its row. */
export function offerTo(verb: string, { id, name }: Work): { readonly offers?: readonly Offer[] } {
  if (rowOf(verb, rows) === undefined) return {}
  const label = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${name}`
  return { offers: [{ label, line: `${verb} ${writeWord(id)}` }] }
}
