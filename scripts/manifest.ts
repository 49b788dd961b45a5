import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Document, parse, parseDocument } from 'yaml'

const usage =
  'Write: npm run manifest -- --url https://bot.example.org for HTTP, and --workflows for steps in Workflow Builder'

/**
 * Returns the manifest: the file itself for Socket Mode, with the address from `--url` for HTTP, and with the steps of
 * Workflow Builder for `--workflows`. Throws an error whose message is for the person at the terminal.
 */
export function manifestFor(words: readonly string[]): string {
  const { url, workflows = false } = read(words)
  const manifest = fileOf('manifest.yml')
  if (url === undefined && !workflows) return manifest
  // Without the file's own first line, which names the other mode.
  const document = parseDocument(manifest.replace(/^#.*\n/, ''))
  const mode = url === undefined ? 'Socket Mode' : 'HTTP'
  document.commentBefore = ` The Slack app, for ${mode}${workflows ? ', with steps for Workflow Builder' : ''}.`
  if (url !== undefined) overHttp(document, url)
  if (workflows) withSteps(document)
  return document.toString({ lineWidth: 0 })
}

function fileOf(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
}

/** Slack shows an app with steps only to paid workspaces and installs it differently, so the steps are optional. */
function withSteps(document: Document): void {
  const { _metadata, settings, functions } = parse(fileOf('workflow-steps.yml'))
  for (const [name, value] of Object.entries(settings)) document.setIn(['settings', name], value)
  // The copy avoids YAML aliases for values that occur in several places.
  const plain = JSON.parse(JSON.stringify({ _metadata, functions }))
  for (const [name, value] of Object.entries(plain)) document.set(name, document.createNode(value))
}

function main(): void {
  try {
    process.stdout.write(manifestFor(process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { url: { type: 'string' }, workflows: { type: 'boolean' } } }).values
  } catch {
    throw new Error(`That cannot be read. ${usage}.`)
  }
}

function overHttp(document: Document, address: string): void {
  const url = eventsUrl(address)
  document.setIn(['features', 'slash_commands', 0, 'url'], url)
  document.setIn(['settings', 'event_subscriptions', 'request_url'], url)
  document.setIn(['settings', 'interactivity', 'request_url'], url)
  document.setIn(['settings', 'interactivity', 'message_menu_options_url'], url)
  document.setIn(['settings', 'socket_mode_enabled'], false)
}

/** Commands, presses, options and events all arrive at one path. The address may have a reverse proxy's path. */
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
