import { type Parts, startDemo } from './demo/start.ts'

/** Everything a newcomer lacks, started on this machine, and one address to open. */
async function main(): Promise<void> {
  const parts: Parts = []
  let leaving = false
  /** What was started last is stopped first; nothing is left behind. */
  async function leave(): Promise<void> {
    for (const part of parts.splice(0).reverse()) await part.stop().catch(() => undefined)
  }
  function end(code: number): void {
    if (leaving) return
    leaving = true
    void leave().finally(() => process.exit(code))
  }
  // Ctrl-C, a polite end, and a terminal that was closed.
  process.on('SIGINT', () => end(0))
  process.on('SIGHUP', () => end(0))
  process.on('SIGTERM', () => end(0))

  try {
    const { slack } = await startDemo(parts, say)
    say(
      `\nOpen       ${slack.pageUrl}\n\nTry        /endpoint list   ·   /endpoint stop rerank   ·   /endpoint help\nCtrl-C ends it and leaves nothing behind.`,
    )
  } catch (error) {
    process.stderr.write(`The demo could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    end(1)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
