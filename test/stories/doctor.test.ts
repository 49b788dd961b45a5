import { execFile } from 'node:child_process'
import { Redis } from 'ioredis'
import { expect, inject, test } from 'vitest'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { diagnose } from '../../src/cli/doctor.ts'
import { buildProduct } from '../support/child.ts'
import { townDuring } from '../support/during.ts'
import { asks } from '../support/ops.ts'
import { startNode } from '../support/replicas.ts'
import type { Town } from '../support/town.ts'

test('doctor names missing scopes and what doesn’t work without them', async (context) => {
  const { slack } = await townDuring(context, {
    slack: { scopes: ['chat:write', 'commands', 'users:read', 'channels:read'] },
  })
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint doctor')
  // What is wrong comes first.
  const said = JSON.stringify(await ana.sees(/^[^✅]*❌ Slack scopes\s.*✅/s, { in: 'ops' }))
  expect(said).toContain('usergroups:read (the policy’s user groups count as empty)')
  expect(said).not.toContain('users:read (')
})

test('doctor says why the changed policy file was not applied', async (context) => {
  const town = await townDuring(context)
  const { slack } = town
  await town.rules('projects: 5')
  const ana = slack.as('U0ANA')
  await ana.sees('isn’t valid, so the previous one still applies', { in: 'ops' })
  await ana.types('ops', '/endpoint doctor')
  const said = JSON.stringify(await ana.sees(/❌ Policy file\s/, { in: 'ops' }))
  expect(said).toMatch(/The file has mistakes, so the previous one still applies\. .*lamplighter\.yaml:1 /)
})

/** A town at the machine's time, for a doctor whose clock nobody moves. */
const now = () => ({ at: new Date().toISOString(), env: { LAMPLIGHTER_CLOCK_FILE: '' } })

/** Returns what `npm start -- doctor` does in a process of its own: its exit code and output. */
async function doctorRun(town: Town, env: Record<string, string> = {}): Promise<readonly [number, string]> {
  await buildProduct()
  const options = { env: { PATH: process.env['PATH'] ?? '', ...town.env, ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/main.js', 'doctor'], options, (error, out, err) =>
      resolve([error === null ? 0 : Number(error.code), out + err]),
    )
  })
}

/** Returns the same without starting a process. */
async function diagnosed(town: Town, env: Record<string, string> = {}): Promise<readonly [number, string]> {
  const said: string[] = []
  const isWell = await diagnose(town.configFor('doctor', env), (line) => void said.push(line))
  return [isWell ? 0 : 1, said.join('\n')]
}

