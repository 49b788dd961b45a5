import type { WebClient } from '@slack/web-api'
import type { Redis } from 'ioredis'
import { createWebhooks } from './adapters/http/webhook.ts'
import { createWatch } from './adapters/metrics/watch.ts'
import { createPlatform } from './adapters/platform/client.ts'
import { createProducer, type Workers } from './adapters/queue/jobs.ts'
import { anchorsIn, createAnchors, pruneCheck, prunerOf } from './adapters/redis/audit/files.ts'
import { createEventTrail } from './adapters/redis/audit/log.ts'
import { storeChecks } from './adapters/redis/connection/health.ts'
import { policyCheck, processesCheck, versionCheck } from './adapters/redis/connection/heartbeat.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { createTickMark, tickedCheck } from './adapters/redis/connection/leader-turns.ts'
import { renewerOn } from './adapters/redis/integrity/renew.ts'
import { sealsFor, tokenSecretsFor } from './adapters/redis/integrity/sealed-values.ts'
import { signerFor, signingCheck } from './adapters/redis/integrity/sign.ts'
import { createPace } from './adapters/redis/requests/rate-limits.ts'
import { strangersIn } from './adapters/redis/requests/state.ts'
import { createStore, leaseMsFor } from './adapters/redis/requests/store.ts'
import { createAnnouncer } from './adapters/slack/delivery/announce.ts'
import { createNotifier } from './adapters/slack/delivery/notifier.ts'
import { createDelivery } from './adapters/slack/delivery/post.ts'
import { addressesFrom, linksTo } from './adapters/slack/delivery/sent-messages.ts'
import { slackChecks, unknownGroups } from './adapters/slack/web/checks.ts'
import { type Identity, slackFetch } from './adapters/slack/web/client.ts'
import { createPeople } from './adapters/slack/web/people.ts'
import { type Config, secretsFromContainers } from './config/config.ts'
import type { LivePolicy } from './config/policy-file/live.ts'
import { type Check, checkOf } from './core/model/query-answer.ts'
import { say, type Words } from './core/model/words.ts'
import type { EventPorts } from './core/ports/audit.ts'
import type { Meter } from './core/ports/meter.ts'
import { keyCheck } from './core/ports/platform.ts'
import type { Clock, Services } from './core/ports/services.ts'
import { approversCheck } from './core/requests/awaited.ts'
import { createLeftToNewer } from './core/requests/claim-other.ts'
import { parsedBy } from './core/requests/in-words.ts'
import { withSealedMasked } from './core/requests/sealed-values.ts'
import { commands } from './features/command-table.ts'
import { webhookChecks } from './features/events/webhook-checks.ts'
import { lastReading } from './features/idle/watch-endpoints.ts'
import { haltChecks } from './features/safeguards/lockdown.ts'
import { priceCheck } from './features/savings/prices.ts'
import { plainEndOf } from './lifecycle/messages/end.ts'
import type { ProcessLog } from './log.ts'

export interface ProjectParts {
  readonly config: Config
  readonly project: Config['projects'][number]
  readonly policy: LivePolicy
  readonly redis: Redis
  readonly client: WebClient
  readonly home: Pick<Identity, 'team' | 'enterprise'>
  /** Makes a worker check the rules soon. */
  readonly soon: () => void
  /** Takes a request up again in this process, after so many ms. */
  readonly again: Workers['again']
  /** The clock of Redis minus ours, ms. */
  readonly skew: () => number
  readonly clock: Clock
  readonly log: ProcessLog
  readonly meter: Pick<Meter, 'happened'>
}

