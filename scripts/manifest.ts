import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Document, parse, parseDocument } from 'yaml'

const usage =
  'Write: npm run manifest -- --url https://bot.example.org for HTTP, and --workflows for steps in Workflow Builder'

/**
 * The manifest: for Socket Mode as it stands in the file, for HTTP with the address after `--url` filled in, with
 * `--workflows` and the steps of Workflow Builder. Throws with a sentence for whoever wrote the words.
 */
export function manifestFor(words: readonly string[]): string {
  const { url, workflows = false } = read(words)
  const manifest = fileOf('manifest.yml')
  if (url === undefined && !workflows) return manifest
  const document = parseDocument(manifest)
  const mode = url === undefined ? 'Socket Mode' : 'HTTP'
  document.commentBefore = ` The Slack app, for ${mode}${workflows ? ', with steps for Workflow Builder' : ''}.`
  if (url !== undefined) overHttp(document, url)
  if (workflows) withSteps(document)
  return document.toString({ lineWidth: 0 })
}

function fileOf(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
}

/** Slack shows apps with steps to paid workspaces only, and installs them otherwise, so they are put in where wanted. */
function withSteps(document: Document): void {
  const { _metadata, settings, functions } = parse(fileOf('workflow-steps.yml'))
  for (const [name, value] of Object.entries(settings)) document.setIn(['settings', name], value)
  // Written out: what stands in several places would become an alias.
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
