import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { readExport, verifyExport } from '../../../src/adapters/redis/audit/export.ts'
import { anchorsIn, createAnchors, pruneCheck, prunerOf } from '../../../src/adapters/redis/audit/files.ts'
import { turnAt } from '../../../src/adapters/redis/connection/leader-turns.ts'
import { audit, leaveWhenUnread } from '../../../src/cli/audit.ts'
import { readWords } from '../../../src/cli/command-line.ts'
import { auditLine } from '../../../src/cli/terminal.ts'
import { lockdownIn } from '../../../src/core/model/records.ts'
import type { Words } from '../../../src/core/model/words.ts'
import type { Store, Services as Whole } from '../../../src/core/ports/services.ts'
import { anchor, inspect, recall } from '../../../src/features/history/audit-rounds.ts'
import { lockdown, lossTold, watchData } from '../../../src/features/safeguards/lockdown.ts'
import { diceOf } from '../../support/dice.ts'
import { english, inEnglish, verdictInEnglish } from '../../support/words.ts'
import { connected, openStore, type StoreFixture } from './support.ts'

const key = randomBytes(32)
const secrets = [key]
const hour = 3_600_000

let fixture: StoreFixture
let directory: string
let said: string[]
let witnessed: string[]
beforeEach(async () => {
  fixture = openStore()
  directory = await mkdtemp(join(tmpdir(), 'anchors-'))
  said = []
  witnessed = []
  return () => rm(directory, { recursive: true })
})

/** A worker with a store of its own, so it remembers only what it has read. */
function worker(
  store: Store = fixture.store({ secrets }),
): Pick<Whole, 'project' | 'store' | 'clock' | 'announce' | 'log'> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const clock = { now: () => fixture.now, monotonic: () => performance.now() }
  return {
    project: 'default',
    store,
    clock,
    log,
    announce: async (says) => void said.push(says.map(english).join('\n')),
  }
}

const anchors = (where: string | undefined = directory) =>
  createAnchors({ redis: connected(), keys: fixture.keys, signer: fixture.signer(secrets) }, 'default', where)

async function write(store: Store, times = 1): Promise<void> {
  for (let at = 0; at < times; at += 1) await store.write({}, [{ at: fixture.now, what: 'told' }])
}

/** The options of `inspect`: `prune`, and a witness that collects what is posted in `witnessed`. */
const following = (prune: Parameters<typeof inspect>[2]['prune']) => ({
  prune,
  witness: async (says: Words) => void witnessed.push(english(says)),
})

/** Ends the turn of this hour, so that any worker may write an anchor again. */
const anHourLater = () => fixture.redis.del(`${fixture.keys.anchored}:turn`)

test('The anchor directory is created with mode 700 and its files with mode 600', async () => {
  const made = join(directory, 'audit', 'heads')
  await write(worker().store)
  await anchor(worker(), anchors(made))
  const modes = await Promise.all(
    [made, join(made, 'default.anchors.jsonl')].map(async (path) => (await stat(path)).mode),
  )
  expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '600'])
})

test('A record that disappears without a change to the root blocks all changes at the next check', async () => {
  const one = worker()
  const ben = { team: 'T0SANDBOX', user: 'U0BEN' }
  await one.store.write({ put: [{ kind: 'protection', endpoint: 'ep-llm', by: ben, at: fixture.now }] }, [])
  await watchData(one)
  expect(said).toEqual([])
  await fixture.redis.del(fixture.keys.records)
  await watchData(one)
  expect(said).toEqual([expect.stringContaining('All changes in project default are blocked')])
})

