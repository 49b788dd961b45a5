import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdLeash } from '../leash.ts'
import { untilAnswers } from './ping.ts'
import { freePort } from './port.ts'

export interface Launch {
  readonly binary: string
  readonly dataDir?: string
  readonly libraryPath?: string
  /** Added to the default settings, named as in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>
  readonly unsynced?: boolean
  readonly sentinel?: boolean
}

/** A server process on one port and one data directory, through any number of restarts. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  pid(): number
  /** Sends SIGKILL, so that nothing more is flushed. */
  kill(): Promise<void>
  /** Sends SIGSTOP: connections stay open, but nothing answers. */
  freeze(): void
  thaw(): void
  /** Starts it again on the same port and data; kills it first if it still runs. */
  restart(): Promise<void>
  /** Ends it, and removes the data unless a directory was given. May be called twice. */
  readonly stop: () => Promise<void>
}

interface Life {
  readonly pid: number
  signal(name: NodeJS.Signals): void
  /** Keeps this process alive until the server is gone; before this call, the process may end when it is idle. */
  stay(): void
  readonly gone: Promise<void>
  /** Releases the leash; the process must be gone. */
  release(): Promise<void>
}

/** Starts a server on a free loopback port: append-only, every write flushed, nothing evicted (as in compose.yaml). */
export async function startServer(launch: Launch): Promise<RedisServer> {
  const directory = launch.dataDir ?? (await mkdtemp(join(tmpdir(), 'lamplighter-redis-')))
  await mkdir(directory, { recursive: true })
  const port = await freePort()
  let life = await live(launch, directory, port).catch(async (error: unknown) => {
    await discard()
    throw error
  })

  async function discard(): Promise<void> {
    if (!launch.dataDir) await rm(directory, { recursive: true, force: true })
  }
  async function end(name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    life.stay()
    life.signal(name)
    if (name === 'SIGTERM') {
      // A frozen server receives SIGTERM only once it is thawed; a server that doesn't react at all is killed.
      life.signal('SIGCONT')
      await Promise.race([life.gone, sleep(2_000, undefined, { ref: false })])
      life.signal('SIGKILL')
    }
    await life.gone
    await life.release()
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => life.pid,
    kill: () => end('SIGKILL'),
    freeze: () => life.signal('SIGSTOP'),
    thaw: () => life.signal('SIGCONT'),
    async restart() {
      await end('SIGKILL')
      life = await live(launch, directory, port)
    },
    async stop() {
      await end('SIGTERM')
      await discard()
    },
  }
}

async function live(launch: Launch, directory: string, port: number): Promise<Life> {
  const logFile = join(directory, 'server.log')
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(launch.binary, await argumentsOf(launch, directory, port), {
    stdio: ['ignore', log, log],
    // A process group of its own: Ctrl-C in the terminal must reach the product first, and Redis last.
    detached: true,
    env: launch.libraryPath ? { ...process.env, LD_LIBRARY_PATH: launch.libraryPath } : process.env,
  })
  closeSync(log)
  await once(child, 'spawn')
  const pid = child.pid
  if (pid === undefined) throw new Error(`${launch.binary} did not start`)
  child.unref()

  const dead = new AbortController()
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      dead.abort()
      resolve()
    })
  })
  const release = holdLeash(pid, launch.dataDir ? null : directory)
  try {
    await untilAnswers(`redis://127.0.0.1:${port}`, 10_000, dead.signal)
  } catch {
    child.kill('SIGKILL')
    await gone
    await release()
    const said = (await readFile(logFile, 'utf8')).trim().split('\n').at(-1)
    throw new Error(`${launch.binary} did not come up: ${said || 'it wrote nothing to its log'}`)
  }
  return { pid, gone, release, stay: () => child.ref(), signal: (name) => void child.kill(name) }
}

async function argumentsOf(launch: Launch, directory: string, port: number): Promise<string[]> {
  const ours = { port: String(port), bind: '127.0.0.1', dir: directory, daemonize: 'no' }
  const appendfsync = launch.unsynced === true ? 'no' : 'always'
  const keeping = { save: '', appendonly: 'yes', appendfsync, 'maxmemory-policy': 'noeviction' }
  const values = { ...ours, ...(launch.sentinel !== true && keeping), ...launch.settings }
  const options = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value])
  if (launch.sentinel !== true) return options
  // A Sentinel writes its findings into its own configuration file.
  const file = join(directory, 'sentinel.conf')
  await writeFile(file, '', { flag: 'a' })
  return [file, '--sentinel', ...options]
}
