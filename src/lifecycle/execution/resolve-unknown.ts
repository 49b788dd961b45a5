import { writeWord } from '../../core/commands/quoting.ts'
import { type Seen, type Send, stepName } from '../../core/model/plan.ts'
import { idOf, say, type Words } from '../../core/model/words.ts'
import { partNeededFor, readEndpoint } from '../../core/requests/find-endpoint.ts'
import { failureText, notFound, stepFailed } from './compensate.ts'
import { isRestoringStart, lateCallOf, type ResendDecision, resendDecision, waitBeforeResend } from './resend.ts'
import { send } from './send.ts'
import { lastSeen, lookAgain, saveProgress, seenIn, type Work } from './work.ts'

/** Decides about a call without a clear success, from a read and `resendDecision`. It is sent again only if it `may` be. */
export async function judge(work: Work, may: () => Promise<boolean>): Promise<void> {
  const { services, step, request, at } = work
  const rest = waitBeforeResend(work.progress.sends, services.clock.now())
  if (rest > 0) return lookAgain(work, null, rest)
  // Only `is_active` decides whether a restoring start is sent again.
  const read = await readEndpoint(services, work.id, isRestoringStart(step) ? 'half' : partNeededFor(step))
  if (read.kind === 'gone' && work.last?.outcome?.kind !== 'refused') return notFound(work)
  const now = services.clock.now()
  const seen = read.kind === 'read' ? seenIn(read.endpoint, now) : null
  const progress = { ...work.progress, unreadSince: work.progress.unreadSince ?? now }
  const undoneLater =
    step.goal === 'stopped' && request.plan?.some(({ goal }, i) => i > at && goal === 'serving') === true
  const verdict = resendDecision({ step, progress, seen, now, timeoutMs: services.platform.timeoutMs, undoneLater })
  if (verdict.kind !== 'wait' && verdict.kind !== 'applied') await rememberLate(work, progress.sends)
  switch (verdict.kind) {
    case 'applied':
      return applied(work, seen)
    case 'send':
      if (await may()) await send(work, verdict.before)
      return
    case 'wait':
      return lookAgain({ ...work, progress }, seen, verdict.ms)
    case 'over':
      return stepFailed(work, 'failed', {
        says: [failureText(work), whyOver[verdict.why]],
        seen: seen ?? undefined,
        advice: work.last?.outcome?.remedy,
      })
    default:
      return stepFailed(
        work,
        'attention',
        // If its state can't be read now, an earlier read is too old to say how it is.
        { ...unknown(work, seen), ...(seen !== null && { seen }) },
        { offers: [{ label: say('action.status'), line: `status ${writeWord(work.id)}` }] },
      )
  }
}

/** The sentence after "Could not …". After a refusal, the platform's own message follows instead. */
const whyOver: Readonly<Record<Extract<ResendDecision, { kind: 'over' }>['why'], Words>> = {
  refused: '',
  'turned away': say('step.turnedAway'),
  changed: say('step.elsewhere'),
}

/** Counts the call as answered, because a read shows its effect. */
async function applied(work: Work, seen: Seen | null): Promise<void> {
  const { last, progress } = work
  if (last === undefined || seen === null) throw new Error('The effect of a call needs a read.')
  const { outcome } = last
  const promised = outcome?.doubted === true ? { ...outcome, doubted: false } : null
  const inferred = { kind: 'answered', at: outcome?.at ?? seen.at, inferred: true } as const
  const sends = progress.sends.with(-1, { ...last, outcome: promised ?? inferred })
  await rememberLate(work, sends)
  const detail = promised === null ? [lastSeen(seen), say('request.replyLost')] : lastSeen(seen)
  await saveProgress(work, { sends, looks: [] }, [{ at: seen.at, what: 'applied', detail }])
}

/** Stores that a call may still arrive, so that the opposite operation waits for it. */
export async function rememberLate({ services, id, step }: Work, sends: readonly Send[]): Promise<void> {
  const late = lateCallOf(step.goal, sends, services.platform.timeoutMs)
  if (late !== null) await services.store.rememberLate(id, late)
}

function unknown({ step, name, progress, request, last }: Work, seen: Seen | null) {
  if (step.goal === 'answered') {
    // If a start follows, the end says this together with the endpoint's state.
    const goesOn = request.plan?.some(({ always }) => always === true) === true
    if (goesOn || idOf(last?.outcome?.says ?? '') === 'step.otherSettings')
      return { says: say('step.settingsUnanswered', { name }) }
    return { says: say('step.settingsUnknown', { name }) }
  }
  if (seen === null) return { says: say('step.unread', { name }), advice: say('step.seePlatform') }
  const says = say('step.unknown', { step: stepName(step), name, sends: progress.sends.length })
  return { says, advice: say('step.seeFirst') }
}
