import { say, type Words } from '../../core/model/words.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { type Sample, sampleOf } from './sample.ts'

/** A fetched page. `why` follows "Usage unknown: ". */
export type Fetched =
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  | { readonly kind: 'failed'; readonly why: Words }

type Get = (url: URL, key?: string) => Promise<Fetched>
export type Fetcher = { readonly get: Get; readonly stop: () => Promise<void> }

export interface Target {
  readonly url: string
  readonly replicas: number
  /** The metric path that somebody has set. */
  readonly path?: string | null | undefined
  /** Its name as written in a line. */
  readonly name: string
  /** A key for probing only, never the platform's own. */
  readonly key?: string | undefined
}

/** An endpoint's paths, remembered from probe to probe. Stored as JSON. */
export interface ProbeMemory {
  readonly path?: string
  /** Paths without metrics: failures in a row, and the last one in ms since 1970. */
  readonly misses: Readonly<Record<string, { readonly times: number; readonly at: number }>>
}

export interface Probed {
  readonly samples: readonly Sample[]
  /** Why there are none; ends a sentence. */
  readonly missing?: Words
  readonly memory: ProbeMemory
}

const usualPaths = ['/metrics', '/v1/metrics', '/prometheus/metrics'] as const
/** Scrapes for each replica, because a load balancer may route to the same one several times. */
const triesEach = 4
/** Scrapes for an endpoint. A hundred replicas that show one process would otherwise take 400. */
const maxTries = 16

/** Finds an endpoint's metrics and scrapes until it has reached each replica. `now` in ms since 1970. Never throws. */
export async function probe(fetcher: Fetcher, target: Target, before: ProbeMemory, now: number): Promise<Probed> {
  const { key } = target
  const base = baseOf(target.url)
  if (base === null) return { samples: [], missing: say('reading.noAddress'), memory: before }
  // Over plain http the key is sent only within this machine.
  const sentKey = base.protocol === 'https:' || isLocal(base) ? key : undefined
  const get: Get = (url) => fetcher.get(url, sentKey)
  let memory = before
  let found: { readonly url: URL; readonly sample: Sample } | undefined
  let redirect: number | undefined
  for (const candidate of pathsOf(target, before, now)) {
    const first = under(base, candidate)
    if (first === null) continue
    const { url, path, page } = await fetchOrSlash(get, first, candidate)
    if (isRedirect(page)) {
      redirect ??= page.status
      continue
    }
    // Other failures may be temporary, so they do not count against the path.
    if (page.kind !== 'page' && !isAbsent(page)) return { samples: [], missing: failureOf(page, key), memory }
    const sample = page.kind === 'page' ? sampleOf(page.text) : null
    if (sample === null) {
      memory = withMiss(memory, path, now)
    } else if (sample.servers.length === 0) {
      found ??= { url, sample }
    } else {
      found = { url, sample }
      const { [path]: _, ...misses } = memory.misses
      memory = { path, misses }
      break
    }
  }
  if (found === undefined) {
    const elsewhere = { status: `${redirect}`, line: `patch ${target.name} metrics=/…` }
    const missing = redirect === undefined ? nowhere : say('reading.redirected', elsewhere)
    return { samples: [], missing, memory }
  }
  return { samples: await scrapeOn(get, found.url, found.sample, target.replicas), memory }
}

const nowhere = say('reading.nowhere', { paths: usualPaths.join(', ') })

/** Returns the set path, the found one and the usual ones, except those that failed twice within a day. */
function pathsOf({ path }: Target, { path: found, misses }: ProbeMemory, now: number): readonly string[] {
  const all = new Set([path ?? '', found ?? '', ...usualPaths].filter((one) => one.startsWith('/')))
  return [...all].filter((one) => (misses[one]?.times ?? 0) < 2 || now - (misses[one]?.at ?? 0) >= dayMs)
}

function withMiss(memory: ProbeMemory, path: string, now: number): ProbeMemory {
  const { path: found, misses } = memory
  const known = found === undefined || found === path ? {} : { path: found }
  return { ...known, misses: { ...misses, [path]: { times: (misses[path]?.times ?? 0) + 1, at: now } } }
}

function baseOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.search = ''
  url.hash = ''
  return url
}

function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** Returns null for a path outside the endpoint, because others may share its host. */
function under(base: URL, path: string): URL | null {
  // A gateway may decode hidden dots and slashes, once or twice.
  if (/\\|%(?:2e|2f|5c|25)/i.test(path)) return null
  const start = base.pathname.replace(/\/+$/, '')
  const url = new URL(base)
  url.pathname = start + path
  return url.pathname.startsWith(`${start}/`) ? url : null
}

function isAbsent(page: Fetched): boolean {
  return page.kind === 'status' && [404, 405, 410].includes(page.status)
}

function failureOf(page: Exclude<Fetched, { readonly kind: 'page' }>, key: string | undefined): Words {
  if (page.kind === 'failed') return page.why
  const { status } = page
  if (status !== 401 && status !== 403) return say('reading.status', { status: `${status}` })
  return say(key === undefined ? 'reading.needsKey' : 'reading.keyRefused', {
    status: `${status}`,
    setting: 'signals: { key_env: … }',
  })
}

/** Scrapes until it has reached as many processes as there are replicas, if processes can be told apart. */
async function scrapeOn(get: Get, url: URL, first: Sample, replicas: number): Promise<readonly Sample[]> {
  const samples = [first]
  const processes = new Set([first.process])
  const most = Math.min(triesEach * replicas, maxTries)
  while (samples.length < most && processes.size < replicas && !processes.has(null)) {
    const page = await get(url)
    const sample = page.kind === 'page' ? sampleOf(page.text) : null
    if (sample === null) break
    samples.push(sample)
    processes.add(sample.process)
  }
  return samples
}

/** Follows one redirect that adds or removes a slash, at our own URL: behind a proxy an app has another. */
async function fetchOrSlash(get: Get, url: URL, path: string) {
  const page = await get(url)
  const { location } = isRedirect(page) ? page : {}
  const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : null
  const other = Object.assign(new URL(url), { pathname: slashed(url.pathname) })
  const isOther = to?.host === url.host && to.search === '' && [other.pathname, slashed(path)].includes(to.pathname)
  return isOther ? { url: other, path: slashed(path), page: await get(other) } : { url, path, page }
}

function slashed(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

function isRedirect(page: Fetched): page is Fetched & { readonly kind: 'status' } {
  return page.kind === 'status' && page.status >= 300 && page.status < 400
}
