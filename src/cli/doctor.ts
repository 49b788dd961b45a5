import { whyRefused } from '../adapters/redis/connection/calls.ts'
import { connectWorker } from '../adapters/redis/connection/connect.ts'
import { keysOf, tagOf } from '../adapters/redis/connection/keys.ts'
import { testAppToken } from '../adapters/slack/web/checks.ts'
import { createQuietClient, identify } from '../adapters/slack/web/client.ts'
import { createTime } from '../clock.ts'
import { type Config, secretsOf } from '../config/config.ts'
import { livePolicy } from '../config/policy-file/live.ts'
import type { Check } from '../core/model/query-answer.ts'
import { unmetered } from '../core/ports/meter.ts'
import { maskOf } from '../core/text/redact.ts'
import { asText } from '../core/words/render.ts'
import { createLog } from '../log.ts'
import { buildServices } from '../project.ts'
import { redisReady } from '../start.ts'

/** Returns false if anything is wrong. `isStarted`: false before the first start, when the app is in no channel yet. */
export async function diagnose(config: Config, print: (line: string) => void, isStarted = true): Promise<boolean> {
  const hide = maskOf({ values: secretsOf(config) })
  const out = (line: string): void => print(hide(line))
  const log = createLog({ level: 'silent' })
  const redis = connectWorker(config.redisUrl.reveal(), log)
  const { slack, proxy } = config
  const client = createQuietClient({ ...slack, proxy })
  const appToken = slack.mode?.kind === 'socket' ? slack.mode.appToken : null
  try {
    const [home, skew, app] = await Promise.allSettled([
      identify(client),
      redisReady({ ...config, isTrial: true }, redis, log)(),
      appToken && testAppToken(createQuietClient({ ...slack, proxy, botToken: appToken })),
    ])
    const refusals = [home, app].flatMap((one) => (one.status === 'rejected' ? [whyOf(one.reason)] : []))
    for (const why of new Set(refusals)) out(`✗ Slack: ${why}`)
    if (skew.status === 'rejected') out(`✗ Redis: ${whyOf(skew.reason)}`)
    else skew.value.stop()
    if (skew.status === 'rejected') return false
    // What Redis and the platform say matters even more while Slack doesn't answer.
    const identity = home.status === 'fulfilled' ? home.value : { team: '' }
    const { clock } = createTime(config.clockFile)
    const policy = livePolicy(config, { log })
    const every: boolean[] = []
    for (const project of config.projects) {
      const parts = { config, project, policy, redis, client, home: identity, skew: skew.value.ms, clock, log }
      const { services, close } = buildServices({ ...parts, meter: unmetered, soon: () => {}, again: () => undefined })
      const place = { channel: (isStarted && config.operationsChannel) || '' }
      const all = await services.checks(place, isStarted ? policy.version() : undefined)
      // The first process leaves a root.
      const hasRun = (await redis.exists(keysOf(tagOf(config.prefix, project.name)).root)) > 0
      const unasked = [...(isStarted && hasRun ? [] : ofProcesses), ...(home.status === 'rejected' ? ofSlack : [])]
      const checks = all.filter(({ name }) => !unasked.includes(name.say))
      if (config.projects.length > 1) out(`${project.name}:`)
      if (!hasRun) out('· Redis holds no data of this project: nothing has been started yet, or the data is lost.')
      for (const check of checks) out(lineOf(check))
      every.push(checks.every(({ well }) => well))
      await close()
    }
    await policy.stop()
    return refusals.length === 0 && every.every(Boolean)
  } finally {
    redis.disconnect()
  }
}

/** The checks that fail as long as nothing runs, and those that ask Slack. */
const ofProcesses = ['check.rules', 'check.processes']
const ofSlack = ['check.scopes', 'check.channel', 'check.groups', 'check.approvers']

function lineOf({ well, name, says }: Check): string {
  // A terminal is in no channel.
  const about = name.say === 'check.channel' ? 'Operations channel' : asText(name, 'en')
  return `${well ? '✓' : '✗'} ${about}: ${asText(says, 'en')}`
}

function whyOf(error: unknown): string {
  if (error instanceof Error && error.name === 'ReplyError') return asText(whyRefused(error), 'en')
  return error instanceof Error ? error.message : String(error)
}
