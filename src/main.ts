import { setTimeout as wait } from 'node:timers/promises'
import { createTime } from './clock.ts'
import { loadConfig, type ProcessRole, processRoles, secretsOf } from './config/config.ts'
import { unmetered } from './core/ports/meter.ts'
import { Misconfigured } from './core/ports/services.ts'
import { createLog } from './log.ts'
import { createReadiness, needsOf } from './ops/readiness.ts'

/** How long shutdown may take, ms. Another worker's sweep continues the requests that are under way. */
const stopLimit = 9_000

/** When the reader of a command's output is gone (`| head`), the command goes on, so that its exit code is true. */
function ignoreUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const [word = 'all', ...more] = words
  const role = processRoles.find((one) => one === word)
  if (role === undefined || more.length > 0) {
    const { runCommand } = await import('./cli/terminal.ts')
    for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreUnread)
    process.exitCode = await runCommand(words)
    return
  }
  const config = loadConfig(role)
  const log = createLog({ level: config.logLevel, secrets: secretsOf(config) })

  if (config.surplus.length > 0)
    log.warn(
      { variables: config.surplus },
      'this process ignores these variables: only a worker needs the platform key, so keep it from other machines',
    )

  /** Crash-only: all work under way is stored, and the next process continues it. */
  function die(err: unknown): void {
    log.error({ err }, 'stopping because of an error')
    process.exit(1)
  }
  process.on('uncaughtException', die)

  /** Parts that have started; one that still waits for Redis or Slack has nothing to stop. */
  const parts: { stop(): Promise<void> }[] = []
  let stopping = false
  async function leave(signal: NodeJS.Signals): Promise<void> {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const stopped = Promise.all(parts.map((part) => part.stop())).then(() => true)
    if (await Promise.race([stopped, wait(stopLimit, false)])) log.info({}, 'stopped')
    else log.warn({}, 'stopped with work in progress: another worker continues it')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void leave(signal).catch(die))
  process.on('SIGINT', (signal) => void leave(signal).catch(die))

  await start(role).catch((error: unknown) => {
    // People read stderr, and programs this.
    log.error(error instanceof Misconfigured ? { why: error.message } : { err: error }, 'could not start')
    throw error
  })

  /** Starts all parts of the process and adds each to `parts` when it has something to stop. */
  async function start(role: ProcessRole): Promise<void> {
    const { projects, policyVersion, ops: place } = config
    const time = createTime(config.clockFile)
    // It starts first, so that it can report what startup waits for.
    const readiness = createReadiness(needsOf[role], secretsOf(config))
    const ops = place && (await import('./ops/metrics.ts').then((it) => it.startOps({ ...place, readiness, log })))
    if (ops !== undefined) parts.push(ops)
    const { awaited, probe } = readiness
    const meter = ops?.meter ?? { ...unmetered, awaited, probe }
    // Modules of other roles are not loaded.
    await Promise.all([
      (role === 'bot' || role === 'all') &&
        import('./bot.ts').then(async (bot) => parts.push(await bot.startBot(config, log, time, die, meter))),
      (role === 'worker' || role === 'all') &&
        import('./worker.ts').then(async (it) => parts.push(await it.startWorker(config, log, time, meter))),
      (role === 'api' || (role === 'all' && config.api !== undefined)) &&
        import('./api.ts').then(async (it) => parts.push(await it.startApi(config, log, time, meter))),
    ])
    parts.push(readiness.watch(log))
    log.info({ role, projects: projects.map(({ name }) => name), policy: policyVersion }, 'ready')
    // Otherwise whoever waits for that line waits up to 0.1 s more. A flush waits for a write under way, but adds nothing.
    log.flush(() => log.flush())
  }
}

main().catch((error: unknown) => {
  // People read this, and there may be no log yet.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