describe('An anchor', () => {
  test('is written in the next hour if its directory was not writable', async () => {
    const one = worker()
    await write(one.store)
    const nowhere = anchors('/dev/null/audit')
    await anchor(one, nowhere)
    expect(english((await pruneCheck(one.store.audit, '/dev/null/audit', fixture.now)).says)).toContain(
      'I can’t write to LAMPLIGHTER_AUDIT_DIR (ENOTDIR)',
    )
    await anHourLater()
    await anchor(one, anchors())
    expect((await anchorsIn(directory, 'default')).map(({ seq }) => seq)).toEqual([1])
  })

  test('is written by one worker an hour, and only if there are new entries', async () => {
    const [one, other] = [worker(), worker()]
    await anchor(one, anchors())
    await write(one.store, 3)
    await Promise.all([anchor(one, anchors()), anchor(other, anchors())])
    await anHourLater()
    await anchor(other, anchors())
    await write(other.store)
    await anHourLater()
    await anchor(other, anchors())
    expect(said).toEqual([])
    expect((await anchorsIn(directory, 'default')).map(({ seq }) => seq)).toEqual([3, 4])
  })

  test('is written once an hour by a worker that keeps restarting, starting with the first entry', async () => {
    await anchor(worker(), anchors())
    for (let starts = 0; starts < 5; starts += 1) {
      await write(worker().store)
      await anchor(worker(), anchors())
    }
    expect((await anchorsIn(directory, 'default')).map(({ seq }) => seq)).toEqual([1])
    await anHourLater()
    await anchor(worker(), anchors())
    expect((await anchorsIn(directory, 'default')).map(({ seq }) => seq)).toEqual([1, 5])
  })

  test('is read even if a crash has cut off the last line of its file', async () => {
    const one = worker()
    await write(one.store)
    await anchor(one, anchors())
    const path = join(directory, 'default.anchors.jsonl')
    await writeFile(path, `${await readFile(path, 'utf8')}{"at":1,"se`)
    expect(await anchorsIn(directory, 'default')).toEqual([{ at: fixture.now, ...(await one.store.audit.head()) }])
    expect(await anchorsIn(undefined, 'default')).toEqual([])
  })

  test('that is kept only in Redis causes a lockdown when it is forged', async () => {
    const one = worker()
    await write(one.store)
    await fixture.redis.set(fixture.keys.anchored, JSON.stringify(await one.store.audit.head()))
    await recall(one, anchors(undefined))
    expect(english(lockdownIn(await one.store.records())?.why ?? '')).toContain('anchored')
  })
})

describe('A loss of data', () => {
  const { redis, keys } = { redis: () => fixture.redis, keys: () => fixture.keys }
  const losses: readonly [string, () => Promise<unknown>][] = [
    ['everything is wiped', () => redis().del(keys().root, keys().audit, keys().records)],
    ['the root is wiped', () => redis().del(keys().root)],
  ]

  test.each(losses)('is noticed by workers that have seen more, and announced once, when %s', async (_, lose) => {
    const workers = [worker(), worker(), worker()]
    await write(workers[0]!.store, 5)
    for (const one of workers) await watchData(one)
    expect(said).toEqual([])
    await lose()
    for (const one of workers) await watchData(one)
    for (const one of workers) await watchData(one)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('All changes in project default are blocked.\nRedis has lost data')
    expect(lockdownIn(await worker().store.records())).toMatchObject({ at: fixture.now })
  })

  test('is noticed when an older state is restored', async () => {
    const one = worker()
    await write(one.store, 2)
    const root = (await fixture.redis.get(fixture.keys.root))!
    await write(one.store, 2)
    await watchData(one)
    await fixture.redis.set(fixture.keys.root, root)
    await fixture.redis.xtrim(fixture.keys.audit, 'MAXLEN', 0)
    await watchData(one)
    expect(said).toHaveLength(1)
    await write(one.store)
    expect(await one.store.audit.head()).toMatchObject({ seq: 6 })
  })

  test.each(['is wiped', 'goes back', 'loses its last write'])(
    'is noticed all twenty times that Redis %s',
    async (how) => {
      const dice = diceOf(how.length)
      for (let times = 0; times < 20; times += 1) {
        fixture = openStore()
        said = []
        const one = worker()
        const { root, audit: stream } = fixture.keys
        await write(one.store, 1 + Math.floor(dice.next() * 5))
        const [old, upTo] = [(await fixture.redis.get(root))!, (await one.store.audit.head()).seq]
        await write(one.store, how === 'loses its last write' ? 1 : 1 + Math.floor(dice.next() * 5))
        if (how === 'is wiped') await fixture.redis.del(root, stream)
        else {
          await fixture.redis.set(root, old)
          for (let seq = upTo + 1; seq <= upTo + 5; seq += 1) await fixture.redis.xdel(stream, `${seq}-0`)
        }
        await watchData(one)
        expect(said).toHaveLength(1)
      }
    },
  )

  test('that happened before a worker started is detected from the anchors', async () => {
    const before = worker()
    await write(before.store, 4)
    await anchor(before, anchors())
    await fixture.redis.del(fixture.keys.root, fixture.keys.audit, fixture.keys.anchored)
    const after = worker()
    await watchData(after)
    said.length = 0
    await recall(after, anchors())
    expect(said).toHaveLength(1)
    expect(await after.store.audit.head()).toMatchObject({ seq: 5 })
    expect((await after.store.audit.verify(await anchorsIn(directory, 'default'))).well).toBe(false)
  })

  test('is not announced when nothing is lost, and a lockdown is announced once', async () => {
    const one = worker()
    await write(one.store, 4)
    await anchor(one, anchors())
    await recall(worker(), anchors())
    await watchData(worker())
    expect(said).toEqual([])
    await lockdown(one, 'Somebody said so.')
    await lockdown(one, 'Again.')
    expect(said).toHaveLength(1)
  })
})