export function buildServices(parts: ProjectParts) {
  const { config, project, policy: live, redis, client, home, skew, clock, log, meter, soon, again } = parts
  if (project.baseUrl === undefined || project.apiKey === undefined)
    throw new Error(`Project ${project.name} has no platform address or key.`)
  const probeKey = project.signals.key?.reveal()
  const ours = secretsFromContainers(config)
  if (probeKey !== undefined && ours.includes(probeKey))
    throw new Error(
      `The metrics key of project ${project.name} is used for something else too: make a key that can only read metrics.`,
    )
  for (const { name, secret_env } of project.variables.events ?? []) {
    const secret = config.eventSecrets?.of(secret_env)?.reveal()
    if (secret !== undefined && [...ours, probeKey].includes(secret))
      throw new Error(
        `The secret of the webhook ${name} is used for something else too: make one for this webhook only.`,
      )
  }
  const tag = tagOf(config.prefix, project.name)
  const proxy = config.proxy?.reveal()
  const [keys, signer] = [keysOf(tag), signerFor(config, tag)]
  const policy = live.of(project.name)
  const store = createStore({
    redis,
    keys,
    project: project.name,
    signer,
    commands,
    clock,
    leaseMs: leaseMsFor(config.platformTimeoutMs),
    skew,
    policy,
    noted: () => anchorsIn(config.auditDir, project.name),
    log,
    meter,
  })
  const [queue, seals] = [createProducer(redis, tag, again), sealsFor(config, redis, keys, project.name)]
  const tokens = tokenSecretsFor(config, tag)
  const http = createPlatform({
    baseUrl: project.baseUrl,
    apiKey: project.apiKey.reveal(),
    timeoutMs: config.platformTimeoutMs,
    scaleField: config.scaleField,
    proxy,
    log: { warn: (fields, message) => log.warn({ project: project.name, ...fields }, message) },
    called: (facts) => meter.happened('called', { project: project.name, ...facts }),
  })
  const platform = withSealedMasked(http, seals)
  const watch = createWatch({ allowPrivate: project.signals.allowPrivate, key: probeKey, proxy })
  const webhooks = createWebhooks({ secretOf: live.secretOf(project.name), clock, proxy })
  const addressOf = addressesFrom(client)
  const linkTo = linksTo(store, addressOf)
  const events: EventPorts = {
    ...createEventTrail({ redis, keys, signer }),
    async send(webhook, type, body) {
      const sent = await webhooks.send(webhook, type, body)
      meter.happened('eventSent', { project: project.name, webhook: webhook.name, end: sent.kind })
      return sent
    },
    isReady: webhooks.isReady,
    endOf: (request) => plainEndOf(parsedBy(commands, request)),
    linkTo,
  }
  const people = createPeople({ client, home, policy, clock, log })
  const identity = { project: project.name, isShared: live.isShared(project.name) }
  const language = () => policy().language
  const notifier = createNotifier({
    delivery: createDelivery({ client, fetch: slackFetch(proxy), store }),
    operationsChannel: live.operationsChannel,
    ...identity,
    language,
    people,
    membersOf: (role) => policy().roles[role],
    tokens,
    pace: createPace(redis, keys, clock),
    claimGroup: store.claimGroup,
    linkTo,
    addressOf,
    clock,
    log,
  })
  const services: Services = {
    project: project.name,
    commands,
    policy,
    operationsChannel: live.operationsChannel,
    watch,
    reading: (endpoint) => lastReading(services, endpoint),
    soon,
    store,
    queue,
    seals,
    tokens,
    platform,
    people,
    notifier,
    announce: createAnnouncer({
      client,
      place: live.operationsChannel,
      language,
      namesOf: people.namesOf,
      of: identity,
      log,
    }),
    checks: async ({ channel }, here) => [
      ...(await slackChecks(client, channel)),
      (await keyCheck(platform))[0],
      ...(await storeChecks(redis, keys, skew(), clock.now())),
      scaleCheck(config.scaleField, await store.hint()),
      await priceCheck({ policy, store }),
      await processesCheck(redis, keys),
      tickedCheck(await createTickMark(redis, keys).ago()),
      ...(await haltChecks(services)),
      await pruneCheck(store.audit, config.auditDir, clock.now()),
      checkOf(say('check.queue'), null, say('queue.depth', { count: sumOf(await queue.depths()) })),
      await versionCheck(redis, keys),
      signingCheck(config),
      live.refusal().length > 0
        ? checkOf(say('check.policy'), say('policyFile.bad', { mistakes: live.refusal() }), '')
        : await policyCheck(redis, keys, here),
      checkOf(say('check.groups'), await unknownGroups(client, live.groups()), say('groups.known')),
      await approversCheck(services, home.team),
      ...(await webhookChecks(services, events)),
    ],
    clock,
    log,
    left: createLeftToNewer(clock, log),
  }
  const announceAudit = createAnnouncer({ client, place: live.auditChannel, language, of: identity, log })
  return {
    services,
    queue,
    events,
    anchors: createAnchors({ redis, keys, signer }, project.name, config.auditDir),
    /** Posts a checkpoint of the audit in the channel that the policy names for it. */
    witness: async (says: Words) => void (live.auditChannel() && (await announceAudit([says]))),
    strangers: strangersIn(redis, keys, signer),
    /** Null if there is no earlier key. */
    renew: (config.key?.earlier ?? []).length > 0 ? renewerOn({ redis, keys, signer }, store, clock) : null,
    /** Null if there is no directory for old entries. */
    prune: prunerOf(store.audit, clock, project.name, config.auditDir),
    close: async () => void (await Promise.all([queue.close(), http.close(), watch.stop(), webhooks.stop()])),
  }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** `asked` is the field that the platform named when it refused a scale. */
function scaleCheck(field: string, asked: string | null): Check {
  const isOther = asked !== null && asked !== field
  return checkOf(
    say('check.scale'),
    isOther ? say('scale.other', { field: asked }) : null,
    say('scale.field', { field }),
  )
}
