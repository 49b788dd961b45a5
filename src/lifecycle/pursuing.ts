import { policyFile } from '../domain/actor.ts'
import type { Decider } from '../domain/desired.ts'
import { lasting } from '../domain/duration.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { instant } from '../domain/instant.ts'
import type { Pursue, Pursuit } from '../domain/pursuit.ts'
import { isEnded, type Request } from '../domain/request.ts'
import { type Rules, weeklyText } from '../domain/rules.ts'
import { writeWord } from '../operations/words.ts'
import { end } from './end.ts'
import { handIn, idOf } from './hand-in.ts'
import { holding } from './let-go.ts'
import type { House } from './ports.ts'

/** One endpoint at one look, and what is to be done about it. */
export interface Looked {
  readonly endpoint: Endpoint
  readonly rules: Rules
  /** Of what is decided now, or will be soon; null: nothing decides. */
  readonly occurrence: string | null
  readonly what: Pursue
  readonly pursuit: Pursuit | undefined
  /** ms. */
  readonly now: number
}

/** How often something that failed without effect is tried in all, and how long after, doubling. ms. */
const mostAttempts = 3
const backOff = 120_000

/** Does what a look has found, and notes how far that has come. */
export async function act(house: House, looked: Looked): Promise<void> {
  const { endpoint, what, pursuit, occurrence, now } = looked
  if (pursuit?.state === 'asked' && pursuit.occurrence !== occurrence) await withdraw(house, pursuit)
  if (occurrence === null) {
    // A hold that stands for somebody's doing ends with a decision of its own.
    if (pursuit !== undefined && pursuit.state !== 'held') await note(house, endpoint, null)
    return
  }
  switch (what.kind) {
    case 'note':
      return note(house, endpoint, { occurrence, state: what.state, attempts: pursuit?.attempts ?? 0, at: now })
    case 'nothing':
      return pursuit?.state === 'asked' ? followUp(house, looked, pursuit) : undefined
    case 'missed':
      return missed(house, looked, what)
    case 'moved':
      return moved(house, looked, what)
    case 'ask':
      return ask(house, looked, what, attemptsOf(looked))
  }
}

function attemptsOf({ occurrence, pursuit }: Looked): number {
  return pursuit?.occurrence === occurrence ? pursuit.attempts : 0
}

/** What a request for it has come to. */
async function followUp(house: House, looked: Looked, pursuit: Pursuit): Promise<void> {
  const { endpoint, now } = looked
  const request = await house.store.load(idOf(house, pursuit.occurrence, pursuit.attempts))
  if (request !== null && !isEnded(request.status)) return
  // What succeeded shows in what is read next; until then it is neither met nor moved.
  if (request?.status === 'succeeded') return note(house, endpoint, { ...pursuit, state: 'met', at: now })
  const again = request === null || mayTryAgain(request)
  if (!again) return note(house, endpoint, { ...pursuit, state: 'left', at: now })
  if (pursuit.attempts >= mostAttempts) {
    await note(house, endpoint, { ...pursuit, state: 'left', at: now })
    const says = `I have tried ${mostAttempts} times, and ${endpoint.name} is still not as its rules want it. I try no further until they next change their mind.`
    return house.announce(says)
  }
  if (now < (request?.ending?.at ?? pursuit.at) + backOff * 2 ** (pursuit.attempts - 1)) return
  const want = pursuit.occurrence.endsWith('.up') ? 'up' : 'down'
  const due = want === 'up' ? now : now + house.policy().automation.notice
  await ask(house, looked, { kind: 'ask', want, due, nominal: now, by: 'nothing' }, pursuit.attempts)
}

/** Only after what certainly was not applied, and nobody has said no to. */
function mayTryAgain({ status }: Request): boolean {
  return status === 'failed' || status === 'refused' || status === 'expired'
}