describe('After a loss', () => {
  const ana = { team: 'T0SANDBOX', user: 'U0ANA' }
  const protect = (store: Store, endpoint: string) =>
    store.write({ put: [{ kind: 'protection', endpoint, by: ana, at: fixture.now }] }, [
      { at: fixture.now, what: 'told' },
    ])

  /** Writes the same change as an admin's thaw. */
  async function thaw({ store }: ReturnType<typeof worker>): Promise<void> {
    const { acknowledges } = await lossTold({ store })
    const change = { drop: ['lockdown'], ...(acknowledges && { acknowledges }) }
    await store.write(change, [{ at: fixture.now, what: 'succeeded', by: ana }])
  }

  test('the lockdown keeps the records that a process remembers', async () => {
    const one = worker()
    await protect(one.store, 'ep-llm')
    await fixture.redis.del(fixture.keys.records, fixture.keys.root)
    await watchData(one)
    expect(said[0]).toContain(
      'The audit trail is intact. Protections, pauses, delegations and schedules may be missing',
    )
    expect((await worker().store.records()).has('protection:ep-llm')).toBe(true)
  })

  test('the audit verifies again once an admin accepts the loss, and still reveals later tampering', async () => {
    const one = worker()
    await write(one.store, 10)
    await anchor(one, anchors())
    await fixture.redis.xdel(fixture.keys.audit, '3-0', '4-0', '9-0')
    await fixture.redis.del(fixture.keys.root)
    await watchData(one)
    expect(said[0]).toContain(
      'The audit trail isn’t intact. Entries 3 to 5 are missing or can’t be verified. Entries 9 to 10 are missing',
    )
    expect((await one.store.audit.verify([])).well).toBe(false)
    await thaw(one)
    await write(one.store, 3)
    const noted = await anchorsIn(directory, 'default')
    const proven = verdictInEnglish(await worker().store.audit.verify(noted))
    expect(proven).toMatchObject({
      well: true,
      says: expect.stringContaining('Exception: entries 3 to 5 are lost or changed. @U0ANA accepted this'),
      acknowledged: [
        { from: 3, to: 5, seq: 12 },
        { from: 9, to: 10, seq: 12 },
      ],
    })
    await fixture.redis.xdel(fixture.keys.audit, '7-0')
    expect(verdictInEnglish(await worker().store.audit.verify(noted))).toMatchObject({
      well: false,
      says: expect.stringContaining('Entries 7 to 10 are missing'),
    })
    await fixture.redis.xdel(fixture.keys.audit, '14-0')
    expect(english((await worker().store.audit.verify(noted)).says)).toContain('Entry 14 is missing')
    await fixture.redis.xdel(fixture.keys.audit, '2-0')
    expect(english((await worker().store.audit.verify(noted)).says)).toContain('Entries 2 to 5 are missing')
  })

  test('numbering continues after the newest anchor, and the audit records which entries were lost', async () => {
    const noted = () => anchorsIn(directory, 'default')
    const [stale, other] = [worker(fixture.store({ secrets, noted })), worker()]
    await write(stale.store, 2)
    await write(other.store, 2)
    await anchor(other, anchors())
    await fixture.redis.del(fixture.keys.root, fixture.keys.audit, fixture.keys.records, fixture.keys.anchored)
    await watchData(stale)
    expect(await stale.store.audit.head()).toMatchObject({ seq: 5 })
    await thaw(stale)
    const told = { well: true, acknowledged: [{ from: 1, to: 4 }] }
    expect(await stale.store.audit.verify([])).toMatchObject(told)
    expect(await worker().store.audit.verify([])).toMatchObject(told)
  })
})

