import { expect, type TestContext, test } from 'vitest'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

async function begin({ onTestFinished }: TestContext, options: TownOptions = {}): Promise<Town> {
  const town = await startTown(options)
  onTestFinished(() => town.stop())
  return town
}

test('doctor says that every scope of the manifest is granted', async (context) => {
  const { slack } = await begin(context)
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint doctor')
  await ana.sees(/Well: Slack scopes\s+All that the manifest asks for are granted\./, { in: 'ops' })
})

test('doctor says which scopes are missing, and what does not work without them', async (context) => {
  const { slack } = await begin(context, {
    slack: { scopes: ['chat:write', 'commands', 'users:read', 'channels:read'] },
  })
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint doctor')
  const said = JSON.stringify(await ana.sees(/Care: Slack scopes\s/, { in: 'ops' }))
  expect(said).toContain('usergroups:read (user groups of the policy count as empty)')
  expect(said).not.toContain('users:read (')
})
