import type { WebClient } from '@slack/web-api'
import type { Redis } from 'ioredis'
import { createWatch } from './adapters/metrics/watch.ts'
import { createPlatform } from './adapters/platform/client.ts'
import { createProducer } from './adapters/queue/producer.ts'
import { anchorsIn, createAnchors } from './adapters/redis/audit/anchors.ts'
import { pruneCheck, prunerOf } from './adapters/redis/audit/prune.ts'
import { strangersIn } from './adapters/redis/audit/strangers.ts'
import { createPace } from './adapters/redis/caches/pace.ts'
import {
  createTicked,
  policyCheck,
  storeChecks,
  tickedCheck,
  versionCheck,
} from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { roomCheck } from './adapters/redis/connection/memory.ts'
import { sealsFor } from './adapters/redis/integrity/sealed-values.ts'
import { signerFor } from './adapters/redis/integrity/sign.ts'
import { createStore, leaseMsFor } from './adapters/redis/requests/store.ts'
import { createAnnouncer } from './adapters/slack/delivery/announce.ts'
import { createNotifier } from './adapters/slack/delivery/notifier.ts'
import { createDelivery } from './adapters/slack/delivery/send.ts'
import { linksTo } from './adapters/slack/delivery/sent-messages.ts'
import { slackChecks, unknownGroups } from './adapters/slack/web/checks.ts'
import type { Identity } from './adapters/slack/web/client.ts'
import { createPeople } from './adapters/slack/web/people.ts'
import { type Config, secretsFromContainers } from './config/config.ts'
import type { LivePolicy } from './config/policy-file/live.ts'
import type { Anchors, Prune } from './core/ports/audit.ts'
import type { Clock, House } from './core/ports/services.ts'
import { createLeft } from './core/requests/left-to-newer.ts'
import { discreet } from './core/requests/sealed-values.ts'
import { approversCheck } from './features/approvals/unable.ts'
import { commands } from './features/command-table.ts'
import type { Strangers } from './features/history/strangers.ts'
import { readingOf } from './features/idle/watch-endpoints.ts'
import { haltChecks } from './features/safeguards/lockdown.ts'
import { priceCheck } from './features/savings/prices.ts'
import { keyCheck } from './lifecycle/refresh-list.ts'
import type { Log } from './log.ts'

export interface Ground {
  readonly config: Config
  readonly project: Config['projects'][number]
  /** As its file says now. */
  readonly policy: LivePolicy
  readonly redis: Redis
  readonly client: WebClient
  /** The home workspace, and its organisation. */
  readonly home: Pick<Identity, 'team' | 'enterprise'>
  /** Has the rules looked through soon. */
  readonly soon: () => void
  /** Redis' clock minus ours, ms. */
  readonly skew: () => number
  readonly clock: Clock
  readonly log: Log
}

