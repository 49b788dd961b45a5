import packageJson from '../../package.json' with { type: 'json' }
import { loadConfig, ownEnvironment } from '../config/config.ts'
import { didYouMean } from '../config/env/environment.ts'
import { isPackage, program } from '../core/text/program.ts'
import { english } from '../words/english.ts'
import {
  type ClientTerminal,
  type CommandLine,
  clientLine,
  type Flags,
  type FlagValues,
  helpOf,
  initLine,
  listed,
  readWords,
} from './command-line.ts'

interface Job {
  readonly line: CommandLine
  /** Returns the exit code. */
  readonly run: (given: readonly string[]) => Promise<number>
}

function job<Taken extends Flags>(
  line: CommandLine<Taken>,
  run: (words: readonly string[], flags: FlagValues<Taken>) => Promise<number>,
): Job {
  return {
    line,
    async run(given) {
      const read = readWords(line, given)
      if (!('wrong' in read)) return run(read.words, read.flags)
      err(`${read.wrong} ${program} ${line.usage.split(' ')[0]} --help shows its usage.`)
      return 2
    },
  }
}

/** Help only: `main.ts` starts the parts without loading this file. */
function start(usage: string, does: string): Job {
  return job({ usage, does }, async () => 2)
}

export const auditLine = {
  usage: 'audit verify [FILE]|export|prune',
  does: 'verify, export or prune the audit trail',
  words: 2,
  flags: {
    since: { type: 'string', value: '30d', does: 'export: only entries from this time span' },
    anchor: {
      type: 'string',
      multiple: true,
      value: 'SEQ:MAC',
      does: 'verify and prune: check against a checkpoint you kept',
    },
  },
  more: [
    'Verify checks the stored trail, or an exported FILE. Prune moves entries older than 400 days to LAMPLIGHTER_AUDIT_DIR.',
    'Exit codes: 0 done or intact, 1 not intact or not done, 2 a wrong command, 3 Redis can’t be reached.',
  ].join('\n'),
} as const satisfies CommandLine

const jobs: readonly Job[] = [
  ...(isPackage ? [start('demo', 'try it in your browser, with a simulated Slack and platform')] : []),
  ...(isPackage ? [start('start [bot|worker|api|all]', 'the same as bot, worker, api or all')] : []),
  start('all', 'start the bot and the worker in one process, and the API if LAMPLIGHTER_API_PORT is set'),
  start('bot', 'start the part that talks to Slack'),
  start('api', 'start the API for programs'),
  start('worker', 'start the part that talks to the platform'),
  job(initLine, async (_, wishes) => {
    const { init } = await import('./init/init.ts')
    const { stdin: input, stdout: output } = process
    return init(wishes, { env: ownEnvironment(), folder: '', input, output, asks: input.isTTY && output.isTTY })
  }),
  job(
    {
      usage: 'check [FILE]',
      does: 'check a policy file and the settings, and show the resulting policy',
      words: 1,
      more: 'The default FILE is LAMPLIGHTER_CONFIG, or else lamplighter.yaml.',
    },
    async ([file]) => ((await (await import('./check-policy.ts')).check(file, ownEnvironment(), out)) ? 0 : 1),
  ),
  job(
    {
      usage: 'mcp',
      does: 'let an agent on this machine propose changes, over MCP on standard input and output',
      more: 'LAMPLIGHTER_API_URL is the address of the API, and LAMPLIGHTER_TOKEN a token from /endpoint token new.',
    },
    async () => (await import('./mcp.ts')).mcp(ownTerminal()),
  ),
  job({ usage: 'doctor', does: 'check Slack, Redis and the platform, like /endpoint doctor' }, async () =>
    (await (await import('./doctor.ts')).diagnose(loadConfig('doctor'), out)) ? 0 : 1,
  ),
  job(auditLine, async (words, flags) => {
    const { audit, leaveWhenUnread } = await import('./audit.ts')
    leaveWhenUnread(process.stdout, (code) => process.exit(code))
    return audit(words, flags, loadConfig('audit'), { out, err, now: Date.now() })
  }),
  job(
    {
      usage: 'login',
      does: 'let this terminal act for you, once you confirm in Slack',
      flags: {
        url: { type: 'string', value: 'URL', does: 'address of the API' },
        name: {
          type: 'string',
          value: 'NAME',
          does: 'name of this terminal; default: its host name and a random part',
        },
      },
      more: 'The policy file says who can log in, under tokens. The token is stored in a file that only you can read.',
    },
    async (_, flags) => (await import('./client/login.ts')).login(flags, ownTerminal()),
  ),
  job({ usage: 'logout', does: 'revoke the token of this terminal and delete its login' }, async () =>
    (await import('./client/login.ts')).logout(ownTerminal()),
  ),
]

