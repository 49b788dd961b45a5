import { setTimeout as wait } from 'node:timers/promises'
import { createTime } from './clock.ts'
import { loadConfig, type ProcessRole, secretsOf } from './config/config.ts'
import { ConfigError } from './config/env/errors.ts'
import { createLog } from './log.ts'

/** How long a stop may take, ms. Requests that are still under way are taken up by another worker's sweep. */
const stopLimit = 9_000

const help = `npm start [-- COMMAND]

  npm start                  start the bot and the worker in one process
  npm start bot              start the part that talks to Slack
  npm start worker           start the part that talks to the platform
  npm start -- check [FILE]  check a policy file and show what it comes to
  npm start -- doctor        check Slack, Redis and the platform
  npm start -- audit …       verify, export or prune the audit trail
  npm start -- --help        show this

The environment variables are listed in docs/operate.md.
`

function roleFrom(word: string | undefined): ProcessRole {
  if (word === undefined) return 'all'
  if (word === 'bot' || word === 'worker' || word === 'all') return word
  throw new ConfigError([
    `“${word}” is not a command. Write npm start, npm start bot, worker or all; npm start -- --help lists the commands.`,
  ])
}

async function main(): Promise<void> {
  const [word, ...more] = process.argv.slice(2)
  if (word === 'help' || word === '--help' || word === '-h') return void process.stdout.write(help)
  if (word === 'check') {
    const { check } = await import('./cli/check-policy.ts')
    process.exitCode = (await check(more[0])) ? 0 : 1
    return
  }
  if (word === 'audit') {
    const { audit, leaveWhenUnread } = await import('./cli/audit.ts')
    const config = loadConfig('worker')
    leaveWhenUnread(process.stdout, (code) => process.exit(code))
    const out = (line: string): void => void process.stdout.write(`${line}\n`)
    const err = (line: string): void => void process.stderr.write(`${line}\n`)
    process.exitCode = await audit(more, config, { out, err, now: Date.now() })
    return
  }
  if (word === 'doctor') {
    const { diagnose } = await import('./doctor.ts')
    const isWell = await diagnose(loadConfig('worker'), (line) => void process.stdout.write(`${line}\n`))
    process.exitCode = isWell ? 0 : 1
    return
  }
  const config = loadConfig(roleFrom(word))
  const log = createLog({ secrets: secretsOf(config) })

  if (config.surplus.length > 0)
    log.warn(
      { variables: config.surplus },
      'a bot needs no key of the platform: these variables were taken out of this process; take them out of what starts it',
    )

  /** Crash only: all work under way is stored, and the next process continues it. */
  function die(err: unknown): void {
    log.error({ err }, 'the process ends')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)

  /** A part that still waits for Redis or Slack has nothing to stop. */
  const parts: { stop(): Promise<void> }[] = []
  let stopping = false
  async function leave(signal: NodeJS.Signals): Promise<void> {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const stopped = Promise.all(parts.map((part) => part.stop())).then(() => true)
    if (await Promise.race([stopped, wait(stopLimit, false)])) log.info({}, 'stopped')
    else log.warn({}, 'stopped with work in progress: another worker goes on with it')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void leave(signal).catch(die))
  process.on('SIGINT', (signal) => void leave(signal).catch(die))

  const { role, projects, policyVersion } = config
  const time = createTime(config.clockFile)
  // Modules of other roles are not loaded.
  await Promise.all([
    role !== 'worker' && import('./bot.ts').then(async (bot) => parts.push(await bot.startBot(config, log, time, die))),
    role !== 'bot' && import('./worker.ts').then(async (it) => parts.push(await it.startWorker(config, log, time))),
  ])
  log.info({ role, projects: projects.map(({ name }) => name), policy: policyVersion }, 'ready')
}

main().catch((error: unknown) => {
  // For people: there may be no log yet.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
