import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@slack/bolt'
import { slackLogger } from '../../../../src/adapters/slack/web/client.ts'
import { createLog } from '../../../../src/log.ts'

/** The logger that the bot gives Slack's libraries, and `said`, which returns what it has logged. */
export function heard(): { logger: Logger; said: () => string } {
  const lines: string[] = []
  const log = createLog({ stream: { write: (line: string) => lines.push(line) } })
  return { logger: slackLogger(log), said: () => lines.join('') }
}

export async function until(what: () => boolean, ms = 5_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await wait(5)) if (what()) return
  throw new Error(`It did not come to this: ${what.toString()}`)
}
