import { setTimeout as wait } from 'node:timers/promises'
import { Newer } from '../../../core/model/formats.ts'
import type { Policy } from '../../../core/model/policy.ts'
import type { Change, Records } from '../../../core/model/records.ts'
import { type Sentence, say } from '../../../core/model/words.ts'
import type { AuditLink, Head } from '../../../core/ports/audit.ts'
import { type Clock, Tampered } from '../../../core/ports/services.ts'
import { answersOf } from '../connection/calls.ts'
import { beginning, createTrail, linked, linkIn, type NewEntry, type SignedPlace, type Trail } from './chain.ts'
import {
  believable,
  changed,
  noRecords,
  noRoot,
  type Root,
  readRoot,
  recordsUnder,
  type StoredRecords,
  type Texts,
  writeRoot,
} from './records.ts'
import type { Label } from './sign.ts'

/** What all parts of a project's store share. */
export type StoreContext = ReturnType<typeof storeContextOn>

/** `policy`: the current policy, whose version is in every entry of the audit. A door needs none. */
export function storeContextOn(
  place: SignedPlace,
  clock: Pick<Clock, 'now'>,
  policy: () => Pick<Policy, 'version'> | undefined = () => undefined,
) {
  const trail = createTrail(place, clock)

  /** Reads a signed text of a key; null if there is none. Throws Tampered, and what `read` throws. */
  async function readAt<Value>(key: string, label: Label, read: (text: string) => Value): Promise<Value | null> {
    const stored = await place.redis.get(key)
    return stored === null ? null : read(place.signer.read(label, stored))
  }

  return { ...place, trail, proof: createProof(place, trail), policy, readAt }
}

export interface Provable {
  readonly entries: readonly NewEntry[]
  readonly change?: Change | undefined
  /** The records that the write was decided on. It is not made on any others. */
  readonly records?: Records | undefined
}

/** A script's answer. `behind` has the current root. `outdated`: the records have changed, and nothing was sent. */
export type Answer = readonly [kind: string, ...string[]]
type Send = (proven: Proven) => Promise<Answer>

/** Others may write at the same time, but one of them always succeeds. */
const mostTries = 50

/**
 * Reads the records and the audit's head under the newest root that this process has seen, and proves its writes. A
 * restore of all of Redis goes unnoticed if every process started later; only the anchors show it. Of several writes
 * under way, each is made for the root that the one before it will leave: Redis keeps the order of one connection.
 */
