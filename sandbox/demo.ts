import { type Parts, startDemo } from './demo/start.ts'

/**
 * Starts everything a newcomer lacks on this machine, and prints one address to open. An instant after the command, as
 * in `npm run demo -- 2027-03-28T00:30:00Z`, sets the time that the clock shows at first.
 */
async function main(): Promise<void> {
  const [, , given = ''] = process.argv
  if (['--help', '-h', 'help'].includes(given)) return say(help)
  const parts: Parts = []
  let leaving = false
  /** Stops the parts in reverse order, so that nothing is left behind. */
  async function leave(): Promise<void> {
    for (const part of parts.splice(0).reverse()) await part.stop().catch(() => undefined)
  }
  function end(code: number): void {
    if (leaving) return
    leaving = true
    void leave().finally(() => process.exit(code))
  }
  // Ctrl-C, a closed terminal, and `kill`.
  process.on('SIGINT', () => end(0))
  process.on('SIGHUP', () => end(0))
  process.on('SIGTERM', () => end(0))

  try {
    say('Starting. The first time takes longer, because it fetches Redis if there is none.')
    const { slack, apiUrl } = await startDemo(parts, say, aheadOf(process.argv[2]))
    say(`
Open       ${slack.pageUrl}

Try        /endpoint list   ·   /endpoint stop rerank   ·   /endpoint help
Programs   ${apiUrl}   ·   a token: /endpoint token new my-agent
Ctrl-C ends it.`)
  } catch (error) {
    process.stderr.write(`The demo couldn’t start: ${error instanceof Error ? error.message : String(error)}\n`)
    end(1)
  }
}

/** Returns how far the demo's clock starts ahead of this machine's, ms. Throws if the instant isn't valid. */
function aheadOf(instant: string | undefined): number {
  if (instant === undefined) return 0
  const at = Date.parse(instant)
  if (Number.isNaN(at)) throw new Error(`${instant} isn’t a valid time. Write one like 2027-03-28T00:30:00Z.`)
  return at - Date.now()
}

const help = `Usage: demo [TIME]

Starts the bot, the worker and the API with a simulated Slack and platform, and prints the address to open. Nothing is kept.
TIME  what its clock shows at first, such as 2027-03-28T00:30:00Z; otherwise, the time of this machine`

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
