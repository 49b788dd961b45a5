import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { buildPrograms, type Programs } from './build.ts'
import { freePort } from './machine.ts'
import { type Assistant, type Program, startAssistant, startProgram } from './program.ts'
import type { World } from './world.ts'

/** The environment of the measured programs, the same for each of them. */
export interface Setting {
  readonly programs: Programs
  readonly where: World
  readonly redisUrl: string
  /** Lets everyone request. */
  readonly policyFile: string
  readonly redisNote: string
  /** Sends commands as fast as they are acknowledged. */
  readonly load: Assistant
  /** Runs Slack and the platform. Also sends single commands and waits for their ends. */
  readonly world: Assistant
  /** Starts a program with all settings. `prefix` separates the records of the parts of the bench. */
  start(command: readonly string[], prefix: string, place?: 'beside'): Promise<Running>
  stop(): Promise<void>
}

export interface Running extends Program {
  readonly port: number
}

const policy = `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [everyone]
`

/** Returns what every measured program is told. `prefix` separates the records of the parts of the bench. */
export function environmentOf(
  where: World,
  { redisUrl, policyFile }: Pick<Setting, 'redisUrl' | 'policyFile'>,
  prefix: string,
): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'production',
    SLACK_BOT_TOKEN: where.botToken,
    SLACK_SIGNING_SECRET: where.signingSecret,
    SLACK_API_URL: where.slackUrl,
    PLATFORM_BASE_URL: where.platformUrl,
    PLATFORM_API_KEY: where.apiKey,
    REDIS_URL: redisUrl,
    LAMPLIGHTER_PREFIX: prefix,
    LAMPLIGHTER_CONFIG: policyFile,
    // High enough that no command is refused, while all are still counted.
    LAMPLIGHTER_LIMIT_PER_MINUTE: '100000',
  }
}

export async function createSetting(): Promise<Setting> {
  const programs = await buildPrograms()
  const directory = await mkdtemp(join(tmpdir(), 'lamplighter-bench-'))
  const policyFile = join(directory, 'lamplighter.yaml')
  await writeFile(policyFile, policy)
  const redis = await startRedis({ own: true })
  if (redis.server === null)
    throw new Error(`The bench needs a real Redis: ${redis.note}. Install redis-server, then start again.`)
  const [world, load] = await Promise.all([startAssistant(programs.world), startAssistant(programs.load)])
  const where = await world.ask<World>({})

  const started: Program[] = []

  async function start(command: readonly string[], prefix: string, place?: 'beside'): Promise<Running> {
    const port = await freePort()
    const env = {
      ...environmentOf(where, { redisUrl: redis.url, policyFile }, prefix),
      PORT: String(port),
      ...(command.includes('api') && { LAMPLIGHTER_API_PORT: '0' }),
    }
    const program = await startProgram(command, env, place)
    started.push(program)
    return { ...program, port }
  }

  async function stop(): Promise<void> {
    await Promise.all(started.map((program) => program.stop()))
    // Redis does not keep this process alive while it stops, but the assistants do.
    await redis.stop()
    await Promise.all([world.stop(), load.stop()])
    await rm(directory, { recursive: true, force: true })
  }

  return { programs, where, redisUrl: redis.url, redisNote: redis.note, policyFile, load, world, start, stop }
}
