import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callApi, tokenOf } from '../support/programs.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana operates, ben approves; both may make tokens, and cleo as well, who only looks. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      approver: [user:U0BEN]
    tokens: [user:U0ANA, user:U0BEN, user:U0CLEO]
`)

let town: Town
beforeEach(async () => {
  const LAMPLIGHTER_KEY = randomBytes(32).toString('base64')
  town = await startTown({ policy, roles: ['worker', 'bot', 'api'], env: { LAMPLIGHTER_KEY } })
})
afterEach(() => town.stop())

interface Row {
  readonly text: string
  readonly detail?: string
  readonly lines?: readonly string[]
}
interface Looked {
  readonly title: string
  readonly items: readonly Row[]
  readonly block?: readonly string[]
  readonly foot?: string
}

/** What a query is answered with, in English. */
async function look(token: string, line: string): Promise<Looked> {
  const { body } = await callApi(town, token, `/v1/queries?line=${encodeURIComponent(line)}`)
  return (body['answer'] as { en: Looked } | undefined)?.en ?? { title: JSON.stringify(body), items: [] }
}

test('help has every command that the program may use, with usage, effect, role and examples', async () => {
  const [mine, viewer] = [
    await tokenOf(town, 'U0BEN', 'token new agent'),
    await tokenOf(town, 'U0CLEO', 'token new dashboard'),
  ]
  const { items } = await look(mine, 'help')
  const verbs = items.map(({ text }) => text.split(' ')[0])
  expect(verbs).toEqual(expect.arrayContaining(['list', 'stop', 'scale', 'explain', 'help']))
  expect(verbs).not.toEqual(expect.arrayContaining(['approve']))
  for (const verb of 'approve decline break-glass undo away back thaw token'.split(' '))
    expect(verbs).not.toContain(verb)
  const stop = await look(mine, '/endpoint help stop')
  expect(stop.items).toMatchObject([
    { text: expect.stringMatching(/^stop <endpoint> /), detail: expect.stringMatching(/operators.*stop my-llm/) },
  ])
  expect(stop.items[0]?.lines).toContain('stop my-llm')
  expect((await look(viewer, 'help')).items.map(({ text }) => text)).not.toContainEqual(expect.stringMatching(/^stop/))
  expect((await look(mine, 'help approve')).title).toMatch(/Only people can use approve/)
})

test('a line may be copied with its /endpoint', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  expect((await look(token, '/endpoint list')).items.map(({ text }) => text)).toContain('my-llm')
  expect((await look(token, 'explain /endpoint stop my-llm')).title).toBe('stop my-llm')
})

test('long logs are in the answer, and nothing is sent to the person', async () => {
  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  for (let n = 1; n <= 300; n += 1) town.platform.log('ep-llm', `step ${n} of a long training run`)
  const { block = [], foot } = await look(token, 'logs my-llm lines=200')
  // Of three replicas, each below its name.
  expect(block).toHaveLength(3 * 201)
  expect(block.at(-1)).toContain('step 300 of')
  expect(foot).not.toContain('DM')
  await town.calm()
  expect([...town.slack.workspace.files.values()]).toEqual([])
})

test('what only people can use is not offered, and an approver’s token is an operator', async () => {
  const token = await tokenOf(town, 'U0BEN', 'token new agent')
  const ben = town.slack.as('U0BEN')
  await ben.types('ops', '/endpoint stop my-llm')
  await ben.presses('Stop my-llm', { in: 'ops' })
  await ben.sees('Stopped my-llm', { in: 'ops' })
  for (const line of ['history', 'tokens', 'whoami']) {
    const shown = JSON.stringify(await look(token, line))
    expect(shown).not.toMatch(/undo |token revoke/)
  }
  expect((await look(token, 'whoami')).title).toMatch(/^This program can .* in the name of @U0BEN, as an operator/)
})