function createProof({ redis, keys, signer }: SignedPlace, trail: Trail) {
  let known: Root = noRoot
  let kept: StoredRecords | undefined
  /** The entry up to which the kept records are current. */
  let keptAt = 0
  /** The root after all writes that are under way. A wrong guess starts a new generation. */
  let expectedRoot: Root | undefined
  let generation = 0
  const given = new WeakMap<Records, StoredRecords>()

  function keep(found: StoredRecords | undefined, root: Root): void {
    kept = found
    if (found?.version === root.version) keptAt = root.seq
    if (found !== undefined) given.set(found.records, found)
  }

  /** Call this before a read, then the result with the text read. Throws Tampered if the root is not ours, or older. */
  function beginRead(): (stored: string) => Root {
    const since = known
    return (stored) => {
      const root = readRoot(signer, stored)
      const loss = lossIn(root, root.seq === known.seq && root.mac !== known.mac ? known : since)
      if (loss !== undefined) throw new Tampered(loss, 'all')
      if (root.seq >= known.seq && root.version >= known.version) known = root
      return root
    }
  }

  async function current(): Promise<Root> {
    const read = beginRead()
    return read((await redis.get(keys.root)) ?? '')
  }

  function under({ version, sum }: Root): StoredRecords | undefined {
    return kept?.version === version && kept.sum === sum ? kept : undefined
  }

  /** Reads only the records that changed according to the audit, or all with `all` or if the audit cannot say. */
  async function load(all?: 'all'): Promise<Root> {
    const before = kept
    const touched = before && !all ? await trail.changedAfter(keptAt, await current()) : undefined
    const believed = beginRead()
    const asking = redis.multi().get(keys.root).xrevrange(keys.audit, '+', '-', 'COUNT', 1)
    if (touched === undefined) asking.hgetall(keys.records)
    else if (touched.length > 0) asking.hmget(keys.records, ...touched)
    const [stored, newest, fields] = await answersOf(asking)
    const root = believed((stored as string | null) ?? '')
    const [end = beginning] = (newest as [string, string[]][]).map(linkIn)
    if (end.seq !== root.seq || end.mac !== root.mac)
      throw new Tampered(say('lockdown.otherEnd', { entry: `${root.seq}` }), 'all')
    const texts =
      touched?.map((key, at) => [key, (fields as (string | null)[])[at] ?? null] as const) ??
      Object.entries(fields as Record<string, string>)
    const found = recordsUnder(signer, root, before ?? noRecords, texts, touched ? undefined : 'all')
    if (found === undefined && touched !== undefined) return load('all')
    if (found === undefined) throw new Tampered(say('lockdown.records'), 'all')
    keep(found, root)
    // From here on, the audit says which records change.
    if (touched === undefined) await trail.changedAfter(root.seq, root)
    return root
  }

  function expectRoot(root: Root | undefined): void {
    expectedRoot = root
    generation += 1
  }

  /** Plans a write for a root. A change needs the records of that root. */
  function planned(base: Root, from: StoredRecords | undefined, { entries, change }: Provable) {
    const told = entries.map(({ text }) => text)
    const links = linked(signer, base, told)
    const { seq, mac } = links.at(-1) ?? base
    const { texts, next } = from && change ? changed(signer, from, change) : { texts: [], next: undefined }
    const { version, sum } = next ?? base
    const root = writeRoot(signer, { seq, mac, version, count: next?.stored.size ?? base.count, sum })
    return { root, records: next, proven: { expected: base.stored, next: root.stored, links, texts } }
  }

  /** Makes one attempt. Nothing else may be sent between taking the expected root and sending. */
  async function attempt(provable: Provable, send: Send): Promise<Answer> {
    if (expectedRoot === undefined) {
      const found = await load()
      expectedRoot ??= found
    }
    const base = expectedRoot
    const decidedOn = provable.records === undefined ? base.version : (given.get(provable.records)?.version ?? 0)
    if (decidedOn < base.version) return ['outdated']
    const from = provable.change === undefined ? undefined : under(base)
    // Records newer than the expected root were written by another process, and were read here since.
    if (decidedOn > base.version || (provable.change !== undefined && from === undefined)) {
      expectRoot(await load())
      return ['behind']
    }
    const { root, records, proven } = planned(base, from, provable)
    const mine = generation
    const believed = beginRead()
    expectedRoot = root
    let after: Root | undefined
    try {
      const answer = await send(proven)
      const [kind, stored = ''] = answer
      after = kind === 'moved' ? root : kind === 'behind' ? believed(stored) : base
      if (kind === 'moved') {
        trail.wrote(base, root, provable.entries)
        if (root.seq >= known.seq && root.version >= known.version) {
          known = root
          keep(kept === from ? (records ?? kept) : kept, root)
        }
      }
      return answer
    } finally {
      // The first write that fails corrects the guess for all that were sent on it.
      if (after !== root && mine === generation) expectRoot(after)
    }
  }

  /** Sends a write with its proof, again if others were faster. Returns the last answer. */
  async function carry(provable: Provable, send: Send): Promise<Answer> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      if (tries > 2) await wait(Math.random() * Math.min(100, 2 ** tries))
      const answer = await attempt(provable, send)
      if (answer[0] !== 'behind') return answer
    }
    throw new Error('Too many processes are writing to the audit at once. Nothing was written; try again in a moment.')
  }

  return {
    beginRead,
    carry,
    /** Throws Newer if this process cannot read some records, so that it cannot decide on them. */
    understand(records: Records): void {
      const { stored, records: read } = given.get(records) ?? noRecords
      if (stored.size > read.size) throw new Newer('Among the records are some that this process does not know.')
    },
    /** `all`: checks each record, even if the root says that nothing has changed. Throws Tampered. */
    async records(all?: 'all'): Promise<Records> {
      const root = all === undefined ? await current() : undefined
      if (root !== undefined && under(root) !== undefined) keep(kept, root)
      else await load(all)
      return kept?.records ?? new Map()
    },
    async head(): Promise<Head> {
      const { seq, mac } = await current()
      return { seq, mac }
    },
    /** Believes nothing older than this head from now on. */
    expect({ seq, mac }: Head): void {
      if (seq > known.seq) known = { ...known, seq, mac }
    },
    /** Writes a root for what is still believable: known or correctly signed records, after the furthest known head. */
    async lock(provable: (follows?: Head) => Provable, noted: readonly Head[], send: Send): Promise<void> {
      // What is stored may be newer than what this process knows.
      await current().catch(() => undefined)
      const asking = redis.multi().get(keys.root).hgetall(keys.records).xrevrange(keys.audit, '+', '-', 'COUNT', 1)
      const [root, fields, newest] = await answersOf(asking)
      const stored = fields as Record<string, string>
      const { version } = known
      const from = { ...(kept ?? believable(signer, stored)), version }
      // Redis takes no entry before its last one, even if that one is forged.
      const [id = '', [, last = ''] = []] = (newest as [string, string[]][])[0] ?? []
      const heads = [known, ...noted, { seq: Number(id.split('-')[0]), mac: last }]
      const { seq, mac } = heads.reduce((best, one) => (one.seq > best.seq ? one : best))
      const base = { seq, mac, version, count: from.stored.size, sum: from.sum, stored: (root as string | null) ?? '' }
      const { root: next, records, proven } = planned(base, from, provable({ seq, mac }))
      const gone = Object.keys(stored).filter((key) => !from.stored.has(key))
      const texts = [...gone.map((key) => [key, null] as const), ...from.stored, ...proven.texts]
      const [kind] = await send({ ...proven, texts })
      if (kind === 'moved') {
        known = next
        keep(records, next)
        return expectRoot(next)
      }
      expectRoot(undefined)
      await carry(provable(), send)
    },
  }
}

