import { withoutReason } from '../../core/commands/commands.ts'
import { fits, type Matchable } from '../../core/model/automation.ts'
import type { EventKind, Webhook } from '../../core/model/policy.ts'
import { type AnswersGiven, answersTo } from '../../core/model/question.ts'
import { keyOf, lockdownIn, type StoredRecord } from '../../core/model/records.ts'
import { isAutomatic, isEnded, type Request, toldStatus } from '../../core/model/request.ts'
import { programOf } from '../../core/model/token.ts'
import { quoted, say, type Words, withTexts } from '../../core/model/words.ts'
import type { EventPorts, ProvenEntry } from '../../core/ports/audit.ts'
import { type Services, Tampered } from '../../core/ports/services.ts'
import { hide } from '../../core/text/redact.ts'
import { inEach } from '../../core/words/plain.ts'

export interface Happened {
  readonly type: 'request.ended' | 'hold.set' | 'hold.ended' | 'lockdown.began' | 'lockdown.ended'
  readonly kinds: readonly EventKind[]
  /** ms since 1970. */
  readonly at: number
  readonly says: Words
  readonly endpoint?: { readonly id: string } & Matchable
  /** Its line names an endpoint that was never found. */
  readonly isUnclear?: true
  readonly request?: Request
  readonly asked?: { readonly line: string; readonly reason?: string }
  /** Who did it: a person's id, or `console`. */
  readonly by?: string
  /** When a hold ends, ms since 1970. */
  readonly until?: number
}

/** Returns the list of endpoints; null if there is none. One that was changed in Redis may not hide the lockdown. */
async function knownEndpoints(store: Pick<Services['store'], 'names'>) {
  return store.names().catch((error: unknown) => {
    if (error instanceof Tampered) return null
    throw error
  })
}

/** Whether a webhook has to wait for tags, which are only in the list. In a lockdown it does not: nothing may hide that. */
export async function lacksTags(store: Pick<Services['store'], 'names' | 'records'>, { on }: Pick<Webhook, 'on'>) {
  return on !== undefined && (await knownEndpoints(store)) === null && lockdownIn(await store.records()) === null
}

