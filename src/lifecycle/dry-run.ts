import { assertMove, type Event, isEnded, type Request } from '../core/model/request.ts'
import type { ClaimedRequest, Services, Store } from '../core/ports/services.ts'
import type { Authorization } from '../core/requests/authorize.ts'
import type { PlannedChange } from './planning/plan.ts'
import { submit } from './submit.ts'

export type DryRun = Awaited<ReturnType<typeof dryRun>>

/** The methods of a store that only read. The compiler requires a stub for every other method. */
type Reads =
  | (
      | 'load'
      | 'postsOf'
      | 'replyUrlOf'
      | 'open'
      | 'proposals'
      | 'records'
      | 'audit'
      | 'lastDone'
      | 'settingsOf'
      | 'lateOf'
      | 'pressableSince'
      | 'names'
    )
  | ('past' | 'recentOn' | 'eventsOf' | 'fileOf' | 'prices' | 'reconcileStates' | 'watched' | 'watchedOf')

/**
 * Handles a request as a worker would, until its first call, question or end. The platform is only read. `others` are
 * the requests that it would change. `authorization` says whether the requester has the role; everything else assumes so.
 */
export async function dryRun(services: Services, asked: Request) {
  const { store, platform, seals, clock } = services
  const others = new Map<string, { readonly before: Request; readonly claim: ClaimedRequest }>()
  const events: Event[] = []
  // An expired request has neither, and a request without a plan has no `planned`.
  let seen: { readonly planned?: PlannedChange; readonly authorization?: Authorization } = {}

  async function claimAnother(id: string): Promise<ClaimedRequest | null> {
    const before = await store.load(id)
    if (before === null) return null
    const other = others.get(id) ?? { before, claim: inMemory(dry, before, []) }
    others.set(id, other)
    return other.claim
  }

  async function holderOf(endpoint: string): Promise<string | null> {
    const holder = await store.holderOf(endpoint)
    const other = others.get(holder ?? '')
    return other !== undefined && isEnded(other.claim.request.status) ? null : holder
  }

  const writes: Pick<Store, Exclude<keyof Store, Reads>> = {
    claim: claimAnother,
    holderOf,
    hint: () => store.hint(),
    due: async () => [],
    takeTurn: async () => null,
    joinGroup: async (name) => name,
    claimGroup: async () => null,
    receive: async () => unstored,
    press: async () => unstored,
    write: nothing,
    keepFiles: nothing,
    keepWatched: nothing,
    noteReconcileStates: nothing,
    rememberSettings: nothing,
    forgetSettings: nothing,
    rememberLate: nothing,
    rememberState: nothing,
    rememberNames: nothing,
    rememberPrices: nothing,
  }
  const dry: Services = {
    ...services,
    store: { ...store, ...writes },
    platform: {
      ...platform,
      send: async (call) => (call.method === 'get' ? platform.send(call) : { kind: 'unreached', says: 'A dry run.' }),
    },
    seals: seals && { ...seals, seal: async () => false, forget: nothing },
    queue: { wake: nothing },
    notifier: { ...services.notifier, show: async () => ({ again: null }) },
    announce: nothing,
    soon: () => undefined,
  }
  const claim = inMemory(dry, asked, events)
  const isDue = ({ status, nextAt }: Request) => status === 'received' && (nextAt === null || nextAt <= clock.now())
  for (let version = -1; claim.version > version && isDue(claim.request); ) {
    version = claim.version
    await submit(dry, claim, {
      admit(authorization, role) {
        if (seen.authorization?.kind !== 'not') seen = { ...seen, authorization }
        return { kind: 'may', by: null, role: authorization.kind === 'may' ? authorization.role : role }
      },
      planned(planned) {
        seen = { ...seen, planned }
      },
    })
  }
  const changed = [...others.values()].filter(({ claim: { version } }) => version > 0)
  const after = changed.map(({ before, claim: other }) => ({ before, after: other.request }))
  return { request: claim.request, events, others: after, ...seen }
}

const unstored = { kind: 'nothing', why: 'away' } as const
async function nothing(): Promise<undefined> {}

/** A claimed request in memory. Moves are not stored; their events are added to `events`. */
function inMemory({ commands, store }: Services, asked: Request, events: Event[]): ClaimedRequest {
  const claim = {
    request: asked,
    version: 0,
    presses: [],
    posts: null,
    starts: 1,
    get command() {
      return commands.operation(claim.request.line)
    },
    get query() {
      return commands.query(claim.request.line)
    },
    until: () => Number.POSITIVE_INFINITY,
    async move(next, told, { lock } = {}) {
      assertMove(claim.request.status, next.status, told)
      const by =
        (lock === 'take' || lock === 'free') && next.endpoint !== undefined
          ? await store.holderOf(next.endpoint.id)
          : null
      if (by !== null && by !== next.id) return { kind: 'taken', by }
      Object.assign(claim, { request: next, version: claim.version + 1 })
      events.push(...told)
      return { kind: 'moved' }
    },
    watch: () => undefined,
    savePosts: nothing,
    release: async () => true,
    refresh: nothing,
    leave: nothing,
    abandon: () => undefined,
  } satisfies ClaimedRequest as ClaimedRequest
  return claim
}
