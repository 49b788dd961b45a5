import { setTimeout as wait } from 'node:timers/promises'
import { createTime } from './clock.ts'
import { type Config, loadConfig, type ProcessRole, secretsOf } from './config/config.ts'
import { ConfigError } from './config/env/errors.ts'
import { createLog, createMask, type Log } from './log.ts'
import type { Hands } from './worker.ts'

/** How long a stop may take, ms. What is left in the middle by then is in the store, and comes back by lease and sweep. */
const patience = 9_000

/** A part of the product that is ready. */
interface Part {
  stop(): Promise<void>
}

/** Starts the roles asked for, and hands each on once it is ready. What a role does not need is not even loaded. */
async function start(config: Config, log: Log, onFatal: (error: Error) => void, ready: (part: Part) => void) {
  const { role } = config
  const time = createTime(config.clockFile)
  const hands: Hands = new Map()
  await Promise.all([
    role !== 'worker' &&
      import('./bot.ts').then(({ startBot }) => startBot(config, log, time, onFatal, hands)).then(ready),
    role !== 'bot' &&
      import('./worker.ts').then(({ startWorker }) => startWorker(config, log, time, hands)).then(ready),
  ])
}

const help = `npm start [-- COMMAND]

  npm start                  start the bot and the worker in one process
  npm start bot              start the part that talks to Slack
  npm start worker           start the part that talks to the platform
  npm start -- check [FILE]  check a policy file and show what it comes to
  npm start -- audit         list what can be proven of who did what
  npm start -- --help        show this

The environment variables are listed in README.md.
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
    const { audit, untilUnread } = await import('./cli/audit.ts')
    const config = loadConfig('worker')
    untilUnread(process.stdout, (code) => process.exit(code))
    const out = (line: string): void => void process.stdout.write(`${line}\n`)
    const err = (line: string): void => void process.stderr.write(`${line}\n`)
    process.exitCode = await audit(more, config, config.auditDir, { out, err, now: Date.now() })
    return
  }
  const config = loadConfig(roleFrom(word))
  const log = createLog({ mask: createMask(secretsOf(config)) })

  if (config.surplus.length > 0)
    log.warn(
      { variables: config.surplus },
      'a bot needs no key of the platform: these variables were taken out of this process; take them out of what starts it',
    )

  /** Crash only: whatever was under way is in the store, and whoever starts us again goes on from there. */
  function die(err: unknown): void {
    log.error({ err }, 'the process ends')
    process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)

  /** Those that are ready: one that still waits for Redis or Slack has nothing to end. */
  const parts: Part[] = []
  let stopping = false
  async function leave(signal: NodeJS.Signals): Promise<void> {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const stopped = Promise.all(parts.map((part) => part.stop())).then(() => true)
    if (await Promise.race([stopped, wait(patience, false)])) log.info({}, 'stopped')
    else log.warn({}, 'stopped in the middle of something: another worker goes on with it')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void leave(signal).catch(die))
  process.on('SIGINT', (signal) => void leave(signal).catch(die))

  await start(config, log, die, (part) => void parts.push(part))
  log.info(
    { role: config.role, projects: config.projects.map(({ name }) => name), policy: config.policyVersion },
    'ready',
  )
}

try {
  await main()
} catch (error) {
  // Before there is a log, and for people: what is wrong and what to write instead.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