/** Returns the events in an audit entry, always in the same order. Throws Tampered, Newer. */
export async function eventsIn(
  sources: Pick<Services, 'commands' | 'store'>,
  ports: Pick<EventPorts, 'endOf'>,
  entry: ProvenEntry,
): Promise<readonly Happened[]> {
  const { change, what, status } = entry
  const [put, drop] = [change?.put ?? [], change?.drop ?? []]
  const isEnd = status === what && isEnded(what)
  const ended = isEnd && entry.request !== undefined ? await sources.store.load(entry.request) : null
  const { at, by = ended?.actor } = entry
  const person = by === undefined ? {} : { by: by.user }
  const told = { at, ...person }
  // The end of the answered request already reports an answer.
  const command = ended === null ? null : sources.commands.stored(ended.line)
  const row = command?.row
  const isOperation = ended?.kind === 'operation' && row?.deed === undefined
  const listed = (await knownEndpoints(sources.store))?.endpoints ?? []
  const endpointOf = (id: string, name = id) => ({ name, ...listed.find((one) => one.id === id), id })

  return [
    ...(ended !== null && isOperation ? [endOf(ended)] : []),
    ...put.flatMap(setIn),
    ...drop.flatMap((key) => (key.startsWith('hold:') ? [holdEnded(endpointOf(key.slice('hold:'.length)))] : [])),
    ...(drop.includes('lockdown')
      ? [{ type: 'lockdown.ended', kinds: ['lockdowns'], ...told, says: say('events.lockdownEnded') } as const]
      : []),
  ]

  function endOf(request: Request): Happened {
    const { endpoint, ending } = request
    const kinds: readonly EventKind[] = isAutomatic(request) ? ['requests', 'automation'] : ['requests']
    // Only the owner of a token learns what it is for.
    const keys = [...(request.change?.put ?? []).map(keyOf), ...(request.change?.drop ?? [])]
    const [first = ''] = [ending?.says ?? ''].flat()
    const says =
      request.status === 'succeeded' && keys.some((key) => key.startsWith('token:'))
        ? first
        : // Perhaps only a newer version knows its line.
          [row === undefined ? (ending?.says ?? '') : ports.endOf(request), quoted(ending)]
    const word = command?.values['endpoint']
    // A request that ends before it is planned has only the name that was typed.
    const [known, ...others] = listed.filter(({ id, name }) => id === word || name === word)
    const found = endpoint ?? (others.length === 0 ? known : undefined)
    const on = found
      ? { endpoint: endpointOf(found.id, found.name) }
      : word !== undefined && { isUnclear: true as const }
    const asked = withoutReason(request.line, sources.commands)
    return { type: 'request.ended', kinds, ...told, says, request, asked, ...on }
  }

  function setIn(record: StoredRecord): readonly Happened[] {
    if (record.kind === 'lockdown')
      return [{ type: 'lockdown.began', kinds: ['lockdowns'], at: record.at, says: record.why }]
    if (record.kind !== 'hold') return []
    const { until } = record
    const endpoint = endpointOf(record.endpoint)
    const says = say('events.hold', { name: endpoint.name, until: { at: until } })
    const whose = record.by === 'console' ? record.by : record.by.user
    return [{ type: 'hold.set', kinds: ['holds'], at, by: whose, says, endpoint, until }]
  }

  function holdEnded(endpoint: Happened['endpoint'] & object): Happened {
    const says = say('events.holdEnded', { name: endpoint.name })
    return { type: 'hold.ended', kinds: ['holds'], ...told, says, endpoint }
  }
}

/** Whether a webhook wants an event. One without an endpoint concerns all, unless nobody knows which one it is about. */
export function isWanted(
  { kinds, on }: Pick<Webhook, 'kinds' | 'on'>,
  { kinds: own, endpoint, isUnclear }: Happened,
): boolean {
  const isHere = endpoint === undefined ? !isUnclear : on?.some((pattern) => fits(pattern, endpoint))
  const isNear = on === undefined || isHere === true
  return isNear && own.some((kind) => kinds.includes(kind))
}

/** Returns the body for a receiver. Retries have the same id, which is never used again, even after a loss of Redis. */
export function eventBody(project: string, seq: number, happened: Happened, link: string | null): string {
  const { type, at, says, endpoint, request, asked, by, until } = happened
  return JSON.stringify({
    // One entry may tell of several endpoints.
    id: [project, seq, at, type, ...(endpoint && !request ? [endpoint.id] : [])].join('-'),
    type,
    at: new Date(at).toISOString(),
    project,
    says: inEach(withTexts(says, hide)),
    // JSON has no undefined fields.
    endpoint: endpoint && { id: endpoint.id, name: endpoint.name },
    by,
    until: until === undefined ? until : new Date(until).toISOString(),
    request: request && {
      id: request.id,
      line: hide(asked?.line ?? request.line),
      reason: asked?.reason && hide(asked.reason),
      status: toldStatus(request),
      person: request.actor.user,
      via: request.via ?? 'typed',
      decided: decidedIn(request),
      program: programOf(request),
      link: link ?? undefined,
    },
  })
}

/** Returns who decided, if anybody had to; everyone who approved, if approvals were needed. */
export function decidedIn(request: AnswersGiven) {
  const { decision, votes = [] } = answersTo(request)
  if (decision === undefined) return undefined
  const { yes, by, because, glass } = decision
  return {
    yes,
    by: by.user,
    ...(yes && votes.length > 0 && { approved: votes.map((vote) => vote.by.user) }),
    ...(because !== undefined && { reason: hide(because) }),
    ...(glass === true && { break_glass: true }),
  }
}
