import { afterEach, expect, test } from 'vitest'
import { callsOf } from '../support/ends.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

const people = [
  { id: 'U0ANA', name: 'ana' },
  { id: 'U0CLEO', name: 'cleo' },
  { id: 'U0GUS', name: 'gus', guest: 'single' },
  { id: 'U0SAM', name: 'sam', stranger: true, teamId: 'T0OTHER' },
] as const
const policy = `
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [user:U0ANA]
`

test('whoami tells people why they have no role, and nothing about the project', async () => {
  const channels = [{ id: 'C0SHARED', name: 'shared', extShared: true, members: people.map(({ id }) => id) }]
  town = await startTown({ policy, slack: { people: [...people], channels } })
  for (const [user, why] of [
    ['U0CLEO', /don’t have a role here yet\. An admin can add user:U0CLEO under roles/],
    ['U0GUS', /Guests can only view.*viewer: user:U0GUS/],
    ['U0SAM', /aren’t a member of this workspace\. Only members get a role; ask one of them/],
  ] as const) {
    const person = town.slack.as(user)
    await person.types('shared', '/endpoint whoami')
    const told = await person.sees(/^You don’t have a role here/, { in: 'shared' })
    expect(told.text).toMatch(why)
    expect(JSON.stringify(told)).not.toMatch(/default|organization|Post to channel/)
  }
  expect(callsOf(town, 'getMe')).toEqual([])
})
