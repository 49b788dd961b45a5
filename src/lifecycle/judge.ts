import { sentences } from '../domain/errors.ts'
import { showsEffect } from '../domain/plan.ts'
import type { Seen, Send } from '../domain/progress.ts'
import { mostSends, terms } from '../domain/terms.ts'
import { enoughFor, readEndpoint } from './read.ts'
import { lastSeen, looksSame, seenIn } from './seen.ts'
import { send } from './send.ts'
import { couldNot, isHalted, setBack } from './setback.ts'
import { look, note, type Work } from './work.ts'

/**
 * What became of a call that nobody saw answered, or that the platform says it failed at. Reading decides: there →
 * it goes on as if answered; not there → only after a while and two equal reads may it be said, and only a step that
 * sets a state is ever sent again, and only when nothing at all has moved.
 */
export async function judge(work: Work): Promise<void> {
  const { house, step, progress, last } = work
  if (last === undefined) throw new Error('There is no call to judge.')
  const read = await readEndpoint(house, work.id, enoughFor(step))
  const now = house.clock.now()
  // Counted from when it was given up, or from when it would have been by a worker that is gone.
  const waited = now - (last.outcome?.at ?? last.at + house.platform.timeoutMs)
  // A 500 was at least answered: nothing of it is still on its way. Anything else may yet arrive.
  const until = last.outcome?.kind === 'failed' ? terms.apart : terms.quarantine
  if (read.kind !== 'read') return waited > until + terms.settle ? lostSight(work) : look(work, null, 5_000)

  const seen = seenIn(read.endpoint, now)
  if (showsEffect(step.goal, seen)) return applied(work, last, seen)
  const twice = progress.looks.some((earlier) => now - earlier.at >= terms.apart && looksSame(earlier, seen))
  if (waited >= until && twice) return notSeen(work, last, seen)
  return look(work, seen, Math.min(5_000, Math.max(terms.apart, waited / 4)), progress.looks.slice(0, 1))
}

/** It is where the call was to bring it: as good as answered, though not in words. */
async function applied(work: Work, last: Send, seen: Seen): Promise<void> {
  const outcome = { kind: 'answered', at: last.outcome?.at ?? seen.at, inferred: true } as const
  const sends = work.progress.sends.with(-1, { ...last, outcome })
  await note(work, { sends, looks: [] }, [
    { at: seen.at, what: 'applied', detail: `${lastSeen(seen)} ${sentences.replyLost}` },
  ])
}

/** Two reads after the time in which it could have arrived show no effect. */
async function notSeen(work: Work, last: Send, seen: Seen): Promise<void> {
  const { step, progress, name } = work
  const same = looksSame(seen, last.before)
  if (step.goal === 'answered') {
    const says = `I cannot tell whether the settings of ${name} took hold: they cannot be read.`
    return setBack(work, 'attention', { says, seen })
  }
  if (last.outcome?.kind === 'failed') return setBack(work, 'failed', { says: couldNot(work), seen })
  if (same && step.repeatable && progress.sends.length < mostSends) {
    if (!(await isHalted(work))) await send(work, seen)
    return
  }
  const asked = progress.sends.length === 1 ? 'once' : `${progress.sends.length} times`
  if (same && step.repeatable) {
    return setBack(work, 'failed', {
      says: `${couldNot(work)} The platform was asked ${asked} and nothing moved.`,
      seen,
    })
  }
  const says = `I cannot tell whether “${step.says}” was carried out on ${name}.`
  return setBack(work, 'attention', { says, seen, advice: 'Look at it before you ask again.' })
}

async function lostSight(work: Work): Promise<void> {
  const says = `I cannot tell what became of ${work.name}: the platform has not been readable since I asked.`
  const seen = work.progress.looks.at(-1) ?? work.last?.before
  return setBack(work, 'attention', { says, seen, advice: 'Look at it on the platform.' })
}
