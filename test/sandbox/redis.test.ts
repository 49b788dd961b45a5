import { spawn } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import type { RunningRedis } from '../../sandbox/redis/rung.ts'
import type { RedisServer } from '../../sandbox/redis/server.ts'
import { setup } from '../support/redis.ts'

const started: RunningRedis[] = []
afterEach(async () => {
  for (const redis of started.splice(0)) await redis.stop()
})

describe('the choice of a Redis', () => {
  test('uses a REDIS_URL that answers and leaves it running', async () => {
    const redis = await startRedis({ url: inject('redisUrl') })
    await redis.stop()
    expect(redis.kind).toBe('given')
    expect(await client(redis.url).ping()).toBe('PONG')
  })

  test('fails if REDIS_URL does not answer, with its address but without its password', async () => {
    const start = startRedis({ url: 'redis://:hunter2@127.0.0.1:1' })
    await expect(start).rejects.toThrow('The Redis at 127.0.0.1:1 (REDIS_URL) does not answer')
    await expect(start).rejects.not.toThrow('hunter2')
  })

  test('says how to write a REDIS_URL that is no address', async () => {
    await expect(startRedis({ url: 'localhost' })).rejects.toThrow('Write it like redis://127.0.0.1:6379')
  })

  test('fails if the requested kind is missing, and takes no other', async () => {
    const path = process.env['PATH']
    onTestFinished(() => {
      process.env['PATH'] = path
    })
    process.env['PATH'] = ''
    await expect(startRedis({ rung: 'system' })).rejects.toThrow('no redis-server or valkey-server on PATH')
  })

  test('falls back to the in-process server if nothing else is there, and says why', async () => {
    const cacheDir = join(await temporary(), 'redis')
    const path = process.env['PATH']
    onTestFinished(() => {
      process.env['PATH'] = path
    })
    process.env['PATH'] = ''
    const redis = keep(await startRedis({ own: true, cacheDir }))
    expect(redis.kind).toBe('in-process')
    expect(redis.note).toContain('IN MEMORY ONLY')
    expect(redis.note).toContain('system: no redis-server or valkey-server on PATH')
  })
})

describe('the in-process server', () => {
  test('is enough for the common Redis of all tests', async () => {
    vi.stubEnv('REDIS_RUNG', 'in-process')
    onTestFinished(() => void vi.unstubAllEnvs())
    const provided: Record<string, unknown> = {}
    const project = { provide: (name: string, value: unknown) => void Object.assign(provided, { [name]: value }) }
    const stop = await setup(project as unknown as TestProject)
    onTestFinished(stop)
    expect(provided).toMatchObject({ redisKind: 'in-process' })
    await completesAJob(String(provided['redisUrl']))
  })

  test('runs a job for another connection and is gone after stop', async () => {
    const redis = await startRedis({ rung: 'in-process' })
    await completesAJob(redis.url)
    await redis.stop()
    await expect(startRedis({ url: redis.url })).rejects.toThrow('does not answer')
  })
})

const real = inject('redisKind') === 'in-process' ? null : await ownServer()
const why = 'skipped: no real Redis can be started on this machine'

describe.skipIf(real === null)(real === null ? `the child process (${why})` : 'the child process', () => {
  test('keeps every acknowledged write through a kill, on the same port', async () => {
    const server = await child()
    await client(server.url).set('lamp', 'lit')
    await server.kill()
    await server.restart()
    expect(await client(server.url).get('lamp')).toBe('lit')
  })

  test('is append-only, flushes every write, evicts nothing and listens on loopback only', async () => {
    const server = await child()
    const settings = await client(server.url).config('GET', 'append*', 'maxmemory-policy', 'bind')
    expect(pairs(settings)).toMatchObject({
      appendonly: 'yes',
      appendfsync: 'always',
      'maxmemory-policy': 'noeviction',
      bind: '127.0.0.1',
    })
  })

  test('accepts but does not answer while frozen, and answers once it is thawed', async () => {
    const server = await child()
    const asker = client(server.url)
    await asker.ping()
    server.freeze()
    let answered = false
    const answer = asker.ping().then((said) => {
      answered = true
      return said
    })
    await sleep(200)
    expect(answered).toBe(false)
    server.thaw()
    expect(await answer).toBe('PONG')
  })

  test('is ended by stop even while frozen, and its data is removed', async () => {
    const server = await child()
    const directory = await dataDirectoryOf(server)
    server.freeze()
    await server.stop()
    expect(isAlive(server.pid())).toBe(false)
    await expect(access(directory)).rejects.toThrow('ENOENT')
  })

  test('keeps a given data directory and its data', async () => {
    const dataDir = await temporary()
    const first = await startRedis({ own: true, dataDir })
    await client(first.url).set('lamp', 'lit')
    await first.stop()
    const second = keep(await startRedis({ own: true, dataDir }))
    expect(await client(second.url).get('lamp')).toBe('lit')
  })

  test('dies with its parent and leaves no data, even if the parent is killed outright', async () => {
    const parent = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'redis-parent.ts')])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const { pid, directory } = await new Promise<{ pid: number; directory: string }>((resolve) => {
      createInterface(parent.stdout).once('line', (line) => resolve(JSON.parse(line)))
    })
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(() => access(directory).catch((error: Error) => error.message)).toContain('ENOENT')
  })
})

async function ownServer(): Promise<RedisServer | null> {
  const redis = await startRedis({ own: true })
  await redis.stop()
  return redis.server
}

async function child(): Promise<RedisServer> {
  const { server } = keep(await startRedis({ own: true }))
  if (!server) throw new Error('This rung has no process of its own.')
  return server
}

function keep(redis: RunningRedis): RunningRedis {
  started.push(redis)
  return redis
}

function client(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 })
  redis.on('error', () => {})
  onTestFinished(() => redis.disconnect())
  return redis
}

async function dataDirectoryOf(server: RedisServer): Promise<string> {
  return pairs(await client(server.url).config('GET', 'dir'))['dir'] ?? ''
}

/** `CONFIG GET` returns a flat list of names and values. */
function pairs(flat: unknown): Record<string, string> {
  const words = Array.isArray(flat) ? flat.map(String) : []
  return Object.fromEntries(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])))
}

async function completesAJob(url: string): Promise<void> {
  const connection = { url, maxRetriesPerRequest: null }
  const queue = new Queue('lamps', { connection })
  const worker = new Worker('lamps', () => Promise.resolve('lit'), { connection })
  try {
    const done = new Promise<unknown>((resolve) => worker.once('completed', (_job, result) => resolve(result)))
    await queue.add('light', {})
    expect(await done).toBe('lit')
  } finally {
    await worker.close()
    await queue.close()
  }
}

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lamplighter-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
