import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { audit } from '../../src/cli/audit.ts'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { projectRoot as root } from '../support/pages.ts'
import { type Part, policyOf, startTown, type Town } from '../support/town.ts'

/* Runs the commands of docs/backup.md as written, on a Redis that loses its data. ana is an admin. */

const policy = policyOf(`
    roles: { viewer: [everyone], admin: [user:U0ANA] }
`)

let folder: string
let storage: Awaited<ReturnType<typeof startRedis>>
let town: Town
let parts: Part[]
beforeEach(async (context) => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  // `redis-cli --rdb` copies as a replica does, and by default Redis waits five seconds for more replicas.
  const settings = { 'repl-diskless-sync-delay': '0' }
  storage = await startRedis({ own: true, dataDir: join(folder, 'data'), settings })
  if (storage.server === null) context.skip('There is no Redis here that could lose its data: only the in-process one.')
})
afterEach(async () => {
  await town?.stop()
  await storage.stop()
  await rm(folder, { recursive: true, force: true })
})

async function begin(env: Record<string, string> = {}): Promise<void> {
  town = await startTown({
    redisUrl: storage.url,
    policy,
    roles: [],
    env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64'), LAMPLIGHTER_REDIS_MAY_FORGET: 'no', ...env },
  })
  await start()
}

/** Runs the page's first shell block that contains the word. */
async function run(word: string): Promise<void> {
  const page = await readFile(join(root, 'docs/backup.md'), 'utf8')
  const blocks = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, text = '']) => text)
  const text = blocks.find((block) => block.includes(word)) ?? `echo "No block has ${word}"; false`
  const libraries = ['x86_64', 'aarch64'].map((machine) => join(root, `.cache/redis/usr/lib/${machine}-linux-gnu`))
  await promisify(execFile)('sh', ['-euc', text], {
    cwd: folder,
    env: {
      PATH: [process.env['PATH'], join(root, '.cache/redis/usr/bin')].join(delimiter),
      LD_LIBRARY_PATH: libraries.join(delimiter),
      REDIS_URL: storage.url,
      REDIS_DATA: join(folder, 'data'),
    },
  })
}

/** Deletes everything in Redis, then puts the copy back. */
async function restore(putBack = () => run('appendonly.aof')): Promise<void> {
  for (const part of parts) await part.stop()
  await storage.server!.kill()
  await rm(join(folder, 'data/appendonlydir'), { recursive: true })
  await putBack()
  await storage.server!.restart()
}

/** An append-only Redis does not read dump.rdb. */
const misnamed = () => copyFile(join(folder, 'lamplighter.rdb'), join(folder, 'data/dump.rdb'))

async function start(): Promise<void> {
  parts = [await town.begin('bot'), await town.begin('worker')]
  await town.slack.sockets.connected()
}

/** Returns what `npm start -- audit verify` prints and its exit code. */
async function verified(...anchor: readonly string[]) {
  const lines: string[] = []
  const output = { out: (line: string) => void lines.push(line), err: () => undefined, now: town.clock.now() }
  const code = await audit(['verify'], { anchor }, town.configFor('worker'), output)
  return { code, ...(JSON.parse(lines[0] ?? '') as { readonly says: string; head: { seq: number; mac: string } }) }
}

/** ana protects one endpoint and requests a stop of the other, which waits for her answer. */
async function live(): Promise<void> {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'protect my-tts', 'Protected my-tts')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  await town.calm()
}

/** Answers the question after the copy was made, so the answer is lost. */
async function answered(): Promise<void> {
  await presses(town.slack.as('U0ANA'), 'Stop my-llm', 'Stopped my-llm.')
  await town.calm()
}

test('A copy as new as the lost data keeps the audit intact and the open question answerable', async () => {
  await begin()
  await live()
  await run('--rdb')
  await restore()
  expect(await verified()).toMatchObject({ code: 0 })
  await start()
  await answered()
  expect(effects(town)).toEqual(['stop'])
  expect(town.slack.transcript('ops')).not.toContain('All changes')
  await asks(town.slack.as('U0ANA'), 'unprotect my-tts', 'Unprotect my-tts?')
})

test.each([
  ['A copy older than the newest checkpoint', 3, undefined],
  ['A copy called dump.rdb, which is none,', 1, misnamed],
] as const)('%s blocks all changes at the start until an admin accepts the loss', async (_, lost, putBack) => {
  await begin({ LAMPLIGHTER_AUDIT_DIR: join(folder, 'audit') })
  await live()
  await run('--rdb')
  const ana = town.slack.as('U0ANA')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await answered()
  const redis = new Redis(storage.url)
  await redis.del(`${keysOf(tagOf(town.prefix, 'default')).anchored}:turn`)
  redis.disconnect()
  await town.minutesPass(5)
  const checkpoints = join(folder, 'audit', town.prefix, 'default.anchors.jsonl')
  await expect.poll(() => readFile(checkpoints, 'utf8').catch(() => '')).toContain('mac')
  await restore(putBack)
  expect(await verified()).toMatchObject({
    code: 1,
    says: expect.stringMatching(`^Entries ${lost} to \\d are missing`),
  })
  await start()
  await ana.sees('All changes in project default are blocked', { in: 'ops' })
  await ana.types('ops', '/endpoint thaw')
  await presses(ana, 'End the lockdown', 'Ended the lockdown. Changes are possible again.')
  await ana.pressesRaw(button)
  await ana.sees(/Data was lost after this was requested|I no longer have this request/, { in: 'ops' })
  expect(await verified()).toMatchObject({ code: 0, says: expect.stringContaining('accepted this at') })
  expect(effects(town)).toEqual(['stop'])
})

test('An older copy without a checkpoint is trusted, and an answered question reopens until it expires', async () => {
  await begin()
  await live()
  await run('--rdb')
  await answered()
  const { head } = await verified()
  await restore()
  expect(await verified()).toMatchObject({ code: 0 })
  expect(await verified(`${head.seq}:${head.mac}`)).toMatchObject({ code: 1 })
  await start()
  await town.minutesPass(31)
  await town.slack.as('U0ANA').sees('Stop my-llm expired after 30 min without an answer.', { in: 'ops' })
  expect(effects(town)).toEqual(['stop'])
})
