import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { holdLeash } from '../../sandbox/leash.ts'
import type { ProcessRole } from '../../src/config/config.ts'
import type { Town } from './town.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A part of the product in its own process, which can be killed. */
export interface Child {
  /** Returns everything written to stdout and stderr. */
  readonly log: () => string
  /** Resolves at the next output on stdout. */
  readonly said: (signal: AbortSignal) => Promise<unknown>
  /** Sends a signal. SIGKILL, SIGSTOP and SIGCONT act at once, whatever the process is doing. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code once the process has ended; null if a signal ended it. */
  readonly gone: Promise<number | null>
  /** Kills the process. May be called twice. */
  stop(): Promise<void>
}

let built: Promise<unknown> | undefined

/** Builds dist/ from the sources unless this run has already built it. */
export async function buildProduct(): Promise<void> {
  built ??= stat(join(root, 'dist/main.js')).then(
    async ({ mtimeMs }) => (mtimeMs < inject('begun') ? build() : undefined),
    build,
  )
  await built
}

function build(): Promise<unknown> {
  return promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root })
}

/**
 * Starts a part of a town as a child process and resolves when it is ready. `env` overrides the town's; `from` is
 * the folder of the version to start.
 */
export async function startChild(...what: Parameters<typeof launchChild>): Promise<Child> {
  const child = launchChild(...what)
  await untilSays(child, '"msg":"ready"')
  return child
}

/** Starts a child process without waiting until it is ready. */
export function launchChild(town: Town, role: ProcessRole, env: Record<string, string> = {}, from = root): Child {
  const child = spawn(process.execPath, ['--disable-proto=delete', 'dist/main.js', role], {
    cwd: from,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...town.env, ...env },
  })
  const release = holdLeash(child.pid ?? 0, null)
  const gone = once(child, 'exit').then(([code]) => code as number | null)
  const written: string[] = []
  const log = () => written.join('')
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => written.push(String(bytes)))
  return {
    log,
    gone,
    said: (signal) => once(child.stdout, 'data', { signal }),
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill('SIGKILL')
      await gone
      await release()
    },
  }
}

/** Waits until a child has written a text. Throws if it ends first, or after two minutes, ample even on a busy machine. */
export async function untilSays(child: Child, text: string): Promise<void> {
  const alive = { still: true }
  void child.gone.then(() => {
    alive.still = false
  })
  const signal = AbortSignal.timeout(120_000)
  while (!child.log().includes(text)) {
    const told = child.said(signal).catch(() => undefined)
    await Promise.race([child.gone, told])
    if (alive.still && !signal.aborted) continue
    child.signal('SIGKILL')
    throw new Error(`The process did not say ${text}: ${child.log()}`)
  }
}