async function ask(
  house: House,
  looked: Looked,
  what: Pursue & { readonly kind: 'ask' },
  attempts: number,
): Promise<void> {
  const { endpoint, occurrence, pursuit, now } = looked
  if (occurrence === null) return
  const holder = await house.store.holderOf(endpoint.id)
  if (holder !== null) {
    if (pursuit?.state === 'waits' && pursuit.occurrence === occurrence) return
    await note(house, endpoint, { occurrence, state: 'waits', attempts, at: now })
    const other = await house.store.load(holder)
    return house.announce(
      `${endpoint.name} is to be ${what.want} by its rules; that waits for “${other?.line ?? 'another request'}”.`,
    )
  }
  const next = attempts + 1
  await note(house, endpoint, { occurrence, state: 'asked', attempts: next, at: now })
  await handIn(house, { ...looked, occurrence, attempt: next, ...what })
}

/** A start that came too late to be worth it is told, and left. */
async function missed(house: House, looked: Looked, what: Pursue & { readonly kind: 'missed' }): Promise<void> {
  const { endpoint, occurrence, now } = looked
  if (occurrence === null) return
  await note(house, endpoint, { occurrence, state: 'left', attempts: 0, at: now })
  const late = lasting(now - what.nominal)
  const rest = what.until === null ? '' : ` It would have been up until ${instant(what.until)}.`
  const says = `Missed: ${endpoint.name} was to be started ${instant(what.nominal)}, ${late} ago, and is not started any more.${rest} ${ruleText(what.by)}`
  await house.store.write({}, [{ at: now, what: 'missed', detail: says }])
  await house.announce(says, [{ label: `Start ${endpoint.name}`, line: `start ${writeWord(endpoint.id)}` }])
}

/** Somebody has moved it, here or elsewhere: that is respected until the rules next change their mind, and told once. */
async function moved(house: House, looked: Looked, what: Pursue & { readonly kind: 'moved' }): Promise<void> {
  const { endpoint, occurrence, pursuit, now } = looked
  if (occurrence === null || pursuit === undefined) return
  const last = await house.store.lastDone(endpoint.id)
  const theirs = last !== null && (last.ending?.at ?? 0) > pursuit.at && last.via !== 'schedule' && last.via !== 'idle'
  const by = theirs ? last.actor : ('console' as const)
  const id = idOf(house, occurrence, 0)
  const hold = { kind: 'hold', id, endpoint: endpoint.id, at: now, until: what.until, by } as const
  const state = endpoint.active === true ? 'up' : 'down'
  const says = `${endpoint.name} is ${state}, though its rules want it ${what.want}: ${theirs ? 'that was asked for here' : 'somebody has changed it at the console or elsewhere'}. It is left so until ${instant(what.until)}.`
  await house.store.write({ put: [hold] }, [{ at: now, what: 'moved by hand', detail: says }])
  await note(house, endpoint, { ...pursuit, state: 'held', at: now })
  if (theirs) return
  await house.announce(says, [
    { label: 'Return to schedule', line: `keep ${writeWord(endpoint.id)} off` },
    { label: 'Keep it so until tomorrow', line: `keep ${writeWord(endpoint.id)} until tomorrow 09:00` },
  ])
}

/** A notice whose time will not come: a hold, a freeze or another rule has overtaken it. */
async function withdraw(house: House, { occurrence, attempts }: Pursuit): Promise<void> {
  const id = idOf(house, occurrence, attempts)
  const request = await house.store.load(id)
  if (request === null || request.status !== 'awaiting' || request.requirement !== 'notice') return
  const other = await house.store.claim(id)
  if (other === null) return
  await holding(house, other, async () => {
    if (other.request.status !== 'awaiting') return
    const says = `${other.request.endpoint?.name ?? 'It'} was left as it is: its rules want something else by now.`
    await end(house, other, 'cancelled', { says })
  })
}

async function note(house: House, { id }: Endpoint, pursuit: Pursuit | null): Promise<void> {
  await house.store.notePursuits(new Map([[id, pursuit]]))
}

/** "The rule: up weekdays 09:00-20:00 Asia/Seoul." */
export function ruleText(by: Decider): string {
  if (typeof by === 'string') return ''
  if (by.kind === 'weekly')
    return `The rule: ${weeklyText(by)}${by.owner === policyFile || by.owner.user === '' ? ', of the policy file' : ''}.`
  return by.kind === 'once' ? 'It was asked for once.' : 'It was kept until then.'
}