const nameOf = ({ line }: Job): string => line.usage.split(' ')[0] ?? ''

/** Runs a command of `npm start -- …` that starts no part of the product. Returns the exit code. */
export async function runCommand([word = '--help', ...more]: readonly string[]): Promise<number> {
  if (word === '--version') {
    out(packageJson.version)
    return 0
  }
  const wanted = jobs.find((one) => nameOf(one) === (word === 'help' ? more[0] : word))
  const isLine = word === '/endpoint' || Object.hasOwn(english, `summary.${word}`)
  const flags = ['--help', '-h']
  const asksHere =
    flags.some((one) => one === word || more.includes(one)) || (wanted !== undefined && more[0] === 'help')
  // Someone who is logged in wants help on Slack's commands, and on the terminal's only where Slack has none.
  const asksThere = word === 'help' && (wanted === undefined || Object.hasOwn(english, `summary.${more[0]}`))
  if (asksHere || (word === 'help' && !(asksThere && (await isLoggedIn())))) {
    const about = wanted?.line ?? (['help', ...flags].includes(word) ? undefined : clientLine)
    out(about === undefined ? help() : helpOf(about))
    return 0
  }
  // The package starts the parts by `start` alone, so a `start` with a word names an endpoint.
  if (wanted !== undefined && word !== 'start' && word !== 'help') return wanted.run(more)
  const near = isLine ? '' : didYouMean(word, jobs.map(nameOf))
  return (await import('./client/send-line.ts')).sendLine([word, ...more], ownTerminal(), near)
}

async function isLoggedIn(): Promise<boolean> {
  return !('wrong' in (await (await import('./client/login.ts')).accessOf(ownEnvironment())))
}

function ownTerminal(): ClientTerminal {
  const env = ownEnvironment()
  const [tongue = ''] = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].filter((value) => value)
  return {
    env,
    language: /^ko(_|$)/i.test(tongue) ? 'ko' : 'en',
    colors: process.stdout.isTTY === true && !env['NO_COLOR'],
    out,
    err,
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onInterrupt: (leave) => {
      let isLeaving = false
      function end(): void {
        if (!isLeaving) void leave().then((code) => process.exit(code))
        isLeaving = true
      }
      // A CI job is ended by SIGTERM, which may come from the script and from the runner. A second Ctrl-C exits at once.
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
      process.once('SIGINT', end)
    },
  }
}

function help(): string {
  const rows = jobs.map(({ line }) => [line.usage, line.does] as const)
  return [
    `${program} [COMMAND]`,
    '',
    `Without a command, ${isPackage ? 'this help is shown' : 'everything starts in one process, as with all'}.`,
    ...listed(rows),
    ...listed([
      ['LINE', 'any /endpoint command, such as list, after login; see LINE --help'],
      ['COMMAND --help', 'show the usage of a command'],
      ['help [COMMAND]', 'after login: show the /endpoint commands'],
      ['--version', 'show the version of Lamplighter'],
    ]),
    '',
    'docs/operate.md describes the environment variables.',
  ].join('\n')
}

function out(line: string): void {
  process.stdout.write(`${line}\n`)
}

function err(line: string): void {
  process.stderr.write(`${line}\n`)
}