/** Says what a root has lost since an earlier one; undefined if nothing. */
function lossIn(root: Root, before: Root): Sentence | undefined {
  if (root.seq < before.seq) return say('lockdown.shorter', { entry: `${root.seq}`, before: `${before.seq}` })
  if (root.seq === before.seq && root.mac !== before.mac) return say('lockdown.otherEntry', { entry: `${root.seq}` })
  const isOlder = root.version < before.version || (root.version === before.version && root.sum !== before.sum)
  return isOlder ? say('lockdown.older') : undefined
}

/** The arguments of a write's script: nothing is written unless the root is still the expected one. */
export interface Proven {
  readonly expected: string
  readonly next: string
  readonly links: readonly AuditLink[]
  readonly texts: Texts
}

/**
 * The part of a script that writes entries and records with their root, unless the root has changed meanwhile. From
 * `at`: expected root ('-' if there is nothing to prove), next root, how many links and records, then those; '' is the
 * text of a deleted record. From `key`: root, audit, records. Only XADD can still be refused, so it comes first.
 */
export const proving = `
local function behind(at, root)
  return ARGV[at] ~= '-' and (root or '') ~= ARGV[at] and {'behind', root or ''}
end
local function prove(at, key)
  if ARGV[at] == '-' then return at + 1 end
  local last = at + 4
  for _ = 1, tonumber(ARGV[at + 2]) do
    redis.call('XADD', KEYS[key + 1], ARGV[last] .. '-0', 'mac', ARGV[last + 1], 'text', ARGV[last + 2])
    last = last + 3
  end
  for _ = 1, tonumber(ARGV[at + 3]) do
    if ARGV[last + 1] == '' then redis.call('HDEL', KEYS[key + 2], ARGV[last])
    else redis.call('HSET', KEYS[key + 2], ARGV[last], ARGV[last + 1]) end
    last = last + 2
  end
  redis.call('SET', KEYS[key], ARGV[at + 1])
  return last
end
`

/** Returns the arguments for `proving`; '-' if there is nothing to prove. */
export function provenArgs(proven: Proven | undefined): readonly (string | number)[] {
  if (proven === undefined) return ['-']
  const { expected, next, links, texts } = proven
  const entries = links.flatMap(({ seq, mac, text }) => [seq, mac, text])
  return [expected, next, links.length, texts.length, ...entries, ...texts.flatMap(([key, text]) => [key, text ?? ''])]
}
