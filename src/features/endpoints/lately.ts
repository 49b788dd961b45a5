import type { Context } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint, NamedEndpoint } from '../../core/model/endpoint.ts'
import { unlessNewer } from '../../core/model/formats.ts'
import { freezeAt } from '../../core/model/records.ts'
import { isAnnounced, type Request, waitsForPeople } from '../../core/model/request.ts'
import { type Announced, noticeCause } from '../../core/model/rules.ts'
import { type Sentence, say, type Words, withTexts } from '../../core/model/words.ts'
import { fenceOf, isInside } from '../../core/policy/programs.ts'
import type { Services } from '../../core/ports/services.ts'
import { awaitedOf, votesOf } from '../../core/requests/awaited.ts'
import { becauseOf, dotted, type ParsedRequest, parsedBy, requestPhrase } from '../../core/requests/in-words.ts'
import type { Overview } from '../../core/requests/overview.ts'
import { askedRows } from '../../core/requests/waiting-list.ts'
import { hide } from '../../core/text/redact.ts'
import { mandatesUnder } from '../approvals/review.ts'
import { toldOnce } from '../history/last-change.ts'
import { askedBy } from '../history/words.ts'
import { hourlyCost } from '../savings/prices.ts'
import { besideState, nextStep, stateOf } from './state.ts'

/** Returns the latest requests on an endpoint, and those that wait for people or are in progress. */
export async function latelyOn(services: Services, asked: Request, endpoint: NamedEndpoint, most: number) {
  const { store } = services
  const [past, all] = await Promise.all([store.recentOn(endpoint.id), store.open()])
  const open = all.filter((one) => one.endpoint?.id === endpoint.id)
  return {
    past: past.filter(toldOnce(open)).slice(0, most),
    waiting: await openOn(services, asked, endpoint, open),
    isTaken: open.some((one) => waitsForPeople(one) && one.change === undefined && one.through === undefined),
  }
}

/**
 * Returns an endpoint's open requests with their requesters, and with buttons if the reader may answer. Announced ones
 * are left out, because the endpoint's state mentions them.
 */
export async function openOn(
  services: Services,
  asked: Request,
  on: NamedEndpoint | undefined,
  among?: readonly Request[],
) {
  const { commands, store, policy } = services
  const [open, records, listed] = await Promise.all([among ?? store.open(), store.records(), store.names()])
  if (on === undefined || !isInside(fenceOf(asked, records), on, listed?.endpoints)) return []
  const here = open.filter((one) => one.endpoint?.id === on.id && !isAnnounced(one))
  const mandates =
    here.length === 0 || asked.through !== undefined
      ? null
      : await mandatesUnder(services, records, asked.actor, asked.place)
  return here.map((one) => ({
    text: [
      say('explain.open', { deed: requestPhrase(commands, one) }),
      unlessNewer(() => whatItTakes(parsedBy(commands, one)), ''),
    ],
    through: say('history.by', { how: 'requested' }),
    ...askedBy(one),
    offers: [
      ...(one.status === 'awaiting' && mandates?.(one).kind === 'may'
        ? (askedRows(services, [one], 'approve')[0]?.offers ?? [])
        : []),
      { label: say('history.details'), line: `history ${writeWord(one.id)}` },
    ],
  }))

  function whatItTakes(one: ParsedRequest): Words {
    return [votesOf(one), awaitedOf(one, (role) => policy().roles[role]), withTexts(becauseOf(one), hide)]
  }
}

/** Returns each endpoint's open requests, and the automatic start or stop that can still be skipped. */
export async function openNow({ store }: Services): Promise<Pick<Context<unknown>, 'openOn' | 'announcedOf'>> {
  const all = await store.open()
  const calls = all.filter((one) => one.change === undefined && (one.status === 'awaiting' || one.status === 'running'))
  const byEndpoint = new Map<string | undefined, readonly Request[]>()
  for (const one of calls) byEndpoint.set(one.endpoint?.id, [...(byEndpoint.get(one.endpoint?.id) ?? []), one])
  const openOn = ({ id }: Endpoint) => byEndpoint.get(id) ?? []
  return { openOn, announcedOf: (endpoint) => announcedIn(openOn(endpoint)) }
}

/** Returns the automatic start or stop among an endpoint's open requests that can still be skipped. */
function announcedIn(open: readonly Request[]): Announced | null {
  const notice = open.find(isAnnounced)
  if (notice?.ask?.due === undefined) return null
  const want = notice.plan?.some(({ goal }) => goal === 'serving') === true ? 'up' : 'down'
  return { want, at: notice.ask.due, by: noticeCause(notice) }
}

/** Describes an endpoint in a row of its own: its state, what is open, and what keeps automation from acting on it. */
export function rowWords(endpoint: Endpoint, overview: Overview, now: number): Words {
  const calls = overview.open.filter((one) => one.endpoint?.id === endpoint.id && one.change === undefined)
  return dotted(stateWith(endpoint, overview, now), ...besideState(endpoint, calls, overview.rulesOf?.(endpoint), now))
}

type Outlook = Pick<Overview, 'open' | 'prices' | 'idling' | 'rulesOf' | 'records'>

/** Describes an endpoint's state, next change and cost, and how long it has been idle if no rule stops it. */
export function stateWith(endpoint: Endpoint, outlook: Outlook, now: number): Sentence {
  const candidate = outlook.idling.find((one) => one.endpoint.id === endpoint.id)
  const own = outlook.open.filter((one) => one.endpoint?.id === endpoint.id)
  const freeze = freezeAt(outlook.records, now)
  return stateOf(endpoint, {
    next: nextStep(endpoint, { ...outlook, announcedOf: () => announcedIn(own), freeze, now }),
    idle: candidate === undefined ? 'none' : say('usage.idle', { length: { lasting: candidate.quietMs } }),
    cost: hourlyCost(outlook.prices)(endpoint),
  })
}
