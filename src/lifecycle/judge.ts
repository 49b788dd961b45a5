import { sentences } from '../domain/errors.ts'
import type { Step } from '../domain/plan.ts'
import type { Progress, Seen } from '../domain/progress.ts'
import { mostSends, terms } from '../domain/request.ts'
import { couldNot, end } from './end.ts'
import { quoted, withProgress } from './journal.ts'
import type { Held, House } from './ports.ts'
import { readEndpoint } from './read.ts'
import { lastSeen, looksSame, seenIn } from './seen.ts'
import { look } from './settle.ts'

/**
 * What became of a call that nobody saw answered, or that the platform says it failed at. Reading decides: there →
 * it goes on as if answered; not there → only after a while and two equal reads may it be said, and only a step that
 * sets a state is ever sent again, and only when nothing at all has moved.
 */
export async function judge(
  house: House,
  held: Held,
  at: number,
  step: Step,
  progress: Progress,
  again: (before: Seen) => Promise<void>,
): Promise<void> {
  const last = progress.sends.at(-1)
  if (last === undefined) throw new Error('There is no call to judge.')
  const answered = last.outcome?.kind === 'failed'
  const until = answered ? terms.apart : terms.quarantine + house.platform.timeoutMs
  const read = await readEndpoint(house, held.request.endpoint?.id ?? '')
  const now = house.clock.now()
  const waited = now - last.at
  if (read.kind !== 'read') {
    return waited > until + terms.settle
      ? lostSight(house, held, progress)
      : look(held, at, progress, null, now + 5_000)
  }
  const seen = seenIn(read.endpoint, now)
  if (isApplied(step, seen)) {
    const { says: _, ...outcome } = last.outcome ?? { at: now }
    const sends = progress.sends.with(-1, { ...last, outcome: { ...outcome, kind: 'answered' } })
    await held.move(withProgress(held.request, at, { sends, looks: [] }), [
      { at: now, what: 'applied', detail: `${lastSeen(seen)} ${sentences.replyLost}` },
    ])
    return
  }
  const before = progress.looks.find((earlier) => now - earlier.at >= terms.apart && looksSame(earlier, seen))
  if (waited < until || before === undefined) {
    return look(
      held,
      at,
      { ...progress, looks: progress.looks.slice(0, 1) },
      seen,
      now + Math.min(5_000, Math.max(terms.apart, waited / 4)),
    )
  }
  const same = looksSame(seen, last.before)
  if (answered)
    return end(house, held, 'failed', { says: `${couldNot(held.request)} ${lastSeen(seen)}`, ...quoted(last) })
  if (same && step.repeatable && progress.sends.length < mostSends) return again(seen)
  const says = same
    ? `${couldNot(held.request)} The platform was asked ${progress.sends.length} times and nothing moved. ${lastSeen(seen)}`
    : `I cannot tell whether ${step.says} was carried out on ${held.request.endpoint?.name}: it has changed since. ${lastSeen(seen)} Look at it before you ask again.`
  return end(house, held, same ? 'failed' : 'attention', { says, ...quoted(last) })
}

function isApplied(step: Step, seen: Seen): boolean {
  return seen.active === (step.goal === 'serving')
}

async function lostSight(house: House, held: Held, progress: Progress): Promise<void> {
  const says = `I cannot tell what became of ${held.request.endpoint?.name}: the platform has not been readable since I asked. ${lastSeen(progress.looks.at(-1) ?? progress.sends.at(-1)?.before)} Look at it on the platform.`
  return end(house, held, 'attention', { says, ...quoted(progress.sends.at(-1)) })
}
