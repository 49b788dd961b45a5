import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, type TestContext, test } from 'vitest'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { signerFor } from '../../src/adapters/redis/integrity/sign.ts'
import { createStore } from '../../src/adapters/redis/requests/store.ts'
import { isEnded, type Request } from '../../src/core/model/request.ts'
import { commands } from '../../src/features/command-table.ts'
import { createLog } from '../../src/log.ts'
import { type Built, buildBefore } from '../support/before.ts'
import { buildProduct, type Child, startChild } from '../support/child.ts'
import { asks } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/*
 * Upgrades a fleet from the last version with an older request format to this one, rolls it back and upgrades it
 * again, while requests are open. Every version runs from its own bundles on one Redis.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
let before: Built | string

beforeAll(async () => {
  await buildProduct()
  before = await buildBefore()
})
afterAll(async () => {
  if (typeof before !== 'string') await before.remove()
})

const key = Buffer.alloc(32, 7)
/** Stops need a confirmation; those of endpoints called asks-* need an approval. */
const policy = policyOf(`
    endpoints:
      - { match: ["asks-*"], matrix: { disruptive: { active: approval } } }
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
      admin: [user:U0BEN]
`)
/** Only the newer version knows these parts of the policy. */
const programs = `    tokens: [user:U0ANA]
    workflows: [user:U0ANA]
`
const ways = ['waits', 'asks', 'runs', 'naps'] as const
/** The version that a round's requests are made to (`both`: while both run), and how long its naps last. */
const rounds = { old: '30m', both: '2h', new: '2h' } as const
type Round = keyof typeof rounds
const all = Object.keys(rounds) as readonly Round[]

async function begin({ onTestFinished }: TestContext): Promise<Town> {
  const town = await startTown({
    roles: [],
    policy,
    endpoints: ways.flatMap((way) =>
      all.map((round) => ({
        id: `ep-${way}-${round}`,
        name: `${way}-${round}`,
        active: way === 'waits' || way === 'asks',
        replicas: 1,
      })),
    ),
    platform: { startDelayMs: 120_000 },
    env: { LAMPLIGHTER_KEY: key.toString('base64') },
  })
  onTestFinished(() => town.stop())
  return town
}

interface Fleet {
  /** Stops with SIGTERM, as a deployment does. */
  stop(): Promise<void>
  log(): string
}

async function fleet({ onTestFinished }: TestContext, town: Town, from: string): Promise<Fleet> {
  const parts: readonly Child[] = await Promise.all(
    (['worker', 'bot'] as const).map(async (role) => {
      const child = await startChild(town, role, {}, from)
      onTestFinished(() => child.stop())
      return child
    }),
  )
  return {
    async stop() {
      for (const part of parts) part.signal('SIGTERM')
      expect(await Promise.all(parts.map(({ gone }) => gone))).toEqual([0, 0])
    },
    log: () => parts.map((part) => part.log()).join(''),
  }
}

/** Makes one request of each kind that stays open: a confirmation, an approval, a start, and a start for a while. */
async function ask({ slack }: Town, round: Round): Promise<void> {
  const ana = slack.as('U0ANA')
  for (const line of [
    `stop waits-${round}`,
    `stop asks-${round}`,
    `start runs-${round}`,
    `start naps-${round} for ${rounds[round]}`,
  ])
    await ana.types('ops', `/endpoint ${line}`)
  await ana.sees(`[Stop waits-${round}]`, { in: 'ops' })
  await ana.sees(`Stop asks-${round}]`, { in: 'ops' })
  await ana.sees(`Starting runs-${round}`, { in: 'ops' })
  await ana.sees(`Starting naps-${round}`, { in: 'ops' })
}

/** Answers the questions. All requests but the nap end. */
async function answer(town: Town, round: Round): Promise<void> {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await ana.presses(`Stop waits-${round}`, { in: 'ops' })
  // The label depends on the version that drew the button.
  const asked = JSON.stringify(await ben.sees(`Stop asks-${round}]`, { in: 'ops' }))
  const approves = asked.includes('Approve: ') ? 'Approve: ' : ''
  await ben.presses(`${approves}Stop asks-${round}`, { in: 'ops' })
  for (const end of [
    `Stopped waits-${round}.`,
    `Stopped asks-${round}.`,
    `Started runs-${round}`,
    new RegExp(`✅ (naps-${round} is running until|Started naps-${round})`),
  ])
    await timePassesUntil(town, ana.sees(end, { in: 'ops' }))
}

/** Lets the naps end, each after its warning. */
async function sleep(town: Town, minutes: number, ...these: readonly Round[]): Promise<void> {
  await town.minutesPass(minutes)
  const ana = town.slack.as('U0ANA')
  for (const round of these) await timePassesUntil(town, ana.sees(`Stopped naps-${round}`, { in: 'ops' }), 0.25)
}

