import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { holdLeash } from '../leash.ts'

export interface Product {
  readonly role: 'bot' | 'worker' | 'api'
  /** Resolves when it can take commands; rejects with its output if it exits first. */
  readonly ready: Promise<void>
  /** Kills the process as a crash would, and starts it again after a pause, as a process supervisor would. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
/** How long a process may take to end by itself, and the pause between a crash and the next start, ms. */
const [patience, pause] = [5_000, 3_000]

/** Starts the product as `npm start` does, in a process that knows only its environment. */
export function startProduct(role: Product['role'], settings: Readonly<Record<string, string>>): Product {
  let { child, ready, release } = spawned()
  let restarting: Promise<void> | undefined

  function spawned(): { child: ChildProcess; ready: Promise<void>; release: () => Promise<void> } {
    // A process group of its own: Ctrl-C in the terminal ends the demo, which then ends its parts one by one.
    const started = spawn(process.execPath, [join(root, 'scripts', 'start.mjs'), role], {
      cwd: root,
      // Without the settings of a real workspace that .env may hold.
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LAMPLIGHTER_ENV_FILE: '', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    // Kills the process when the demo dies, however it dies.
    const leash = started.pid === undefined ? async () => undefined : holdLeash(-started.pid, null)
    return { child: started, ready: readyOf(started, role), release: leash }
  }

  function signal(name: NodeJS.Signals): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, name)
    } catch {
      // It ended between the check and the signal.
    }
  }
  async function ended(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async function again(): Promise<void> {
    signal('SIGKILL')
    await ended()
    await release()
    await wait(pause)
    ;({ child, ready, release } = spawned())
    await ready
  }

  return {
    role,
    ready,
    async restart() {
      restarting ??= again().finally(() => {
        restarting = undefined
      })
      await restarting
    },
    async stop() {
      await restarting?.catch(() => undefined)
      signal('SIGTERM')
      await Promise.race([ended(), wait(patience, undefined, { ref: false })])
      signal('SIGKILL')
      await release()
    },
  }
}

/** Resolves when the log says "ready"; rejects with the last 20 lines if the process exits first. */
function readyOf(child: ChildProcess, role: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        if (line.includes('"msg":"ready"')) resolve()
        else said.push(line)
        said.splice(0, said.length - 20)
        if (/"level":"(warn|error)"/.test(line)) process.stderr.write(`${line}\n`)
      })
    }
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the ${role} ended (${code ?? 'by a signal'}):\n${said.join('\n')}`)))
  })
}
