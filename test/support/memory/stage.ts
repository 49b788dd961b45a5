import { readLine } from '../../../src/core/commands/parse.ts'
import type { Press, Request } from '../../../src/core/model/request.ts'
import type { Services, Store } from '../../../src/core/ports/services.ts'
import { receive, receivePress } from '../../../src/core/requests/receive.ts'
import { rows } from '../../../src/features/command-table.ts'
import { advance } from '../../../src/lifecycle/advance.ts'
import { createOracle, type Oracle } from './oracle.ts'
import { homeTeam } from './people.ts'
import { type MemoryServices, survived } from './services.ts'
import { createMemoryStore } from './store.ts'

/** The services on which a sequence of steps is played, and the oracle that watches. */
export interface Stage extends MemoryServices {
  readonly oracle: Oracle
  /** The store of the doors, which do not die with the worker. */
  readonly store: Store
  /** Another worker, which neither dies nor sleeps. */
  readonly other: Services
  /** The ids of all typed lines, oldest first. */
  readonly requests: string[]
  presses: number
  /** The person who acted last. */
  last: string
}

export function staged(town: MemoryServices): Stage {
  const oracle = createOracle({ ...town, policy: town.services.policy })
  const store = createMemoryStore({ clock: town.clock, shelf: town.shelf })
  const other = { ...town.services, store }
  return { ...town, oracle, store, other, requests: [], presses: 0, last: 'U0ANA' }
}

const canonical = new Map<string, string>()

/** Returns the canonical line, as the doors do. Throws if it cannot be parsed. */
function written(typed: string): string {
  const known = canonical.get(typed)
  if (known !== undefined) return known
  const read = readLine(typed, rows)
  if (read.kind !== 'line') throw new Error(`This cannot be read: ${typed}`)
  canonical.set(typed, read.read.line)
  return read.read.line
}

export async function types(stage: Stage, user: string, typed: string, channel: string): Promise<void> {
  const { requests, clock, oracle, store, services } = stage
  const id = `r${String(requests.length).padStart(21, '0')}`
  const [at, actor, place] = [clock.now(), { team: homeTeam, user }, { channel }]
  const line = written(typed)
  const request: Request = {
    id,
    project: 'default',
    kind: 'operation',
    line,
    actor,
    place,
    receivedAt: at,
    status: 'received',
    notes: [],
    nextAt: at,
  }
  requests.push(id)
  stage.last = user
  oracle.typed(request)
  await receive({ store, queue: services.queue }, request)
}

/** Presses a button in a channel, or on the Home if the channel is the presser's own id. */
export async function presses(
  stage: Stage,
  user: string,
  request: string,
  yes: boolean,
  { old = 0, channel = 'C0OPS' }: { readonly old?: number; readonly channel?: string } = {},
): Promise<void> {
  const { clock, oracle, store, services, shelf } = stage
  const actor = { team: homeTeam, user }
  const ask = shelf.requests.get(request)?.request.ask
  stage.presses += 1
  stage.last = user
  const id = `p${stage.presses}`
  const press: Press = {
    id,
    request,
    ask: (ask?.n ?? 1) - old,
    yes,
    actor,
    channel,
    at: clock.now(),
  }
  oracle.pressed(press)
  await receivePress({ store, queue: services.queue }, press)
}

/** Sweeps until nothing is due. */
export async function swept(stage: Stage, services: Services = stage.services): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    // One after the other, because `races.test.ts` covers simultaneous workers.
    for (const id of await stage.store.due(stage.clock.now(), 100)) await survived(advance(services, id))
    if (services === stage.services) await stage.work()
  }
}
