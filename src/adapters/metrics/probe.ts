import type { Fetched, Fetcher } from './fetch.ts'
import { type Sample, sampleOf } from './sample.ts'

/** What is asked for its metrics. */
export interface Target {
  /** The address at which the endpoint serves, as the platform gives it. */
  readonly url: string
  /** How many replicas stand behind it. */
  readonly replicas: number
  /** Where its metrics are, if somebody set that. */
  readonly path?: string | null
  /** By what a line names it. */
  readonly name?: string
}

/** What is remembered of an endpoint's paths from one probe to the next; plain values. */
export interface ProbeMemory {
  /** Where its metrics were found. */
  readonly path?: string
  /** Paths without metrics: how often in a row, and when last, in ms since 1970. */
  readonly misses: Readonly<Record<string, { readonly times: number; readonly at: number }>>
}

export interface Probed {
  readonly samples: readonly Sample[]
  /** Why there are none, as the end of a sentence. */
  readonly missing?: string
  readonly memory: ProbeMemory
}

export interface Prober {
  readonly fetcher: Fetcher
  /** A key made for probing and nothing else. Never the platform's own. */
  readonly key?: string
}

const usual = ['/metrics', '/v1/metrics', '/prometheus/metrics'] as const
const dayMs = 86_400_000
/** Scrapes for each replica: a balancer may lead to the same one several times. */
const triesEach = 4
/** And for an endpoint: of a hundred replicas that show the same process, no more are met by asking on. */
const mostTries = 16

/**
 * Looks for the metrics of an endpoint and scrapes them until each of its replicas was met, as far as they can be told
 * apart. `now` in ms since 1970. Never throws.
 */
export async function probe(
  { fetcher, key }: Prober,
  target: Target,
  before: ProbeMemory,
  now: number,
): Promise<Probed> {
  const base = baseOf(target.url)
  if (base === null)
    return { samples: [], missing: 'the platform gives no address that could be asked', memory: before }
  // A key does not travel in the open, but on this machine.
  const sent = base.protocol === 'https:' || isHere(base) ? key : undefined
  let memory = before
  let found: { readonly url: URL; readonly sample: Sample } | undefined
  let led: number | undefined
  for (const asked of pathsOf(target, before, now)) {
    const first = under(base, asked)
    if (first === null) continue
    const { url, path, page } = await fetched(fetcher, first, asked, sent)
    const sample = page.kind === 'page' ? sampleOf(page.text) : null
    if (isLed(page)) {
      led ??= page.status
      continue
    }
    if (sample === null && !isMiss(page)) return { samples: [], missing: failureOf(page, key), memory }
    memory = sample === null ? missed(memory, path, now) : memory
    if (sample === null || (sample.servers.length === 0 && found !== undefined)) continue
    found = { url, sample }
    if (sample.servers.length === 0) continue
    const { [path]: _, ...misses } = memory.misses
    memory = { path, misses }
    break
  }
  if (found === undefined)
    return { samples: [], missing: led === undefined ? nowhere : ledAway(led, target.name), memory }
  return { samples: await others(fetcher, found.url, sent, found.sample, target.replicas), memory }
}

const nowhere = `no metrics were found at ${usual.join(', ')}; if they are elsewhere, set the endpoint's metric path with a patch`

/** The path somebody set, the one that was found, the usual ones; those that failed twice rest for a day. */
function pathsOf({ path }: Target, { path: found, misses }: ProbeMemory, now: number): readonly string[] {
  const all = new Set([path ?? '', found ?? '', ...usual].filter((one) => one.startsWith('/')))
  return [...all].filter((one) => (misses[one]?.times ?? 0) < 2 || now - (misses[one]?.at ?? 0) >= dayMs)
}

function missed(memory: ProbeMemory, path: string, now: number): ProbeMemory {
  const { path: found, misses } = memory
  const kept = found === undefined || found === path ? {} : { path: found }
  return { ...kept, misses: { ...misses, [path]: { times: (misses[path]?.times ?? 0) + 1, at: now } } }
}

function baseOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.search = ''
  url.hash = ''
  return url
}

function isHere({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** Null for a path that would leave the endpoint: its neighbours may be at the same host. */
function under(base: URL, path: string): URL | null {
  // A gateway may decode what hides a step up, once or twice.
  if (/\\|%(?:2e|2f|5c|25)/i.test(path)) return null
  const start = base.pathname.replace(/\/+$/, '')
  const url = new URL(base)
  url.pathname = start + path
  return url.pathname.startsWith(`${start}/`) ? url : null
}

/** Nothing there, or something else than metrics. Anything but these may pass, so it is no reason to stay away. */
function isMiss(page: Fetched): boolean {
  return page.kind === 'page' || (page.kind === 'status' && [404, 405, 410].includes(page.status))
}

function failureOf(page: Fetched, key: string | undefined): string {
  if (page.kind === 'failed') return page.why
  if (page.kind === 'page') return nowhere
  const { status } = page
  if (status !== 401 && status !== 403) return `its metrics answered ${status}`
  return key === undefined
    ? `its address asks for a key (${status}); make an API key for this alone, which may reach only the containers to watch (never the key that Lamplighter calls the platform with), and name its variable in \`signals: { key_env: … }\` of the policy file`
    : `its address refuses the probe key (${status}); make one that may reach this container, and put it where \`signals: { key_env: … }\` says`
}

/** Asks again until as many processes were met as there are replicas, where they can be told apart at all. */
async function others(
  fetcher: Fetcher,
  url: URL,
  key: string | undefined,
  first: Sample,
  replicas: number,
): Promise<readonly Sample[]> {
  const samples = [first]
  const met = new Set([first.process])
  for (
    let left = Math.min(triesEach * replicas, mostTries) - 1;
    left > 0 && met.size < replicas && !met.has(null);
    left -= 1
  ) {
    const page = await fetcher.get(url, key)
    const sample = page.kind === 'page' ? sampleOf(page.text) : null
    if (sample === null) break
    samples.push(sample)
    met.add(sample.process)
  }
  return samples
}

interface Answered {
  /** Where it was in the end. */
  readonly url: URL
  readonly path: string
  readonly page: Fetched
}

/**
 * Fetches a page; one that is led to the same path with a slash at its end, or without, is asked for there, once.
 * Nothing else is followed. Web frameworks do that to apps they mount, and behind a proxy such an app knows neither its
 * scheme nor under which path it hangs, so what is asked is put together here and not taken from the answer.
 */
async function fetched(fetcher: Fetcher, url: URL, path: string, key: string | undefined): Promise<Answered> {
  const page = await fetcher.get(url, key)
  const { location } = isLed(page) ? page : {}
  const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : null
  const other = new URL(url)
  other.pathname = slashed(url.pathname)
  const isOther = to?.host === url.host && to.search === '' && [other.pathname, slashed(path)].includes(to.pathname)
  return isOther ? { url: other, path: slashed(path), page: await fetcher.get(other, key) } : { url, path, page }
}

function slashed(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

function isLed(page: Fetched): page is Fetched & { readonly kind: 'status' } {
  return page.kind === 'status' && page.status >= 300 && page.status < 400
}

/** What people are told of metrics that are elsewhere, as the end of a sentence. `name`: by which a line names it. */
function ledAway(status: number, name = '<name>'): string {
  return `its metrics are led elsewhere (${status}), and that is not followed; stop it, and set where they are with \`patch ${name} metrics=/…\``
}
