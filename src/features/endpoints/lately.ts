import type { Context } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint, NamedEndpoint } from '../../core/model/endpoint.ts'
import { unlessNewer } from '../../core/model/formats.ts'
import type { QueryAnswer } from '../../core/model/query-answer.ts'
import type { Request } from '../../core/model/request.ts'
import { type AnnouncedStop, noticeCause } from '../../core/model/rules.ts'
import { say, type Words, withTexts } from '../../core/model/words.ts'
import { fenceOf, isInside } from '../../core/policy/programs.ts'
import type { Services } from '../../core/ports/services.ts'
import { awaitedOf, votesOf } from '../../core/requests/awaited.ts'
import { becauseOf, type ParsedRequest, parsedBy, requestPhrase } from '../../core/requests/in-words.ts'
import { askedRows } from '../../core/requests/waiting-list.ts'
import { hide } from '../../core/text/redact.ts'
import { mandatesUnder } from '../approvals/review.ts'
import { toldOnce } from '../history/last-change.ts'
import { askedBy } from '../history/words.ts'

/** Returns the latest requests on an endpoint, and those that wait for people or are in progress. */
export async function latelyOn(services: Services, asked: Request, endpoint: NamedEndpoint, most: number) {
  const { store } = services
  const [past, all] = await Promise.all([store.recentOn(endpoint.id), store.open()])
  // The endpoint's state already mentions an announced stop.
  const open = all.filter(
    ({ status, requirement, change, endpoint: on }) =>
      on?.id === endpoint.id &&
      (status === 'awaiting' ? requirement !== 'notice' : status === 'running' && change === undefined),
  )
  return {
    past: past.filter(toldOnce()).slice(0, most),
    waiting: await openOn(services, asked, endpoint, open),
    isTaken: open.some(
      ({ status, change, through }) => status === 'awaiting' && change === undefined && through === undefined,
    ),
  }
}

/** Returns an endpoint's open requests with their requesters, and with buttons if the reader may answer. */
export async function openOn(
  services: Services,
  asked: Request,
  on: NamedEndpoint | undefined,
  among?: readonly Request[],
): Promise<QueryAnswer['items']> {
  const { commands, store, policy } = services
  const [open, records, listed] = await Promise.all([among ?? store.open(), store.records(), store.names()])
  if (on === undefined || !isInside(fenceOf(asked, records), on, listed?.endpoints)) return []
  const here = open.filter(({ endpoint }) => endpoint?.id === on.id)
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

/** Returns each endpoint's open requests, and the automatic stop that can still be skipped. */
export async function openNow({ store }: Services): Promise<Pick<Context<unknown>, 'openOn' | 'announcedOf'>> {
  const all = await store.open()
  const calls = all.filter((one) => one.change === undefined && (one.status === 'awaiting' || one.status === 'running'))
  const byEndpoint = new Map<string | undefined, readonly Request[]>()
  for (const one of calls) byEndpoint.set(one.endpoint?.id, [...(byEndpoint.get(one.endpoint?.id) ?? []), one])
  const openOn = ({ id }: Endpoint) => byEndpoint.get(id) ?? []
  return { openOn, announcedOf: (endpoint) => announcedIn(openOn(endpoint)) }
}

/** Returns the automatic stop among an endpoint's open requests that can still be skipped. */
export function announcedIn(open: readonly Request[]): AnnouncedStop | null {
  const notice = open.find(({ status, requirement }) => status === 'awaiting' && requirement === 'notice')
  return notice?.ask?.due === undefined ? null : { at: notice.ask.due, by: noticeCause(notice) }
}
