import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'

const usage = 'Write: npm run manifest, or npm run manifest -- --url https://bot.example.org'

/** Prints the manifest: for Socket Mode as it stands in the file, for HTTP with the given address filled in. */
function main(): void {
  try {
    const url = readUrl()
    const manifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
    process.stdout.write(url === undefined ? manifest : overHttp(manifest, url))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function readUrl(): string | undefined {
  try {
    return parseArgs({ options: { url: { type: 'string' } } }).values.url
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

main()
