import * as z from 'zod'
import { address } from './address.ts'
import { type Environment, given, type Variables, wholeNumber } from './environment.ts'
import { type Secret, secret } from './secrets.ts'

/** How deliveries reach us. Null in a worker: it only speaks to Slack. */
export type SlackMode =
  | { readonly kind: 'socket'; readonly appToken: Secret }
  | { readonly kind: 'http'; readonly signingSecret: Secret; readonly port: number }

export interface SlackConfig {
  readonly botToken: Secret
  /** Another Slack than slack.com; without a slash at the end. */
  readonly apiUrl?: string
  readonly mode: SlackMode | null
}

/** Slack's part of the environment. Undefined when something is missing or wrong (noted). */
export function slackOf(
  env: Environment,
  variables: Variables,
  listens: boolean,
  mistakes: string[],
): SlackConfig | undefined {
  const botToken = variables.required(
    'SLACK_BOT_TOKEN',
    tokenOf('bot'),
    'Write the bot token of your Slack app: it begins with xoxb-.',
  )
  const apiUrl = variables.optional('SLACK_API_URL', address)
  const mode = listens ? modeOf(env, variables, mistakes) : null
  if (!botToken || mode === undefined) return undefined
  return { botToken, mode, ...(apiUrl && { apiUrl }) }
}

/**
 * An app token means Socket Mode, also beside a signing secret: Slack shows every app its signing secret, and sends
 * nothing over HTTP while Socket Mode is on.
 */
function modeOf(env: Environment, variables: Variables, mistakes: string[]): SlackMode | undefined {
  if (given(env, 'SLACK_APP_TOKEN') !== undefined) {
    const appToken = variables.optional('SLACK_APP_TOKEN', tokenOf('app'))
    return appToken && { kind: 'socket', appToken }
  }
  if (given(env, 'SLACK_SIGNING_SECRET') === undefined) {
    variables.optional('PORT', port)
    mistakes.push(
      'SLACK_APP_TOKEN is missing. Write the app token (it begins with xapp-) for Socket Mode, ' +
        'or SLACK_SIGNING_SECRET and PORT to take deliveries over HTTP.',
    )
    return undefined
  }
  const signingSecret = variables.optional('SLACK_SIGNING_SECRET', z.string().transform(secret<string>))
  const listensOn = variables.required(
    'PORT',
    port,
    'HTTP mode listens on it: write for example PORT=3000, or set SLACK_APP_TOKEN for Socket Mode.',
  )
  return signingSecret && listensOn !== undefined ? { kind: 'http', signingSecret, port: listensOn } : undefined
}

const port = wholeNumber(0, 65_535, 'PORT=3000')

const homes = { 'xoxb-': 'SLACK_BOT_TOKEN', 'xapp-': 'SLACK_APP_TOKEN' }
const unwanted = { bot: /^(xapp-|xoxp-|xoxe-)/, app: /^(xoxb-|xoxp-|xoxe-)/ }

/** Another Slack may shape its tokens as it likes; the ones known to belong elsewhere are told apart. */
function tokenOf(kind: 'bot' | 'app'): z.ZodType<Secret, string> {
  return z.string().transform((text, context) => {
    if (!unwanted[kind].test(text)) return secret(text)
    const home = Object.entries(homes).find(([start]) => text.startsWith(start))?.[1]
    const wanted =
      kind === 'bot' ? 'bot token: it begins with xoxb-' : 'app token with connections:write: it begins with xapp-'
    const moved = home ? ` This one belongs in ${home}.` : ''
    context.addIssue({ code: 'custom', message: `is another kind of token. Write the ${wanted}.${moved}` })
    return z.NEVER
  })
}