describe('Once a day', () => {
  const ana = { team: 'T0SANDBOX', user: 'U0ANA' }
  const year = 401 * 24 * hour
  const turn = () => turnAt(connected(), fixture.keys, 'audit').take()
  const pruner = (store: Store) => prunerOf(store.audit, { now: () => fixture.now }, 'default', directory)

  test('one worker moves old entries to a file, and only once', async () => {
    const [one, other] = [worker(), worker()]
    await write(one.store, 3)
    fixture.now += year
    await write(one.store, 2)
    await Promise.all([one, other].map((each) => inspect(each, turn, following(pruner(each.store)))))
    expect(await readdir(directory)).toEqual(['default.audit.1-3.jsonl'])
    expect((await one.store.audit.read(1, 10)).map(({ seq }) => seq)).toEqual([4, 5])
    fixture.now += year
    await write(one.store)
    await inspect(one, turn, following(pruner(one.store)))
    expect(await readdir(directory)).toHaveLength(1)
    expect(said).toEqual([])
  })

  test('one worker posts a checkpoint that proves every entry up to it', async () => {
    const [one, other] = [worker(), worker()]
    await inspect(one, turn, following(null))
    expect(witnessed).toEqual([])
    await fixture.redis.del(`${fixture.keys.audit}:turn`)
    await write(one.store, 3)
    await Promise.all([one, other].map((each) => inspect(each, turn, following(null))))
    const { seq, mac } = await one.store.audit.head()
    expect(witnessed).toEqual([`Audit trail of default: entry 3, checkpoint 3:${mac}.`])
    expect(await one.store.audit.verify([{ seq, mac }])).toMatchObject({ well: true })
  })

  test('nothing is pruned if there is no directory or it can’t be written', async () => {
    const one = worker()
    await write(one.store, 3)
    fixture.now += year
    await write(one.store)
    expect(prunerOf(one.store.audit, { now: () => fixture.now }, 'default', undefined)).toBeNull()
    await inspect(one, async () => true, following(null))
    const file = join(directory, 'file')
    await writeFile(file, '')
    const nowhere = prunerOf(one.store.audit, { now: () => fixture.now }, 'default', file)
    await expect(inspect(one, async () => true, following(nowhere))).rejects.toThrow('EEXIST')
    await mkdir(join(directory, 'default.audit.1-3.jsonl'))
    await expect(inspect(one, async () => true, following(pruner(one.store)))).rejects.toThrow('EISDIR')
    expect(await readdir(directory)).toEqual(['default.audit.1-3.jsonl', 'file'])
    expect(await one.store.audit.read(1, 10)).toHaveLength(4)
    const care = await pruneCheck(one.store.audit, undefined, fixture.now)
    expect(inEnglish(care)).toMatchObject({ well: false, says: expect.stringContaining('npm start -- audit prune') })
    expect(await pruneCheck(one.store.audit, undefined, fixture.now - year)).toMatchObject({ well: true })
    expect(await pruneCheck(one.store.audit, directory, fixture.now)).toMatchObject({ well: true })
    const missing = join(directory, 'not', 'yet')
    expect(await pruneCheck(one.store.audit, missing, fixture.now)).toMatchObject({ well: true })
    // Whoever runs the check must not own the directory.
    expect(await readdir(directory)).not.toContain('not')
  })

  test('two workers that prune at once leave one complete file and an intact chain', async () => {
    const [one, other] = [worker(), worker()]
    await write(one.store, 3)
    fixture.now += year
    await write(one.store, 2)
    await Promise.all([one, other].map(({ store }) => pruner(store)!([])))
    expect(await readdir(directory)).toEqual(['default.audit.1-3.jsonl'])
    expect((await stat(join(directory, 'default.audit.1-3.jsonl'))).mode & 0o777).toBe(0o600)
    expect((await one.store.audit.verify([])).well).toBe(true)
  })

  test('a broken audit blocks all changes until an admin accepts the loss', async () => {
    const one = worker()
    await write(one.store, 5)
    fixture.now += year
    await write(one.store)
    await fixture.redis.xdel(fixture.keys.audit, '2-0')
    await inspect(one, turn, following(pruner(one.store)))
    expect(said).toEqual([expect.stringContaining('are blocked.\nEntries 2 to 3 are missing')])
    expect(await readdir(directory)).toEqual([])
    // Entries of an accepted loss stay until the entry that accepts it is old enough, and are moved with it.
    const acknowledges = { gaps: (await one.store.audit.verify([])).gaps }
    await one.store.write({ drop: ['lockdown'], acknowledges }, [{ at: fixture.now, what: 'succeeded', by: ana }])
    await inspect(one, async () => true, following(pruner(one.store)))
    expect(await readdir(directory)).toEqual(['default.audit.1-1.jsonl'])
    fixture.now += year
    await write(one.store)
    await inspect(one, async () => true, following(pruner(one.store)))
    expect(await readdir(directory)).toEqual(['default.audit.1-1.jsonl', 'default.audit.2-8.jsonl'])
    const [file] = readExport(await readFile(join(directory, 'default.audit.2-8.jsonl'), 'utf8'))
    expect(verdictInEnglish(verifyExport(fixture.signer(secrets), file!, []))).toMatchObject({
      well: true,
      acknowledged: [{ from: 2, to: 3 }],
    })
    expect(said).toHaveLength(1)
  })
})

