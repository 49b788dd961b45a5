import { afterEach, expect, test } from 'vitest'
import { audit } from '../../src/cli/audit.ts'
import { asks, presses } from '../support/ops.ts'
import { callApi, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana makes requests, ben and dora approve, and cleo is a viewer. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA]
      approver: [user:U0BEN, user:U0DORA]
    matrix: { disruptive: { active: approval } }
    approvals: { needed: 2 }
`)
const ben = { team: 'T0SANDBOX', user: 'U0BEN' }
const cleo = { team: 'T0SANDBOX', user: 'U0CLEO' }
const dora = { team: 'T0SANDBOX', user: 'U0DORA' }

type Entry = Readonly<Record<string, unknown>> & { readonly what: string }

let town: Town
afterEach(() => town.stop())

async function entries(): Promise<readonly Entry[]> {
  const lines: string[] = []
  const papers = { out: (line: string) => void lines.push(line), err: () => undefined, now: town.clock.now() }
  expect(await audit(['export'], {}, town.configFor('worker'), papers)).toBe(0)
  const [, ...links] = lines.map((line) => JSON.parse(line) as { readonly entry: Entry })
  return links.map(({ entry }) => entry)
}

test('The audit records who decided, for whom, why, and under which policy version', async () => {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  town = await startTown({ policy, env })
  const [asker, absent, standIn, other] = ['U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA'].map((id) => town.slack.as(id))
  await asks(absent!, 'away until 2d to @cleo', 'Delegated approvals')
  await asker!.types('ops', '/endpoint stop my-llm')
  await presses(standIn!, 'Approve: Stop my-llm', '1 more needed')
  await presses(standIn!, 'Approve: Stop my-llm', 'already')
  await other!.types('ops', '/endpoint decline my-llm because="the demo is on"')
  await asker!.sees('declined by @dora', { in: 'ops' })
  await asks(standIn!, 'start my-tts', 'You need the operator role')
  await town.calm()

  const all = await entries()
  const of = (what: string) => all.filter((entry) => entry.what === what)
  expect(of('approved')).toEqual([
    expect.objectContaining({ by: cleo, for: ben, detail: { say: 'history.votes', with: { count: 1, needed: 2 } } }),
  ])
  expect(of('declined')).toEqual([
    expect.objectContaining({ by: dora, detail: [{ say: 'request.unchanged' }, '“the demo is on”'] }),
  ])
  expect(of('refused answer')).toContainEqual(expect.objectContaining({ by: cleo }))
  expect(of('answered')).toEqual([])
  expect(of('refused')).toEqual([expect.objectContaining({ line: 'start my-tts' })])
  const versions = new Set(all.map((entry) => entry['policy']))
  expect([...versions]).toEqual([expect.stringMatching(/^[0-9a-f]{6,}$/)])
})

test('A program’s query leaves no audit entry unless it is refused or needs more than a viewer', async () => {
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const own = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    tokens: [user:U0ANA]
`)
  town = await startTown({ policy: own, roles: ['worker', 'bot', 'api'], env })
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  for (const line of ['list', 'status my-llm', 'explain stop my-llm', 'status nothing', 'logs my-llm'])
    await callApi(town, token, `/v1/queries?line=${encodeURIComponent(line)}`)
  await town.calm()
  const looks = (await entries()).filter(({ via }) => via === 'program')
  expect(looks.map(({ line, what }) => [line, what])).toEqual([
    ['status nothing', 'refused'],
    ['logs my-llm', 'succeeded'],
  ])
})

test('A key that Redis does not know, or a Redis that is away, is no loss of entries', async () => {
  town = await startTown({ env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  await asks(town.slack.as('U0ANA'), 'protect my-llm', 'Protected my-llm')
  const config = town.configFor('worker')
  const verified = async (settings: typeof config) => {
    const said: string[] = []
    const papers = { out: (line: string) => void said.push(line), err: (line: string) => void said.push(line), now: 0 }
    return [await audit(['verify'], {}, settings, papers), said.join('\n')] as const
  }
  const [code, says] = await verified({ ...config, key: undefined })
  expect(code).toBe(1)
  expect(says).toContain('was signed with a LAMPLIGHTER_KEY, and none is set')
  const away = await verified({
    ...config,
    redisUrl: { reveal: () => 'redis://127.0.0.1:1' } as typeof config.redisUrl,
  })
  expect(away).toEqual([3, expect.stringContaining('Redis cannot be reached')])
})
