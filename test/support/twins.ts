import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { startPlatform } from '../../sandbox/platform/start.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'
import { startTown, storyStart, type Town, type TownOptions } from './town.ts'

/*
 * One bot and one worker with two projects. Each has its own platform, key and channel, and an endpoint of the same
 * name. #ops belongs to neither; both post there what has no other channel.
 */

export const projects = ['search', 'speech'] as const
type Project = (typeof projects)[number]

/** Search: ana and dora operate, ben is admin. Speech: ana and ben operate, cleo is admin; a stop needs approval. */
export const twinPolicy = `
operations_channel: C0OPS
projects:
  - name: search
    base_url_env: SEARCH_URL
    api_key_env: SEARCH_KEY
    channels: [C0SEARCH]
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, group:S0OPS]
      approver: [user:U0BEN]
      admin: [user:U0BEN]
  - name: speech
    base_url_env: SPEECH_URL
    api_key_env: SPEECH_KEY
    channels: [C0SPEECH]
    matrix:
      disruptive: { active: approval }
    roles:
      viewer: [user:U0ANA]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0CLEO]
      admin: [user:U0CLEO]
`

export interface Twins {
  readonly town: Town
  readonly platforms: Readonly<Record<Project, PlatformSandbox>>
  /** The key of each project, which the other project must never see. */
  readonly keys: Readonly<Record<Project, string>>
  readonly redis: Redis
  /** Resolves when the rules of both have been checked since the call and no request has anything left to do. */
  rest(): Promise<void>
  stop(): Promise<void>
}

export async function startTwins(options: TownOptions = {}): Promise<Twins> {
  const keys = { search: `search-${randomUUID()}`, speech: `speech-${randomUUID()}` }
  let town: Town | undefined
  const clock = { now: () => town?.clock.now() ?? storyStart }
  const platformOf = (project: Project): Promise<PlatformSandbox> =>
    startPlatform({
      clock,
      keys: [{ key: keys[project], id: `the key of ${project}` }],
      endpoints: [
        { id: `ep-${project}-llm`, name: 'my-llm', active: true, replicas: 2 },
        { id: `ep-${project}-tts`, name: `${project}-tts`, active: false },
      ],
    })
  const [search, speech] = await Promise.all(projects.map(platformOf))
  if (search === undefined || speech === undefined) throw new Error('There are two platforms.')
  const members = ['U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA']
  const begun = await startTown({
    projects,
    policy: twinPolicy,
    slack: {
      shortcuts: [{ callbackId: 'lamplighter', name: 'Ask Lamplighter' }],
      channels: [
        { id: 'C0SEARCH', name: 'search', members },
        { id: 'C0SPEECH', name: 'speech', members },
        { id: 'C0OPS', name: 'ops', members },
      ],
    },
    ...options,
    env: {
      SEARCH_URL: search.url,
      SEARCH_KEY: keys.search,
      LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      SPEECH_URL: speech.url,
      SPEECH_KEY: keys.speech,
      ...options.env,
    },
  })
  town = begun
  const redis = new Redis(inject('redisUrl'))

  async function looked(): Promise<void> {
    const marks = projects.map((project) => `{${begun.prefix}:${project}}:pursuits:ticked`)
    for (const mark of marks) await redis.del(mark)
    await begun.minutesPass(0)
    await begun.looked()
    while ((await Promise.all(marks.map((mark) => redis.exists(mark)))).includes(0)) await wait(20)
  }

  return {
    town: begun,
    platforms: { search, speech },
    keys,
    redis,
    async rest() {
      // The second check sees what became of the first one's requests.
      for (let look = 0; look < 2; look++) {
        await looked()
        await begun.calm()
      }
    },
    async stop() {
      redis.disconnect()
      await begun.stop()
      await Promise.all([search.stop(), speech.stop()])
    },
  }
}
