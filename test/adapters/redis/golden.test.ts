import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { firstLine } from '../../../src/adapters/redis/audit/export.ts'
import { keysOf } from '../../../src/adapters/redis/connection/keys.ts'
import { signerFor } from '../../../src/adapters/redis/integrity/sign.ts'
import { createStore } from '../../../src/adapters/redis/requests/store.ts'
import { readPosts } from '../../../src/adapters/slack/delivery/sent-messages.ts'
import { formatOf, readAs, type Shape } from '../../../src/core/model/formats.ts'
import { commands } from '../../../src/features/command-table.ts'
import { createLog } from '../../../src/log.ts'
import {
  dumped,
  fieldsOf,
  forget,
  type Golden,
  key,
  play,
  restore,
  shapesIn,
  stage,
  tag,
} from '../../support/golden.ts'
import { startTown } from '../../support/town.ts'

/** One file for each release that changed what is stored; the last one is current. */
const folder = fileURLToPath(new URL('../../golden/stored/', import.meta.url))
const releases = (await readdir(folder)).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
const newest = releases.at(-1) ?? ''

const log = createLog({ level: 'silent' })
let redis: Redis
beforeAll(() => {
  redis = new Redis(inject('redisUrl'))
})
afterAll(async () => {
  await forget(redis)
  redis.disconnect()
})

async function golden(name: string): Promise<Golden> {
  return JSON.parse(await readFile(`${folder}${name}`, 'utf8')) as Golden
}

const always = {
  requests: [
    'away until 2d to @U0CLEO: succeeded',
    'freeze because="a demo": succeeded',
    'idle waits after 2h: succeeded',
    'keep asks for 2h: succeeded',
    'list: succeeded',
    'patch rests port=9000: succeeded',
    'protect moves because="a demo": succeeded',
    'schedule waits up weekdays 09:00-20:00 Asia/Seoul: succeeded',
    'start ep-rests: running',
    'start rests for 2h: succeeded',
    'start runs: running',
    'stop asks: awaiting',
    'stop moves because="moving to v2": succeeded',
  ],
  records: ['away', 'freeze', 'hold', 'idle', 'once', 'protection', 'weekly'],
} as const

describe('The stored data of a release', () => {
  test.each(releases)('is still readable: %s', async (name) => {
    const kept = await golden(name)
    await restore(redis, kept)
    const signer = signerFor({ key: { current: { reveal: () => key }, earlier: [] } }, tag)
    const keys = keysOf(tag)
    // Later than every file was made.
    const clock = { now: () => Date.parse('2100-01-01T00:00:00Z'), monotonic: () => performance.now() }
    const store = createStore({
      commands,
      redis,
      keys,
      project: 'default',
      signer,
      clock,
      leaseMs: 30_000,
      skew: () => 0,
      log,
    })
    const ids = Object.keys(kept).flatMap((one) => (one.startsWith('request:') ? [one.slice('request:'.length)] : []))
    const held = await Promise.all(ids.map((id) => store.claim(id)))
    for (const one of held) one?.abandon()

    expect(
      held
        .map((one) => one && `${one.request.line}: ${one.request.status}`)
        .toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    ).toEqual([...always.requests])
    const by = (verb: string) => held.find((one) => one?.request.line.startsWith(verb))
    expect(by('stop asks')?.presses).toMatchObject([{ yes: true, ask: 1, actor: { user: 'U0BEN' } }])
    expect(by('stop moves')?.request.notes).toMatchObject([{ to: { user: 'U0CLEO' } }])
    expect(by('start runs')?.request.progress).toMatchObject([{ sends: [{ outcome: { kind: 'answered' } }] }])
    expect(readPosts(by('stop moves')?.posts ?? null).byKey['card']).toMatchObject({ state: 'posted' })
    const events = await store.eventsOf(by('stop moves')?.request.id ?? '')
    const told = ['awaiting', 'refused answer', 'agreed', 'sent', 'answered', 'succeeded']
    // 1.json keeps events in a list of their own, which no release has written.
    expect(events.map(({ what }) => what)).toEqual(name === '1.json' ? [] : told)
    expect([...(await store.records()).values()].map(({ kind }) => kind).toSorted()).toEqual([...always.records])
    expect(await store.audit.verify([])).toMatchObject({ well: true })
    expect((await store.names())?.endpoints.map((one) => one.name).toSorted()).toEqual([
      'asks',
      'moves',
      'rests',
      'runs',
      'waits',
    ])
    expect(await store.settingsOf('ep-rests')).toMatchObject({ id: 'ep-rests', container_port: 9000 })
    const lines = (...statuses: readonly string[]) =>
      always.requests
        .filter((one) => statuses.some((status) => one.endsWith(`: ${status}`)))
        .map((one) => one.replace(/: \w+$/, ''))
    // A query is not an operation.
    expect((await store.past(0, 0, 100)).requests).toHaveLength(lines('succeeded').length - 1)
    expect((await store.open()).map(({ line }) => line).toSorted()).toEqual(lines('running', 'awaiting').toSorted())
    expect(await store.holderOf('ep-runs')).toBe(by('start runs')?.request.id)
    expect((await store.reconcileStates()).size).toBeGreaterThan(0)
  })
})

