import type { ChainableCommander, Redis } from 'ioredis'
import { Newer } from '../../../core/model/formats.ts'
import type { Records } from '../../../core/model/records.ts'
import type { Head, Link } from '../../../core/ports/audit.ts'
import { Tampered } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import { answersOf, linkIn } from './chain.ts'
import { caughtUp, type Kept, keptUnder, touchedIn } from './records.ts'
import { noRoot, type Root, readRoot, type Stored } from './root.ts'
import type { Signer } from './sign.ts'

/** More entries of the audit than this are not looked through for what has changed: everything is read. */
const mostEntries = 1_000

/** The newest root and the newest records that this process has seen. */
export interface Known {
  readonly root: Stored
  readonly kept: Kept | undefined
  /**
   * To be asked for before a root is read, and told what was read: it throws Tampered when that is not ours, or older
   * than what had been seen by then.
   */
  reading(): (stored: string) => Stored
  /** Reads what has changed, or everything where that cannot be told, and compares it with the root. Throws Tampered. */
  load(): Promise<Stored>
  /** The records of a root, where they are at hand. */
  under(root: Stored): Kept | undefined
  /** Which version those are that were given out; 0 before anything was written. */
  readonly versionOf: (records: Records) => number
  /** Throws Newer where some of them say what only a newer process knows, so that nothing can be decided on them. */
  readonly understand: (records: Records) => void
  /** What we have just written is the newest, whatever was before. */
  wrote(root: Stored, kept: Kept | undefined): void
  /** `all`: read and compared with their root also where that says that nothing has changed. */
  readonly records: (all?: 'all') => Promise<Records>
  readonly head: () => Promise<Head>
  /** Nothing older than this is believed from now on. */
  readonly expect: (head: Head) => void
}

/**
 * A root is as well signed as a newer one, so the newest is remembered. It remains that Redis put back as a whole is
 * not noticed by processes that were all started later; the anchors tell those.
 */
export function createKnown(redis: Redis, keys: Keys, signer: Signer): Known {
  let known: Stored = noRoot
  let kept: Kept | undefined
  /** Whatever has changed in those kept has done so after this. */
  let since: Head = noRoot
  const versions = new WeakMap<Records, number>()
  const partial = new WeakSet<Records>()

  function keep(found: Kept | undefined, root: Root): void {
    kept = found
    if (found?.version === root.version) since = root
    if (found === undefined) return
    versions.set(found.records, found.version)
    if (found.stored.size > found.records.size) partial.add(found.records)
  }

  function reading(): (stored: string) => Stored {
    const since = known
    return (stored) => {
      const root = readRoot(signer, stored)
      const older = root.seq < since.seq || root.version < since.version
      if (older || differ(root, since) || differ(root, known))
        throw new Tampered(`Redis has lost data: ${lossIn(root, older || !differ(root, since) ? known : since)}`)
      if (root.seq >= known.seq && root.version >= known.version) known = root
      return root
    }
  }

  /** Reads the root, and with it some of the records or all of them. */
  async function read<Fields>(ask: (asking: ChainableCommander) => ChainableCommander): Promise<[Stored, Fields]> {
    const believed = reading()
    const asking = ask(redis.multi().get(keys.root).xrevrange(keys.audit, '+', '-', 'COUNT', 1))
    const [stored, newest, fields] = (await answersOf(asking)) as [string | null, [string, string[]][], Fields]
    const root = believed(stored ?? '')
    const [id, [, mac = '']] = newest[0] ?? ['0-0', []]
    if (id !== `${root.seq}-0` || mac !== root.mac)
      throw new Tampered(`The audit in Redis should end with entry ${root.seq}, and does not.`)
    return [root, fields]
  }

  async function loadAll(): Promise<Stored> {
    const [root, fields] = await read<Record<string, string>>((asking) => asking.hgetall(keys.records))
    keep(keptUnder(signer, root, fields, kept), root)
    return root
  }

  /** Reads only what the audit says has changed. Undefined where it does not say all of it. */
  async function catchUp(): Promise<Stored | undefined> {
    const [from, before] = [since, kept]
    if (before === undefined) return undefined
    const entries = await redis.xrange(keys.audit, `(${from.seq}-0`, '+', 'COUNT', mostEntries)
    const touched = changedIn(from, entries.map(linkIn))
    if (touched === undefined) return undefined
    const [root, texts = []] = await read<(string | null)[] | undefined>((asking) =>
      touched.length === 0 ? asking : asking.hmget(keys.records, ...touched),
    )
    const found = touched.map((key, at) => [key, texts[at] ?? null] as const)
    const fresh = caughtUp(signer, root, before, found)
    if (fresh !== undefined) keep(fresh, root)
    return fresh && root
  }

  function changedIn(from: Head, entries: readonly Link[]): readonly string[] | undefined {
    try {
      return touchedIn(signer, from, entries)
    } catch (error) {
      if (error instanceof Newer) return undefined
      throw error
    }
  }

  async function load(): Promise<Stored> {
    return (await catchUp()) ?? loadAll()
  }

  function under({ version, sum }: Stored): Kept | undefined {
    return kept?.version === version && kept.sum === sum ? kept : undefined
  }

  async function current(): Promise<Stored> {
    const read = reading()
    return read((await redis.get(keys.root)) ?? '')
  }

  return {
    get root() {
      return known
    },
    get kept() {
      return kept
    },
    reading,
    load,
    under,
    understand(records) {
      if (partial.has(records)) throw new Newer('Among the records are some that this process does not know.')
    },
    versionOf: (records) => versions.get(records) ?? 0,
    wrote(root, records) {
      known = root
      keep(records, root)
    },
    async records(all) {
      const root = all === 'all' ? await loadAll() : await current()
      const found = under(root)
      if (found === undefined) await load()
      else keep(found, root)
      return kept?.records ?? new Map()
    },
    async head() {
      const { seq, mac } = await current()
      return { seq, mac }
    },
    expect({ seq, mac }) {
      if (seq > known.seq) known = { ...known, seq, mac }
    },
  }
}

/** What of a root is not as it was before. */
function lossIn(root: Root, before: Root): string {
  if (root.seq === 0 && before.seq > 0)
    return `it no longer says where the audit ends, which was with entry ${before.seq}.`
  if (root.seq < before.seq) return `the audit ends with entry ${root.seq}, and went on to entry ${before.seq} before.`
  if (root.mac !== before.mac && root.seq === before.seq) return `entry ${root.seq} of the audit is not the one it was.`
  return 'protections, freezes, stand-ins and rules are not the newest ones.'
}

/** Two that claim to be the same. */
function differ(a: Root, b: Root): boolean {
  return (a.seq === b.seq && a.mac !== b.mac) || (a.version === b.version && a.sum !== b.sum)
}