test('doctor in a terminal gives the same answer and an exit code, before the first start and without Redis', async (context) => {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const { at, env: real } = now()
  const town = await townDuring(context, { roles: [], at, env: { ...real, ...env } })
  const [, before] = await diagnosed(town, { LAMPLIGHTER_KEY: '' })
  expect(before).toContain('set LAMPLIGHTER_KEY')
  expect(before).toMatch(/^· Redis holds no data of this project/m)
  expect(before).not.toMatch(/Processes:|Schedules:/)
  // That run has signed nothing, so the key that it asks for is accepted.
  const parts = [await town.begin('worker'), await town.begin('bot')]
  const [well, all] = await doctorRun(town)
  expect(all).toContain('✓ Secret values: The encryption key is set.')
  expect(all).toContain('✓ Slack scopes: All scopes of the manifest are granted.')
  expect(all).toContain('✓ Operations channel: I’m in this channel.')
  expect(all).not.toMatch(/✗|no data of this project/)
  expect(well).toBe(0)
  const earlier = (key: string) => diagnosed(town, { LAMPLIGHTER_KEY: `${env.LAMPLIGHTER_KEY},${key}` })
  expect((await earlier(Buffer.alloc(32, 9).toString('base64')))[1]).toContain('An earlier key is still accepted')
  expect(await earlier('none')).toEqual([1, expect.stringMatching(/^✗ Secret values: .*Anyone who can write/m)])
  const token = { SLACK_APP_TOKEN: 'xapp-other' }
  expect(await doctorRun(town, token)).toEqual([1, expect.stringMatching(/^✗ Slack: Slack doesn’t accept this app/m)])
  const other = { PLATFORM_API_KEY: 'sk-unknown' }
  expect(await diagnosed(town, other)).toEqual([1, expect.stringMatching(/^✗ API key: /m)])
  const elsewhere = { PLATFORM_BASE_URL: `${town.env['PLATFORM_BASE_URL']}/v7` }
  expect(await diagnosed(town, elsewhere)).toEqual([
    1,
    expect.stringMatching(/^✗ API key: .*end with \/external\/api/m),
  ])
  const file = { LAMPLIGHTER_CONFIG: '' }
  expect(await doctorRun(town, file)).toEqual([1, expect.stringMatching(/^✗ Policy file: .* the file here is /m)])
  for (const part of parts) await part.stop()
  expect((await diagnosed(town))[1]).toMatch(/^✗ Processes: No worker is running[\s\S]*No bot is running/m)
  const [lost, says] = await doctorRun(town, { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' })
  expect(says).toMatch(/^✗ Redis: Redis cannot be reached/m)
  expect(says).not.toContain('hunter2')
  expect(lost).toBe(1)
})

test('doctor in a terminal shows a lockdown although Redis is not append-only and Slack refuses the token', async (context) => {
  const node = await startNode()
  if (node === null) return context.skip('there is no real Redis on this machine')
  context.onTestFinished(() => node.stop())
  const town = await townDuring(context, { redisUrl: node.server.url, ...now() })
  const ben = town.slack.as('U0BEN')
  await asks(ben, 'protect my-llm because="customers"', 'Protected my-llm')
  await node.redis.del(keysOf(tagOf(town.prefix, 'default')).root)
  await asks(ben, 'protect my-tts because="customers"', 'All changes in project default are blocked')
  await node.redis.config('SET', 'appendonly', 'no')
  const [code, says] = await diagnosed(town, { LAMPLIGHTER_REDIS_MAY_FORGET: 'no', SLACK_BOT_TOKEN: 'xoxb-other' })
  expect(code).toBe(1)
  expect(says.match(/^.*(Slack|channel|group|approver).*/gim)).toEqual([
    expect.stringMatching(/^✗ Slack: Slack does not/),
  ])
  expect(says).toMatch(/^✗ Redis: It isn’t append-only/m)
  expect(says).toMatch(/^✗ Lockdown: All changes are blocked/m)
})

test('doctor in a terminal shows what no process has found yet', async (context) => {
  const town = await townDuring(context, { roles: [], ...now() })
  const parts = [await town.begin('worker'), await town.begin('bot')]
  await asks(town.slack.as('U0BEN'), 'protect my-llm because="customers"', 'Protected my-llm')
  for (const part of parts) await part.stop()
  const redis = new Redis(inject('redisUrl'))
  context.onTestFinished(() => redis.disconnect())
  await redis.del(keysOf(tagOf(town.prefix, 'default')).records)
  const [code, says] = await diagnosed(town)
  expect(code).toBe(1)
  expect(says).toMatch(/^✗ Lockdown: In Redis, protections, pauses, delegations or schedules are missing/m)
  expect(says).toMatch(/^✓ Storage: /m)
})

test('A nearly full Redis answers no query but doctor, warns people and allows changes', async (context) => {
  const node = await startNode()
  if (node === null) return context.skip('there is no real Redis on this machine')
  context.onTestFinished(() => node.stop())
  await node.redis.setrange('ballast', 100_000_000, 'x')
  await node.redis.config('SET', 'maxmemory', '115000000')
  const town = await townDuring(context, { redisUrl: node.server.url, ...now() })
  const ana = town.slack.as('U0ANA')
  await ana.sees(/^Redis is nearly full: \d\d% of its maxmemory is in use\./, { in: 'ops' })
  expect(await ana.types('ops', '/endpoint list')).toMatch(/^My storage is nearly full/)
  expect(await ana.types('ops', '/endpoint doctor')).toBe('')
  await ana.sees(/❌ Memory\s+\d\d% of maxmemory is in use\. Raise maxmemory/, { in: 'ops' })
  expect(await ana.types('ops', '/endpoint start my-tts')).toBe('')
  await ana.sees('Started my-tts', { in: 'ops' })
  await node.redis.config('SET', 'maxmemory', '1')
  expect(await diagnosed(town, { REDIS_URL: node.server.url })).toEqual([
    1,
    expect.stringMatching(/My storage is full/),
  ])
})