/** Leaves out `replans`: whether a plan is made again depends on timing. */
function isSteady(field: string): boolean {
  return !field.startsWith('.replans')
}

/** Kinds of data that the story stores with the same fields each time, with their names in the table of formats. */
const steady: Readonly<Record<string, Shape>> = {
  request: 'request',
  presses: 'press',
  records: 'record',
  root: 'root',
  entry: 'entry',
  names: 'names',
  settings: 'settings',
}

test('Today’s stored data has the same fields and format numbers as the newest golden file', async () => {
  await forget(redis)
  const town = await startTown({ ...stage, roles: ['bot'] })
  try {
    const worker = await town.begin('worker')
    await play(town, () => worker.stop())
    const now = await dumped(redis)
    if (process.env['GOLDEN'] === 'write') await writeFile(`${folder}${newest}`, `${JSON.stringify(now, null, 2)}\n`)
    const [fresh, kept] = [shapesIn(now), shapesIn(await golden(newest))]
    for (const [kind, shape] of Object.entries(steady)) {
      const [values, known] = [fresh.get(kind) ?? [], kept.get(kind) ?? []]
      expect(values, `nothing is stored of ${shape}`).not.toEqual([])
      const formats = new Set([...values, ...known].map((one) => (one as { format?: number }).format))
      expect([...formats], `${shape} has another number than its newest file`).toEqual([formatOf(shape)])
      const fields = new Set(known.flatMap((one) => fieldsOf(one)).filter(isSteady))
      const today = new Set(values.flatMap((one) => fieldsOf(one)).filter(isSteady))
      const others = [...today].filter((one) => !fields.has(one))
      expect(others, `${shape} has fields that no file has`).toEqual([])
      const lost = [...fields].filter((one) => !today.has(one))
      expect(lost, `${shape} has lost fields`).toEqual([])
    }
  } finally {
    await town.stop()
  }
})

/** Where each shape is kept for later versions: in the story of a release, or `by itself` in a file of single lines. */
const seen = {
  request: 'request',
  press: 'presses',
  event: 'by itself',
  posts: 'posts',
  record: 'records',
  root: 'root',
  entry: 'entry',
  head: 'by itself',
  settings: 'settings',
  late: 'by itself',
  names: 'names',
  prices: 'prices',
  reconcileState: 'pursuits',
  reading: 'readings',
  segments: 'by itself',
  seal: 'by itself',
  process: 'processes',
  job: 'by itself',
  export: 'by itself',
  webhook: 'by itself',
} as const satisfies Record<Shape, string>

describe('Every stored shape', () => {
  test.each(Object.entries(seen).filter(([, where]) => where !== 'by itself'))(
    'is in the newest story: %s',
    async (_, where) => expect(shapesIn(await golden(newest)).get(where)).not.toBeUndefined(),
  )

  /** Without their MACs. */
  const lines = Object.entries(
    JSON.parse(readFileSync(new URL('../../golden/lines/1.json', import.meta.url), 'utf8')) as Record<string, string>,
  )
  test('is kept by itself if no story contains it', () => {
    const alone = Object.entries(seen).flatMap(([shape, where]) => (where === 'by itself' ? [shape] : []))
    expect(lines.map(([shape]) => shape).toSorted()).toEqual(alone.toSorted())
  })

  test.each(lines)('is still readable by itself: %s', (shape, text) => {
    const { format: _, ...rest } = JSON.parse(text) as { readonly format?: number }
    expect(readAs<object>(shape as Shape, text)).toEqual(text.startsWith('[') ? JSON.parse(text) : rest)
  })

  test('is still written the same way', async () => {
    const text = new Map(lines)
    const late = { goal: 'stopped', until: 1_795_601_000_000 } as const
    const keys = keysOf(tag)
    const signer = signerFor({ key: { current: { reveal: () => key }, earlier: [] } }, tag)
    const clock = { now: () => 0, monotonic: () => 0 }
    const store = createStore({
      redis,
      keys,
      project: 'default',
      signer,
      commands,
      clock,
      leaseMs: 1,
      skew: () => 0,
      log,
    })
    await store.rememberLate('ep-late', late)
    expect((await redis.get(keys.late('ep-late')))?.slice(43)).toBe(text.get('late'))
    expect(firstLine('default', { seq: 4, mac: 'kA' })).toBe(text.get('export'))
  })
})
