import { visible } from '../text/unicode.ts'

/** One endpoint as last read. Every reader of the platform's answers makes this one shape. */
export interface Endpoint {
  readonly id: string
  readonly name: string
  /** `is_active`; null when the platform did not say. Unknown counts as active wherever it would hurt. */
  readonly active: boolean | null
  /** The platform's own word (RUNNING, DEPLOYING, …): an open list, shown and never trusted before `active`. */
  readonly status?: string
  readonly replicas?: number
  readonly autoscaled?: boolean
  readonly gpu?: string
  readonly url?: string
  readonly replicasByState?: Readonly<Record<string, number>>
  readonly tags?: readonly string[]
  /** A sentence when the platform's live look-up failed: the read is incomplete, and only a stop may rest on it. */
  readonly problem?: string
  /** ISO 8601, as the platform wrote it. */
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** A page of the list; `pages` counts from 1. */
export interface EndpointPage {
  readonly endpoints: readonly Endpoint[]
  readonly page: number
  readonly pages: number
  readonly total: number
}

/** Whom an API key stands for. */
export interface KeyContext {
  readonly organization: string
  readonly project: string
  readonly key: string | null
  readonly user: string | null
  readonly via: string
}

/** What start and stop answer. `message` is the platform's own sentence. */
export interface Switched {
  readonly id: string
  readonly active: boolean | null
  readonly message: string
}

/** What scale answers. */
export interface Scaled {
  readonly id: string
  readonly previous: number | null
  readonly current: number | null
  readonly message: string
}

/** The settings a patch can change, as its answer shows them. Values of environment variables are never kept: keys only. */
export interface Settings {
  readonly id: string
  readonly name: string
  readonly active: boolean | null
  readonly container_start_command: string | null
  readonly env_keys: readonly string[] | null
  readonly container_port: number | null
  readonly container_health_check_path: string | null
  readonly container_health_check_timeout: number | null
  readonly health_check_timeout: number | null
  readonly container_metric_path: string | null
  readonly updatedAt?: string
}

export interface Replica {
  readonly id: string
  readonly state: string
  readonly node: string | null
  /** Unix seconds, may have a fraction. */
  readonly startedAt: number | null
}

export interface LogFile {
  readonly node: string
  readonly replica: string
  readonly filename: string
  readonly historical: boolean
  readonly start: string | null
  readonly end: string | null
}

export interface LogLines {
  readonly content: string
  readonly startLine: number
  readonly endLine: number
}

/**
 * What may stand as an id in a path. Checked before any path is built: `..`, `.`, an empty text or a slash would
 * turn one operation into another.
 */
export const endpointIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** What a replica can run on, and what an hour of it costs. */
export interface InstanceType {
  /** What it is called, in one way or another. */
  readonly names: readonly string[]
  /** Its GPU, where it has just one. */
  readonly gpu?: string
  readonly perHour?: number
  readonly currency?: string
}

export interface InstanceTypePage {
  readonly types: readonly InstanceType[]
  readonly pages: number
}

type Named = Pick<Endpoint, 'id' | 'name'>

/**
 * Letters of other alphabets that are drawn like one of ours, each before the one it is taken for: those that names are
 * forged with, out of a long list (Unicode, UTS 39, confusables). What only has another width or weight is NFKC's.
 */
const twins = pairs(
  // Cyrillic
  'Аa Вb Еe Кk Мm Нh Оo Рp Сc Тt Уy Хx Іi Јj Ѕs Ԁd Ԛq Ԝw Ѵv Ӏl',
  'аa еe кk оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ѵv ӏl',
  // Greek
  'Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx',
  'αa γy ηn ιi κk νv οo ρp υu χx ωw',
  // Dashes, and an i without its dot
  '‐- ‒- –- —- −- ıi',
)

/** Our own that few fonts tell apart. */
const close = new Map([...pairs('0o 1l il |l'), ['m', 'rn'], ['w', 'vv']])

/** Most names are, and there may be thousands. */
const plain = /^[\w.:/-]+$/

/** How `visible` writes what leaves no mark of its own. */
const unseen = /\\u\{[0-9a-f]+\}/g

/** What a name looks like at a glance: two names of the same look are not told apart by reading them. */
export function lookOf(name: string): string {
  return (plain.test(name) ? name : made(name))
    .toLowerCase()
    .replace(/[01il|mw]/g, (letter) => close.get(letter) ?? letter)
}

/** The same in our own letters, as far as it looks like them. */
function made(name: string): string {
  const seen = visible(name.normalize('NFKC')).replace(unseen, '')
  return Array.from(seen.trim().replace(/\s+/g, ' '), (letter) => twins.get(letter) ?? letter).join('')
}

/** Said wherever something is to be done to one that has a look-alike. */
export function alikeText({ id }: Pick<Named, 'id'>): string {
  return `Its id is ${id}: another endpoint’s name looks the same.`
}

const known = new WeakMap<readonly Named[], ReadonlyMap<string, ReadonlySet<string>>>()

/** Whether another one of a list has a name that looks the same, or is. */
export function hasLookAlike({ id, name }: Named, all: readonly Named[]): boolean {
  const looks = known.get(all) ?? looksIn(all)
  known.set(all, looks)
  const ids = looks.get(lookOf(name)) ?? new Set()
  return ids.size > (ids.has(id) ? 1 : 0)
}

/** The ids of each look. */
function looksIn(all: readonly Named[]): ReadonlyMap<string, ReadonlySet<string>> {
  const looks = new Map<string, Set<string>>()
  for (const { id, name } of all) {
    const look = lookOf(name)
    const ids = looks.get(look) ?? new Set()
    looks.set(look, ids.add(id))
  }
  return looks
}

function pairs(...lists: readonly string[]): Map<string, string> {
  return new Map(lists.flatMap((list) => list.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)] as const)))
}

/** "active · stops in 53 min (schedule) · RUNNING · 3 replicas": what is next comes before the platform's own words. */
export function stateOf(endpoint: Endpoint, next = ''): string {
  const active = endpoint.active === null ? 'state unknown' : endpoint.active ? 'active' : 'stopped'
  // A stopped endpoint may still carry an old status (the platform's own sample does): it would only mislead.
  const status = endpoint.active === false ? undefined : endpoint.status
  return [active, next, status, replicasOf(endpoint), endpoint.gpu].filter(Boolean).join(' · ')
}

/** "2 of 3 replicas running", "3 replicas", or nothing where the platform says nothing. */
export function replicasOf({ active, replicas, replicasByState, autoscaled }: Endpoint): string | undefined {
  if (replicas === undefined) return undefined
  const running = replicasByState?.['RUNNING']
  const many = `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
  const some = active && running !== undefined && running !== replicas ? `${running} of ${many} running` : many
  return autoscaled ? `${some}, autoscaled` : some
}
