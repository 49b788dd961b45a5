import { Newer } from '../../core/model/formats.ts'
import type { Webhook } from '../../core/model/policy.ts'
import { lockdownIn } from '../../core/model/records.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { AuditStep, EventPorts, WebhookState } from '../../core/ports/audit.ts'
import { type Services, Tampered } from '../../core/ports/services.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { asText } from '../../core/words/render.ts'
import { eventBody, eventsIn, type Happened, isWanted, lacksTags } from './events-in.ts'

/** How long an event is retried, ms. */
export const longestTry = dayMs
/** The first and the longest pause between retries, ms. */
const [firstPause, longestPause] = [5_000, 3_600_000]
/** A webhook further behind than this drops its oldest entries, so that the backlog is bounded. */
const mostBehind = 10_000
/** Entries per read. */
const page = 200
/** A round stops starting calls after `budget`; its turn (`turnLife`) outlasts the calls under way. ms. */
const [budget, turnLife] = [10_000, 45_000]

export type Telling = Pick<Services, 'project' | 'commands' | 'store' | 'policy' | 'clock' | 'log'>

/**
 * Sends the audit's entries to each webhook in order, from the last one it received. An entry that isn't recorded as
 * sent is sent again with the same id, so a worker that dies loses nothing. One worker delivers at a time, and no
 * request waits.
 */
export async function deliverEvents(services: Telling, ports: EventPorts): Promise<void> {
  const { webhooks } = services.policy()
  if (webhooks.length === 0) return
  const giveBack = await services.store.takeTurn('events', turnLife)
  if (giveBack === null) return
  try {
    const done = await Promise.allSettled(webhooks.map((one) => deliverTo(services, ports, one)))
    for (const one of done) if (one.status === 'rejected') throw one.reason
  } finally {
    await giveBack()
  }
}

async function deliverTo(services: Telling, ports: EventPorts, webhook: Webhook): Promise<void> {
  const { clock, project, log, store } = services
  const { version } = services.policy()
  const end = clock.monotonic() + budget
  const { seq: head } = await store.audit.head()
  const known = await ports.stateOf(webhook.name)
  if (known === null || known.seq > head) {
    const seq = await beginningOf(services, ports, head)
    return ports.saveState(webhook.name, { seq, part: 0 })
  }
  if (!ports.isReady(webhook)) return
  let delivery = known
  const wait = (delivery.failing?.next ?? 0) - clock.now()
  // A new policy may have mended the webhook. A longer wait is from before the clock was set back.
  if (delivery.failing?.policy === version && wait > 0 && wait <= longestPause) return
  if (head - delivery.seq > mostBehind) {
    delivery = { ...delivery, seq: head - mostBehind, part: 0 }
    await giveUp(0, say('events.behind', { most: mostBehind }))
  }
  const isBlind = await lacksTags(store, webhook)
  for (;;) {
    const steps = await ports.after(delivery.seq, page)
    for (const step of steps) if (!(await pass(step))) return
    if (steps.length < page) return
  }

  /** Returns false if the round ends here. */
  async function pass({ seq, entry }: AuditStep): Promise<boolean> {
    const found = await readIn(services, ports, entry)
    if (found === 'newer') {
      if (!isOver()) return fail(say('events.newer'))
      await giveUp(0, say('events.newer'))
    } else
      for (const [nth, happened] of found.entries()) {
        if (nth < delivery.part) continue
        const isOurs = wasWanted(nth) || isWanted(webhook, happened)
        if (!isOurs && isBlind && isWanted({ kinds: webhook.kinds }, happened) && !isOver(happened.at)) return false
        if (!isOurs) continue
        if (clock.monotonic() > end) return false
        if (isOver(happened.at)) await giveUp(nth + 1, delivery.failing?.why ?? say('events.old'))
        else if (!(await tell(seq, nth, happened))) return false
      }
    delivery = { ...delivery, failing: undefined, seq, part: 0 }
    await ports.saveState(webhook.name, delivery)
    return true
  }

  function wasWanted(nth: number): boolean {
    const { failing, part } = delivery
    return failing?.wanted === true && failing.policy === version && nth === part
  }

  function isOver(at = delivery.failing?.since ?? Number.POSITIVE_INFINITY): boolean {
    return clock.now() - at >= longestTry
  }

  async function tell(seq: number, nth: number, happened: Happened): Promise<boolean> {
    const { request, type } = happened
    // A message whose place was changed in Redis holds up no event.
    const link = request?.plan === undefined ? null : await ports.linkTo(request.id).catch(() => null)
    const sent = await ports.send(webhook, type, eventBody(project, seq, happened, link))
    if (sent.kind === 'failed') return fail(sent.why, { part: nth, wanted: true })
    if (sent.kind === 'never') await giveUp(nth + 1, sent.why)
    else {
      if (isInTrouble()) log.warn({ webhook: webhook.name, project }, 'events of this webhook are delivered again')
      await note(nth + 1, { sentAt: clock.now() })
    }
    return true
  }

  async function fail(why: Words, tried?: { readonly part: number; readonly wanted: true }): Promise<false> {
    const { tries = 0, since = clock.now() } = delivery.failing ?? {}
    const next = clock.now() + Math.min(longestPause, firstPause * 2 ** tries)
    if (!isInTrouble()) log.warn({ ...about(why), project }, 'could not deliver an event; trying again')
    await ports.saveState(webhook.name, {
      ...delivery,
      part: tried?.part ?? delivery.part,
      failing: { tries: tries + 1, since, why, next, policy: version, ...(tried && { wanted: tried.wanted }) },
    })
    return false
  }

  /** Whether attempts fail, also if the event that failed was given up. */
  function isInTrouble(): boolean {
    const { failing, lost, sentAt = 0 } = delivery
    return failing !== undefined || (lost?.failing === true && lost.at > sentAt)
  }

  async function giveUp(part: number, why: Words): Promise<void> {
    log.error({ ...about(why), project, entry: delivery.seq + 1 }, 'gave up on an event')
    await note(part, { lost: { at: clock.now(), why, ...(isInTrouble() && { failing: true }) } })
  }

  async function note(part: number, news: Pick<WebhookState, 'sentAt' | 'lost'>): Promise<void> {
    delivery = { ...delivery, failing: undefined, ...news, part }
    await ports.saveState(webhook.name, delivery)
  }

  function about(why: Words) {
    return { webhook: webhook.name, why: asText(why, 'en') }
  }
}

/**
 * Returns the entry after which a webhook begins that is new, or not known any more. It gets no earlier entries, except
 * for a lockdown that is in force: the loss that caused it may have taken the progress of the webhook too.
 */
async function beginningOf({ store, clock }: Telling, ports: EventPorts, head: number): Promise<number> {
  const lockdown = lockdownIn(await store.records())
  if (lockdown === null || clock.now() - lockdown.at >= longestTry) return head
  const steps = await ports.after(Math.max(0, head - page), page)
  const began = steps.findLast(({ entry }) => {
    return typeof entry === 'object' && entry.change?.put?.some(({ kind }) => kind === 'lockdown')
  })
  return began === undefined ? head : began.seq - 1
}

/** Returns the events in an entry. None if it can't be trusted: the lockdown has an entry of its own. */
export async function readIn(services: Telling, ports: Pick<EventPorts, 'endOf'>, entry: AuditStep['entry']) {
  if (entry === 'newer') return 'newer'
  if (entry === 'unproven') return []
  try {
    return await eventsIn(services, ports, entry)
  } catch (error) {
    if (error instanceof Newer) return 'newer'
    if (error instanceof Tampered) return []
    throw error
  }
}
