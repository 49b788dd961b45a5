import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'

const usage = 'Write: npm run manifest, or npm run manifest -- --url https://bot.example.org'

/**
 * The manifest: for Socket Mode as it stands in the file, for HTTP with the address after `--url` filled in. Throws with
 * a sentence for whoever wrote the words.
 */
export function manifestFor(words: readonly string[]): string {
  const url = readUrl(words)
  const manifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
  return url === undefined ? manifest : overHttp(manifest, url)
}

function main(): void {
  try {
    process.stdout.write(manifestFor(process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function readUrl(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { url: { type: 'string' } } }).values.url
  } catch {
    throw new Error(`That cannot be read. ${usage}.`)
  }
}

function overHttp(manifest: string, address: string): string {
  const url = eventsUrl(address)
  const document = parseDocument(manifest)
  document.commentBefore = ' The Slack app, for HTTP.'
  document.setIn(['features', 'slash_commands', 0, 'url'], url)
  document.setIn(['settings', 'event_subscriptions', 'request_url'], url)
  document.setIn(['settings', 'interactivity', 'request_url'], url)
  document.setIn(['settings', 'interactivity', 'message_menu_options_url'], url)
  document.setIn(['settings', 'socket_mode_enabled'], false)
  return document.toString({ lineWidth: 0 })
}

/** Commands, presses, options and events all arrive at one path. The address may have a path of its own, for a reverse proxy. */
function eventsUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const plain = url?.protocol === 'https:' && !url.username && !url.password && !url.search && !url.hash
  if (!url || !plain) {
    throw new Error(
      `"${address}" is not an address that Slack can reach. Give the bot's https address, such as https://bot.example.org.`,
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/slack\/events$/, '')}/slack/events`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
