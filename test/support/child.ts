import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ProcessRole } from '../../src/config.ts'
import { holdLeash } from '../../src/sandbox/leash.ts'
import type { Town } from './town.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A part of the product as people run it: a process of its own, which can be killed. */
export interface Child {
  /** Everything it has written. */
  readonly log: () => string
  /** Sends a signal; SIGKILL, SIGSTOP and SIGCONT act at once, whatever the process is at. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code once it is gone; null when a signal ended it. */
  readonly gone: Promise<number | null>
  /** Ends it in any case. May be called twice. */
  stop(): Promise<void>
}

/** Makes dist/ from the sources as they are. */
export async function buildProduct(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root })
}

/**
 * Starts a part of a town as a child process; resolves when it is ready. `env` stands above the town's; `from` is the
 * folder of the version to start.
 */
export async function startChild(
  town: Town,
  role: ProcessRole,
  env: Record<string, string> = {},
  from = root,
): Promise<Child> {
  const child = spawn(process.execPath, ['dist/main.js', role], {
    cwd: from,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...town.env, ...env },
  })
  const release = holdLeash(child.pid ?? 0, null)
  const gone = once(child, 'exit').then(([code]) => code as number | null)
  const written: string[] = []
  const log = () => written.join('')
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => written.push(String(bytes)))
  await ready(child, log, gone)
  return {
    log,
    gone,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill('SIGKILL')
      await gone
      await release()
    },
  }
}

/** Half a minute is long for a start, also where everything else starts at the same time. */
async function ready(child: ChildProcess, log: () => string, gone: Promise<unknown>): Promise<void> {
  const alive = { still: true }
  void gone.then(() => {
    alive.still = false
  })
  const signal = AbortSignal.timeout(30_000)
  while (!log().includes('"msg":"ready"')) {
    const told = once(child.stdout!, 'data', { signal }).catch(() => undefined)
    await Promise.race([gone, told])
    if (alive.still && !signal.aborted) continue
    child.kill('SIGKILL')
    throw new Error(`The process was not ready: ${log()}`)
  }
}