/**
 * The older version logs a cut socket as an error, and so it does a newer request that one of its rules made. Slack's
 * client logs each address for a socket that comes too late on a busy machine, or as its process ends, and asks again.
 */
const isExpected =
  /"msg":"(WebSocket |Failed to retrieve a new WSS URL .*aborted)|"type":"Newer".*"msg":"the rules of an endpoint could not be followed"/

/** Whether the last accepted request was left to newer processes because this one can't read all records or entries. */
function isLeft(log: string): boolean {
  const id = log.match(/(?<="request":")[\w-]+(?=".*"msg":"accepted")/g)?.at(-1)
  const lines = log.split('\n').filter((line) => id !== undefined && line.includes(id))
  return lines.some((line) => /Among the records are some that this process does not know|was left to it/.test(line))
}

/** The effective starts and stops of a round, sorted. */
function effectsAt({ platform }: Town, round: string): readonly string[] {
  return platform
    .changes()
    .flatMap(({ kind, effective, endpointId }) =>
      effective && endpointId.endsWith(`-${round}`) ? [`${kind} ${endpointId}`] : [],
    )
    .toSorted()
}

test('Open requests end once while a fleet is upgraded, rolled back and upgraded again', async (context) => {
  if (typeof before === 'string') {
    console.log(`Skipped: ${before}`)
    return context.skip(before)
  }
  const { folder } = before
  const town = await begin(context)
  const redis = new Redis(inject('redisUrl'))
  context.onTestFinished(() => redis.disconnect())

  const old = await fleet(context, town, folder)
  await town.slack.sockets.connected()
  await ask(town, 'old')
  const next = await fleet(context, town, root)
  await ask(town, 'both')
  await old.stop()
  await answer(town, 'old')
  await answer(town, 'both')
  await sleep(town, 15, 'old')
  await ask(town, 'new')
  await town.rules(policy + programs)
  await expect.poll(() => next.log().match(/applied the changed policy file/g)).toHaveLength(2)
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'token new ci', 'Created the token “ci”')
  await town.rules(policy)
  const again = await fleet(context, town, folder)
  await next.stop()
  // The older version can't read the newer one's requests, so it leaves them and says so.
  await town.minutesPass(2)
  expect(effectsAt(town, 'new').filter((effect) => effect.startsWith('stop'))).toEqual([])
  await expect.poll(() => again.log()).toMatch(/A request has format \d+, and this process reads formats up to \d+\./)
  // A token is among the records, so the older version decides nothing.
  await ana.types('ops', '/endpoint stop runs-old')
  await expect.poll(() => isLeft(again.log())).toBe(true)
  expect(effectsAt(town, 'old')).not.toContain('stop ep-runs-old')
  const last = await fleet(context, town, root)
  await again.stop()
  await answer(town, 'new')
  await ana.presses('Stop runs-old', { in: 'ops' })
  await timePassesUntil(town, ana.sees('Stopped runs-old.', { in: 'ops' }))
  await sleep(town, 80, 'both', 'new')

  for (const round of all)
    expect(effectsAt(town, round)).toEqual([
      `start ep-naps-${round}`,
      `start ep-runs-${round}`,
      `stop ep-asks-${round}`,
      `stop ep-naps-${round}`,
      ...(round === 'old' ? ['stop ep-runs-old'] : []),
      `stop ep-waits-${round}`,
    ])
  const tag = tagOf(town.prefix, 'default')
  const keys = keysOf(tag)
  const signer = signerFor({ key: { current: { reveal: () => key }, earlier: [] } }, tag)
  const store = createStore({
    commands,
    redis,
    keys,
    project: 'default',
    signer,
    clock: town.clock,
    leaseMs: 1_000,
    skew: () => 0,
    log: createLog({ level: 'silent' }),
  })
  const ids = (await redis.keys(`${tag}:request:*`)).map((one) => one.slice(`${tag}:request:`.length))
  const requests = (await Promise.all(ids.map((id) => store.load(id)))).filter((one): one is Request => one !== null)
  const operations = requests.filter(({ kind }) => kind === 'operation')
  expect(
    operations.map(({ line, status }) => `${line}: ${status}`).filter((text) => !text.endsWith(': succeeded')),
  ).toEqual([])
  expect(operations.every(({ status }) => isEnded(status))).toBe(true)
  // Six operations per round, because a nap has its own start and stop; plus the token and the stop that was left.
  expect(operations).toHaveLength(6 * all.length + 2)
  expect([...(await store.records()).keys()]).not.toContain('lockdown')
  expect(await store.audit.verify([])).toMatchObject({ well: true })
  const errors = [old, next, again, last].flatMap((one) =>
    one
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"error"') && !isExpected.test(line)),
  )
  expect(errors, errors.join('\n')).toEqual([])
})