describe('npm start -- audit', () => {
  async function run(...words: string[]): Promise<{ code: number; out: string[]; err: string[] }> {
    const [out, err]: [string[], string[]] = [[], []]
    const config = {
      redisUrl: { reveal: () => inject('redisUrl'), toString: () => '', toJSON: () => '' },
      prefix: /\{(.*):/.exec(fixture.tag)![1]!,
      key: { current: { reveal: () => new Uint8Array(key), toString: () => '', toJSON: () => '' }, earlier: [] },
      projects: [{ name: 'default' }],
      auditDir: directory,
    } as unknown as Parameters<typeof audit>[2]
    const papers = {
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
      now: fixture.now,
    }
    const read = readWords(auditLine, words)
    if ('wrong' in read) throw new Error(read.wrong)
    return { code: await audit(read.words, read.flags, config, papers), out, err }
  }

  test('verify reports what it found in one line and in its exit code', async () => {
    const { store } = worker()
    await write(store, 3)
    const { mac } = await store.audit.head()
    expect(await run('verify')).toMatchObject({ code: 0, out: [expect.stringContaining('after entry 0 are unproven')] })
    const proven = await run('verify', '--anchor', `3:${mac}`)
    expect(JSON.parse(proven.out[0]!)).toMatchObject({ well: true, says: 'Entries 1 to 3 are intact.' })
    await fixture.redis.xdel(fixture.keys.audit, '2-0')
    expect(await run('verify')).toMatchObject({ code: 1, out: [expect.stringContaining('Entry 2 is missing')] })
  })

  test('export writes lines that can be verified without Redis, and verify finds a changed one', async () => {
    const { store } = worker()
    await write(store, 3)
    fixture.now += 40 * 24 * hour
    await write(store, 2)
    const all = await run('export')
    expect(all.out).toHaveLength(6)
    const recent = await run('export', '--since', '30d')
    expect(recent.out).toHaveLength(3)
    expect(JSON.parse(recent.out[0]!)).toMatchObject({ project: 'default', after: { seq: 3 } })
    const file = join(directory, 'export.jsonl')
    for (const { out } of [all, recent]) {
      await writeFile(file, out.join('\n'))
      expect(await run('verify', file)).toMatchObject({ code: 0 })
      await writeFile(file, out.join('\n').replace(/"told"(?!.*"told")/s, '"sold"'))
      expect(await run('verify', file)).toMatchObject({
        code: 1,
        out: [expect.stringContaining('Entry 5 was changed')],
      })
    }
  })

  test('verify finds what was cut from the end or the middle of an export', async () => {
    const { store } = worker()
    await write(store, 5)
    const { mac } = await store.audit.head()
    const { out } = await run('export')
    const file = join(directory, 'export.jsonl')
    await writeFile(file, out.slice(0, 4).join('\n'))
    expect(await run('verify', file, '--anchor', `5:${mac}`)).toMatchObject({
      code: 1,
      out: [expect.stringContaining('Entries 4 to 5 are missing')],
    })
    const again = JSON.stringify({ project: 'default', after: { seq: 3, mac: JSON.parse(out[3]!).mac } })
    await writeFile(file, [...out.slice(0, 3), again, ...out.slice(4)].join('\n'))
    expect(await run('verify', file)).toMatchObject({
      code: 1,
      out: [],
      err: [expect.stringContaining('Line 4 begins project default again: this was changed.')],
    })
  })

  test('prune moves entries older than 400 days to a file, and the rest still verifies', async () => {
    const { store } = worker()
    await write(store, 4)
    fixture.now += 401 * 24 * hour
    await write(store, 2)
    const head = await store.audit.head()
    const pruned = await run('prune')
    const file = join(directory, 'default.audit.1-4.jsonl')
    expect(pruned).toMatchObject({ code: 0, err: [`default: moved entries older than 400 days to ${file}.`] })
    expect(await store.audit.read(1, 10)).toHaveLength(2)
    expect(await run('verify', file)).toMatchObject({ code: 0 })
    expect(english((await store.audit.verify([head])).says)).toBe('Entries 5 to 6 are intact.')
    await write(fixture.store({ secrets }))
    expect(await run('prune')).toMatchObject({ code: 0, err: ['default: no entry is older than 400 days.'] })
    for (const lose of [
      () => fixture.redis.set(fixture.keys.beginning, '{}'),
      () => fixture.redis.del(fixture.keys.beginning),
    ]) {
      await lose()
      expect(english((await store.audit.verify([head])).says)).toContain(
        'Entries 1 to 5 are missing or can’t be verified',
      )
    }
  })

  test('prune keeps the last entry, and keeps everything if the chain is broken', async () => {
    const { store } = worker()
    await write(store, 3)
    fixture.now += 401 * 24 * hour
    await run('prune')
    expect(await fixture.store({ secrets }).audit.head()).toMatchObject({ seq: 3 })
    await write(fixture.store({ secrets }), 2)
    await fixture.redis.xdel(fixture.keys.audit, '4-0')
    fixture.now += 401 * 24 * hour
    expect(await run('prune')).toMatchObject({ code: 1, err: [expect.stringContaining('Nothing was pruned')] })
  })

  test('wrong arguments are reported with the correct usage', async () => {
    expect(await run('burn')).toMatchObject({ code: 2, err: [expect.stringContaining('audit verify')] })
    expect(await run('export', '--since', 'yesterday')).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/^--since takes a length of time such as 30d, not “yesterday”\. Usage: npm start/)],
    })
    const anchor = await run('verify', '--anchor', '12:abc')
    expect(anchor).toMatchObject({ code: 2, err: [expect.stringContaining('as in a posted checkpoint')] })
    for (const [says, ...words] of [
      ['Only audit verify takes a file, such as “kept”.', 'prune', 'kept'],
      ['Only audit verify takes a file, such as “kept”.', 'export', 'kept'],
      ['Only audit export takes --since.', 'verify', '--since', '3d'],
      ['audit export takes no --anchor.', 'export', '--anchor', `1:${'a'.repeat(43)}`],
    ] as const)
      expect(await run(...words)).toMatchObject({ code: 2, out: [], err: [expect.stringContaining(`${says} Usage: `)] })
    await expect(run('verify', '--since', '30d', '--loud')).rejects.toThrow('Unknown option --loud.')
  })

  test('export escapes control and invisible characters, and its output still verifies', async () => {
    const detail = 'a\u009b31m\u202eb\u{e0041}c'
    await worker().store.write({}, [{ at: fixture.now, what: 'told', detail }])
    const { out } = await run('export')
    expect(out.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(out[1]).toContain('a\\u009b31m\\u202eb\\udb40\\udc41c')
    const file = join(directory, 'export.jsonl')
    await writeFile(file, out.join('\n'))
    expect(await run('verify', file)).toMatchObject({ code: 0 })
    expect((await run('verify', 'a\u009bb')).err).toEqual([
      expect.stringContaining('a\\u009bb: There is no such file.'),
    ])
  })

  test('verify reports a missing or damaged export and says what to do', async () => {
    const file = join(directory, 'export.jsonl')
    expect(await run('verify', file)).toMatchObject({
      code: 1,
      out: [],
      err: [`${file}: There is no such file. Nothing in it is proven. Use the original file, or export again.`],
    })
    const { store } = worker()
    await write(store, 3)
    const { out } = await run('export')
    const damaged: readonly (readonly [string, string])[] = [
      ['', 'Line 1 does not say of which project it is'],
      ['{"project":"default"}', 'Line 1 does not say'],
      [out.join('\n').slice(0, -9), 'Line 4 is no entry'],
      [[...out.slice(0, 2), 'null', ...out.slice(2)].join('\n'), 'Line 3 is no entry'],
    ]
    for (const [text, says] of damaged) {
      await writeFile(file, text)
      expect(await run('verify', file)).toMatchObject({ code: 1, out: [], err: [expect.stringContaining(says)] })
    }
  })

  test('export exits quietly when its reader closes the pipe', () => {
    const [stream, codes] = [new EventEmitter(), [] as number[]]
    leaveWhenUnread(stream, (code) => void codes.push(code))
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    stream.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    expect(codes).toEqual([0, 1])
  })
})
