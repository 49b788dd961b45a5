import { randomBytes } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import { createPlatform } from '../../adapters/platform/client.ts'
import { slackChecks, testAppToken } from '../../adapters/slack/web/checks.ts'
import { createQuietClient, identify } from '../../adapters/slack/web/client.ts'
import { platformUrl, proxyOf } from '../../config/env/address.ts'
import { headerSecret, parseVariable, readVariable, sealingKey, variablesOf } from '../../config/env/environment.ts'
import { slackOf } from '../../config/env/settings.ts'
import { call } from '../../core/commands/call.ts'
import { silent } from '../../core/ports/meter.ts'
import { keyCheck, whyNoContext } from '../../core/ports/platform.ts'
import { asText } from '../../core/words/render.ts'
import type { SetupDraft } from './draft.ts'

/** Asks for the bot token and what deliveries need. Returns a client for Slack. */
export async function takeSlack(draft: SetupDraft): Promise<WebClient | undefined> {
  const message = 'Bot token of the Slack app (xoxb-…, under OAuth & Permissions)'
  const client = await draft.take({ name: 'SLACK_BOT_TOKEN', message }, async (token) => {
    const slack = clientWith(draft, { SLACK_BOT_TOKEN: token }, false)
    await identify(slack)
    for (const { well, says } of await slackChecks(slack, '')) if (!well) throw new Error(asText(says, 'en'))
    const { team, user } = await slack.auth.test()
    draft.set('SLACK_BOT_TOKEN', token)
    draft.say(`✓ Slack: workspace ${team}, as @${user}.`)
    return slack
  })
  const isHttp = ['SLACK_SIGNING_SECRET', 'PORT'].every((name) => readVariable(draft.env, name) !== undefined)
  if (!isHttp || readVariable(draft.env, 'SLACK_APP_TOKEN') !== undefined) await takeSocket(draft)
  return client
}

async function takeSocket(draft: SetupDraft): Promise<void> {
  const message = 'App token with connections:write (xapp-…, under Basic Information, App-Level Tokens)'
  await draft.take({ name: 'SLACK_APP_TOKEN', message }, async (token) => {
    const slack = clientWith(draft, { SLACK_APP_TOKEN: token }, true)
    await testAppToken(slack)
    draft.set('SLACK_APP_TOKEN', token)
    draft.say('✓ Slack: the app token works.')
  })
}

/** Makes a client with the token to test. Throws a sentence if its form is wrong. */
function clientWith(draft: SetupDraft, token: Readonly<Record<string, string>>, listens: boolean): WebClient {
  const mistakes: string[] = []
  // Only the token under test should be reported.
  const env = { ...draft.env, ...(listens && { SLACK_BOT_TOKEN: 'xoxb-' }), ...token }
  const slack = slackOf(env, variablesOf(env, mistakes), listens, mistakes)
  const proxy = proxyOf(variablesOf(env, mistakes))
  if (slack === undefined || mistakes.length > 0) throw new Error(mistakes.join(' '))
  return createQuietClient({ ...slack, proxy, ...(slack.mode?.kind === 'socket' && { botToken: slack.mode.appToken }) })
}

export async function takePlatform(draft: SetupDraft): Promise<void> {
  const where = {
    name: 'PLATFORM_BASE_URL',
    message: "Address of the platform's API, up to and with /external/api/v1",
    usual: '',
  }
  const base = await draft.take(where, async (text) => {
    const address = parseVariable(where.name, text, platformUrl, "Write the address of the platform's API.")
    await reachPlatform(draft, address)
    draft.set(where.name, text)
    return address
  })
  await draft.take(
    { name: 'PLATFORM_API_KEY', message: 'API key of the platform, for Lamplighter alone' },
    async (key) => {
      parseVariable('PLATFORM_API_KEY', key, headerSecret, "Write an API key of the platform's project.")
      // Its address is missing or wrong, which has been reported.
      if (base === undefined) return
      const [{ well, says }] = await asking(draft, base, key, keyCheck)
      if (!well) throw new Error(`The platform didn’t accept this key. ${asText(says, 'en')}`)
      draft.set('PLATFORM_API_KEY', key)
      draft.say(`✓ Platform: ${asText(says, 'en')}`)
    },
  )
}

/** Calls without a key: an API refuses that, and anything else is not the API or not at this address. */
async function reachPlatform(draft: SetupDraft, base: string): Promise<void> {
  const outcome = await asking(draft, base, 'none', (platform) => platform.send(call('get', '/me')))
  if (outcome.kind === 'answered' || ('status' in outcome && (outcome.status === 401 || outcome.status === 403))) return
  throw new Error(`The platform’s API doesn’t answer at this address. ${asText(whyNoContext(outcome), 'en')}`)
}

async function asking<Answer>(
  { env }: SetupDraft,
  baseUrl: string,
  apiKey: string,
  ask: (platform: ReturnType<typeof createPlatform>) => Promise<Answer>,
): Promise<Answer> {
  const options = { baseUrl, apiKey, timeoutMs: 10_000, scaleField: 'replica_count', log: silent } as const
  const platform = createPlatform({ ...options, proxy: proxyOf(variablesOf(env, []))?.reveal() })
  try {
    return await ask(platform)
  } finally {
    await platform.close()
  }
}

/** Keeps the key that is set, because it signed what Redis holds, or makes one. */
export function takeKey(draft: SetupDraft): void {
  const given = readVariable(draft.env, 'LAMPLIGHTER_KEY')
  const wrong = given === undefined ? undefined : sealingKey.safeParse(given).error?.issues[0]
  if (wrong !== undefined) draft.fail(`LAMPLIGHTER_KEY ${wrong.message}`)
  draft.set('LAMPLIGHTER_KEY', given ?? randomBytes(32).toString('base64'))
  if (wrong === undefined) draft.say(`✓ LAMPLIGHTER_KEY ${given === undefined ? 'will be new' : 'is kept'}.`)
}
