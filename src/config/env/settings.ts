import { join } from 'node:path'
import * as z from 'zod'
import { prefix, proxyOf, slackUrl, usualPrefix } from './address.ts'
import {
  type Environment,
  headerSecret,
  oneOf,
  readVariable,
  sealingKey,
  secretText,
  textAs,
  type Variables,
  wholeNumber,
} from './environment.ts'

export type SlackConfig = NonNullable<ReturnType<typeof slackOf>>

/** Reads Slack's settings. Undefined if one is missing or wrong, which is added to `mistakes`. */
export function slackOf(env: Environment, variables: Variables, listens: boolean, mistakes: string[]) {
  const botToken = variables.required(
    'SLACK_BOT_TOKEN',
    tokenOf('bot'),
    'Set it to the bot token of your Slack app, which begins with xoxb-.',
  )
  // A server other than slack.com.
  const apiUrl = variables.optional('SLACK_API_URL', slackUrl)
  // A worker only calls Slack.
  const mode = listens ? modeOf(env, variables, mistakes) : null
  if (!botToken || mode === undefined) return undefined
  return { botToken, mode, ...(apiUrl && { apiUrl }) }
}

/** An app token means Socket Mode, where Slack sends nothing over HTTP: every app has a signing secret too. */
export function isSocketMode(env: Environment): boolean {
  return readVariable(env, 'SLACK_APP_TOKEN') !== undefined
}

function modeOf(env: Environment, variables: Variables, mistakes: string[]) {
  if (isSocketMode(env)) {
    const appToken = variables.optional('SLACK_APP_TOKEN', tokenOf('app'))
    return appToken && ({ kind: 'socket', appToken } as const)
  }
  if (readVariable(env, 'SLACK_SIGNING_SECRET') === undefined) {
    variables.optional('PORT', port)
    mistakes.push(
      'SLACK_APP_TOKEN is missing. Write the app token (it begins with xapp-) for Socket Mode, ' +
        'or SLACK_SIGNING_SECRET and PORT to receive events over HTTP.',
    )
    return undefined
  }
  const signingSecret = variables.optional('SLACK_SIGNING_SECRET', secretText)
  const listensOn = variables.required(
    'PORT',
    port,
    'HTTP mode listens on it: set for example PORT=3000, or SLACK_APP_TOKEN for Socket Mode.',
  )
  if (!signingSecret || listensOn === undefined) return undefined
  return { kind: 'http', signingSecret, port: listensOn } as const
}

const port = wholeNumber(0, 65_535, 'PORT=3000')

const tokens = {
  bot: { unwanted: /^(xapp-|xoxp-|xoxe-)/, wanted: 'bot token: it begins with xoxb-' },
  app: { unwanted: /^(xoxb-|xoxp-|xoxe-)/, wanted: 'app token with connections:write: it begins with xapp-' },
}
const homes = { 'xoxb-': 'SLACK_BOT_TOKEN', 'xapp-': 'SLACK_APP_TOKEN' }

/** Refuses only tokens of another kind, because a Slack-compatible server may use any format. */
function tokenOf(kind: 'bot' | 'app') {
  const { unwanted, wanted } = tokens[kind]
  return textAs((text) => {
    if (!unwanted.test(text)) return { value: text }
    const home = Object.entries(homes).find(([start]) => text.startsWith(start))?.[1]
    return { wrong: `is another kind of token. Write the ${wanted}.${home ? ` This one belongs in ${home}.` : ''}` }
  }).pipe(headerSecret)
}

const logLevels = ['info', 'warn', 'error'] as const
const scaleFields = ['replica_count', 'num_replicas'] as const

export function apiOf(variables: Variables) {
  const port = variables.optional('LAMPLIGHTER_API_PORT', wholeNumber(0, 65_535, '8080'))
  const host = variables.optional('LAMPLIGHTER_API_HOST', z.string()) ?? '127.0.0.1'
  if (port === undefined) return undefined
  /** Set if Slack's own MCP client may call. */
  const signingSecret = variables.optional('SLACK_SIGNING_SECRET', secretText)
  return { host, port, signingSecret }
}

export function processSettingsOf(variables: Variables) {
  const opsPort = variables.optional('LAMPLIGHTER_OPS_PORT', wholeNumber(0, 65_535, '9464'))
  const host = variables.optional('LAMPLIGHTER_OPS_HOST', z.string()) ?? '127.0.0.1'
  const settings = {
    /** The operations port; without it nothing listens. */
    ops: opsPort === undefined ? undefined : { host, port: opsPort },
    key: variables.optional('LAMPLIGHTER_KEY', sealingKey),
    proxy: proxyOf(variables),
    /** For the sandbox: a file with an offset in ms that is added to the clock. */
    clockFile: variables.optional('LAMPLIGHTER_CLOCK_FILE', z.string()),
    /** The directory for the audit's anchors and pruned entries. */
    auditDir: variables.optional('LAMPLIGHTER_AUDIT_DIR', z.string()),
    /** The prefix of every key, for a shared Redis. */
    prefix: variables.optional('LAMPLIGHTER_PREFIX', prefix) ?? usualPrefix,
    /** The time limit of one call to the platform, ms. */
    platformTimeoutMs:
      variables.optional('PLATFORM_TIMEOUT_MS', wholeNumber(100, 300_000, '10000 for ten seconds')) ?? 10_000,
    /** The field for the number of replicas in the body of a scale. */
    scaleField: variables.optional('PLATFORM_SCALE_FIELD', oneOf(scaleFields)) ?? scaleFields[0],
    logLevel: variables.optional('LOG_LEVEL', oneOf(logLevels)) ?? logLevels[0],
    /** How many lines are accepted from one person per minute, or all at once. */
    perMinute: variables.optional('LAMPLIGHTER_LIMIT_PER_MINUTE', wholeNumber(1, 100_000, '20')) ?? 20,
    /** Accepts a Redis that loses writes when it crashes, for the demo. */
    mayForget: variables.optional('LAMPLIGHTER_REDIS_MAY_FORGET', oneOf(['yes', 'no'])) === 'yes',
  }
  const { auditDir, prefix: own } = settings
  // Each prefix has an audit of its own. The anchors of another one would look like lost entries.
  return { ...settings, auditDir: auditDir && own !== usualPrefix ? join(auditDir, own) : auditDir }
}