/** Everything that the lifecycle of one project's requests needs, put together. */
export function buildHouse(ground: Ground): {
  readonly house: House
  readonly anchors: Anchors
  readonly strangers: Strangers
  /** Null without a directory to move what is old to. */
  readonly prune: Prune | null
  readonly close: () => Promise<void>
} {
  const { config, project, policy: live, redis, client, home, skew, clock, log } = ground
  if (project.baseUrl === undefined || project.apiKey === undefined)
    throw new Error(`Project ${project.name} has no platform address or key.`)
  const probeKey = project.signals.key?.reveal()
  if (probeKey !== undefined && secretsFromContainers(config).includes(probeKey))
    throw new Error(`The probe key of project ${project.name} is another secret: make a key for reading metrics only.`)
  const tag = tagOf(config.prefix, project.name)
  const keys = keysOf(tag)
  const leaseMs = leaseMsFor(config.platformTimeoutMs)
  const signer = signerFor(config, tag)
  const policy = live.of(project.name)
  const store = createStore({
    redis,
    keys,
    project: project.name,
    signer,
    commands,
    clock,
    leaseMs,
    skew,
    policy: () => policy().version,
    log,
  })
  store.audit.witness(() => anchorsIn(config.auditDir, project.name))
  const queue = createProducer(redis, tag)
  const seals = sealsFor(config, redis, keys, project.name)
  const http = createPlatform({
    baseUrl: project.baseUrl,
    apiKey: project.apiKey.reveal(),
    timeoutMs: config.platformTimeoutMs,
    scaleField: config.scaleField,
    log,
  })
  const platform = discreet(http, seals)
  const watch = createWatch({
    allowPrivate: project.signals.allowPrivate,
    ...(probeKey !== undefined && { key: probeKey }),
  })
  const of = { project: project.name, isShared: live.isShared(project.name) }
  const notifier = createNotifier({
    delivery: createDelivery(client, { replyUrlOf: store.replyUrlOf, fileOf: store.fileOf, fetch }),
    operationsChannel: live.operationsChannel,
    isShared: of.isShared,
    membersOf: (role) => policy().roles[role],
    pace: createPace(redis, keys, clock),
    linkTo: linksTo(client, store),
    clock,
    log,
  })
  const house: House = {
    project: project.name,
    commands,
    policy,
    operationsChannel: live.operationsChannel,
    watch,
    reading: (endpoint) => readingOf(house, endpoint),
    soon: ground.soon,
    store,
    queue,
    seals,
    platform,
    people: createPeople({ client, home, policy, clock, log }),
    notifier,
    announce: createAnnouncer({ client, operationsChannel: live.operationsChannel, of, log }),
    checks: async ({ channel }) => [
      ...(await slackChecks(client, channel)),
      await keyCheck(platform),
      ...(await storeChecks(redis, keys, skew(), clock.now())),
      await roomCheck(redis),
      scaleCheck(config.scaleField, await store.hint()),
      await priceCheck({ policy, store }),
      tickedCheck(await createTicked(redis, keys).ago()),
      ...(await haltChecks(house)),
      await pruneCheck(store.audit, config.auditDir, clock.now()),
      { name: 'Queue', well: true, says: `${await queue.depth()} wake-ups are waiting.` },
      await versionCheck(redis, keys),
      secretsCheck(seals !== null),
      fileCheck(live.refusal()) ?? (await policyCheck(redis, keys)),
      groupsCheck(await unknownGroups(client, live.groups())),
      await approversCheck(house, home.team),
    ],
    clock,
    log,
    left: createLeft(clock, log),
  }
  const anchors = createAnchors({ redis, keys, signer }, project.name, config.auditDir)
  return {
    house,
    anchors,
    strangers: strangersIn(redis, keys, signer),
    prune: prunerOf(store.audit, clock, project.name, config.auditDir),
    close: async () => void (await Promise.all([queue.close(), http.close(), watch.stop()])),
  }
}

function secretsCheck(there: boolean): Awaited<ReturnType<House['checks']>>[number] {
  const says = there
    ? 'There is a key to seal them with.'
    : 'There is no key for them: set LAMPLIGHTER_KEY (openssl rand -base64 32).'
  return { name: 'Secret values', well: there, says }
}

/** What is written there and does not hold, as long as it stands there. */
function fileCheck(refusal: readonly string[]): Awaited<ReturnType<House['checks']>>[number] | null {
  if (refusal.length === 0) return null
  const says = `What stands there now is refused, and what held before still does. ${refusal.join(' ')}`
  return { name: 'Policy file', well: false, says }
}

function groupsCheck(unknown: readonly string[]): Awaited<ReturnType<House['checks']>>[number] {
  const well = unknown.length === 0
  return { name: 'User groups', well, says: well ? 'Slack knows those that the policy names.' : unknown.join(' ') }
}

/** A platform that refuses a scale often says which field it would have liked. */
function scaleCheck(field: string, asked: string | null): Awaited<ReturnType<House['checks']>>[number] {
  const well = asked === null || asked === field
  return {
    name: 'Scale',
    well,
    says: well
      ? `The count is sent as ${field}.`
      : `The platform asked for ${asked}: set PLATFORM_SCALE_FIELD=${asked}.`,
  }
}
