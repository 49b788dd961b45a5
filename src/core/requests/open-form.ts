import type { Command, Commands } from '../commands/commands.ts'
import type { Nonsense } from '../commands/define.ts'
import { neededFor } from '../commands/permissions.ts'
import type { Current, Remembered } from '../model/current.ts'
import { idWord } from '../model/question.ts'
import type { FieldValues, Request } from '../model/request.ts'
import { isSame } from '../model/roles.ts'
import { say, type Words } from '../model/words.ts'
import { absolute, absoluteIn } from '../time/format.ts'
import { readWhen } from '../time/parse-when.ts'
import { holderOn } from './claim-other.ts'
import { inTime, type ProjectGateway, reachable, type Visit } from './gateway.ts'
import { answeredIn, requestPhrase } from './in-words.ts'

export interface Opening extends Pick<Current, 'now' | 'beside' | 'choices'> {
  readonly values: FieldValues
  /** The name of the request or endpoint, shown instead of its id. */
  readonly called?: Words
  /** The person who made the request, and why. */
  readonly about?: Words
  /** Whether the line names only an endpoint. Picking another endpoint then fills the form anew. */
  readonly follows?: boolean
  /** Why the values contradict each other, or why a value that was typed is left out. */
  readonly wrong?: Nonsense | undefined
}

interface Wanted extends Command {
  readonly wrong?: Nonsense | undefined
}

type Asking = Pick<Visit, 'actor' | 'channel' | 'commands'>

/** Fills a form with its line's values; if that only names an endpoint, with the current ones and no error. */
export async function openingOf(gateway: ProjectGateway, asking: Visit, wanted: Wanted): Promise<Opening> {
  const { row, values: typed, wrong } = wanted
  const now = asking.clock.now()
  const said = Object.keys(typed).filter((name) => row.fields[name]?.kind !== 'endpoint' && name !== 'because')
  const [zone, current, named, held] = await Promise.all([
    said.some((name) => row.fields[name]?.moment === true) ? inTime(gateway.zoneOf(asking.actor), null) : null,
    inTime<Current, Current>(currentOf(gateway, asking, wanted, now), {}),
    namedBy(gateway, asking.commands, typed),
    heldText(gateway, asking, wanted),
  ])
  const { fills = {}, ...rest } = current
  const known = held === null ? rest : { ...rest, now: [rest.now ?? '', held] }
  if (said.length === 0) {
    const follows = row.kind === 'operation' && row.current !== undefined
    return { ...known, ...named, follows, values: { ...fills, ...typed, ...named.values }, wrong: undefined }
  }
  const values = { ...typed, ...momentsIn(wanted, now, zone), ...named.values }
  return { ...known, ...named, values, wrong }
}

/**
 * Names the open request that would block a form: the form that `submitted` as a request then stays open and keeps what
 * was typed, one that is being opened says so. Null if there is none.
 */
export async function heldText(gateway: ProjectGateway, asking: Asking, { row, values }: Command, submitted?: string) {
  const { endpoint, ...others } = values
  // A change to our own records takes no lock.
  const holds =
    row.kind === 'operation' && row.deed === undefined && (row.change === undefined || row.laterBy?.(others) === false)
  if (!holds || typeof endpoint !== 'string') return null
  // Slack waits 3 s in total, and storing may take 1 s of that.
  const other = await inTime(holding(gateway.store, endpoint), null, 500)
  if (other === null || other.id === submitted || other.requirement === 'notice') return null
  const { status, ask, actor } = other
  // A stop may take over a running request, but not one that waits for an answer.
  if (row.wants === 'down' && status !== 'awaiting') return null
  const isOwn = isSame(actor, asking.actor)
  const mayCancel = isOwn || (await reachable([gateway], asking.actor, asking.channel, 'approver')).length > 0
  return say('request.formHeld', {
    deed: requestPhrase(asking.commands, other),
    by: { person: actor },
    until: status === 'awaiting' && ask !== undefined ? { at: ask.expiresAt } : 'none',
    form: submitted === undefined ? 'opened' : mayCancel ? 'submitted' : 'theirs',
  })
}

async function holding(store: ProjectGateway['store'], endpoint: string): Promise<Request | null> {
  return holderOn(store, (await listedAs(store, endpoint))?.id ?? endpoint)
}

/** Finds the only endpoint with this id or name, because a line may contain either. */
async function listedAs(store: ProjectGateway['store'], word: string) {
  const listed = await store.names().catch(() => null)
  const [found, ...others] = listed?.endpoints.filter(({ id, name }) => id === word || name === word) ?? []
  return others.length === 0 ? found : undefined
}

/** Returns the current values, of an endpoint or of the whole project, for people who may change them, if they are available at once. */
async function currentOf(
  gateway: ProjectGateway,
  asking: Asking,
  { row, values: { endpoint: named } }: Wanted,
  at: number,
): Promise<Current> {
  if (row.kind !== 'operation' || row.current === undefined) return {}
  const may = reachable([gateway], asking.actor, asking.channel, neededFor(row))
  const { store } = gateway
  const context = { automation: gateway.automation(), at, by: asking.actor }
  // A row without a field for an endpoint reads only the records.
  if (!('endpoint' in row.fields))
    return (await may).length === 0 ? {} : row.current({ ...context, records: await store.records() } as Remembered)
  if (typeof named !== 'string') return {}
  const endpoint = await listedAs(store, named)
  if (endpoint === undefined || (await may).length === 0) return {}
  const [settings, records] = await Promise.all([store.settingsOf(endpoint.id), store.records()])
  return row.current({ ...context, endpoint, settings, records })
}

/** Converts typed times such as "mon" for a time picker. Past and unreadable times stay as typed. */
function momentsIn({ row, values }: Wanted, now: number, zone: string | null): FieldValues {
  const read = Object.entries(values).flatMap(([name, value]) => {
    if (row.fields[name]?.moment !== true || typeof value !== 'string' || absoluteIn(value) !== null) return []
    const end = zone === null ? null : readWhen(value, now, zone)
    return end === null || 'wrong' in end ? [] : [[name, absolute(end.at)] as const]
  })
  return Object.fromEntries(read)
}

/** Returns the name of a request or endpoint, and the endpoint's id, which no rename changes; nothing if that takes too long. */
async function namedBy(
  { store }: ProjectGateway,
  commands: Commands,
  { request: word, endpoint }: FieldValues,
): Promise<Pick<Opening, 'called' | 'about'> & { readonly values?: FieldValues }> {
  if (typeof endpoint === 'string') {
    const found = await listedAs(store, endpoint)
    return found === undefined ? {} : { called: found.name, values: { endpoint: found.id } }
  }
  const [, request] = idWord.exec(`${word ?? ''}`) ?? []
  if (request === undefined) return {}
  const found = await store.load(request).catch(() => null)
  return found ? answeredIn(commands, found) : {}
}
