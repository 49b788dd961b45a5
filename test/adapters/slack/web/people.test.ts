import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PersonOption, SlackOptions } from '../../../../sandbox/slack/options.ts'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { createPeople, type PolicyMembers } from '../../../../src/adapters/slack/web/people.ts'
import { usualApprovalSettings } from '../../../../src/core/model/policy.ts'
import type { Person, Roles } from '../../../../src/core/model/roles.ts'
import type { Log, People } from '../../../../src/core/ports/services.ts'
import { approversCheck } from '../../../../src/core/requests/awaited.ts'
import { policyWith } from '../../../support/memory/cast.ts'
import { inEnglish } from '../../../support/words.ts'
import { clientOf } from '../sandboxed.ts'

const team = 'T0SANDBOX'

const usual: Roles = {
  viewer: [{ kind: 'everyone' }],
  operator: [
    { kind: 'group', id: 'S0OPS' },
    { kind: 'group', id: 'S0OLD' },
    { kind: 'channel', id: 'C0OPS' },
  ],
  approver: [
    { kind: 'group', id: 'S0OPS' },
    { kind: 'group', id: 'S0NONE' },
    { kind: 'channel', id: 'G0OPS' },
  ],
  admin: [{ kind: 'channel', id: 'G0SHARED' }],
}

function policyOf(more: Partial<PolicyMembers> = {}): PolicyMembers {
  return { roles: usual, asking: usualApprovalSettings, overrides: [], tokens: [], workflows: [], ...more }
}

let policy: PolicyMembers
let slack: SlackSandbox
let people: People
let now: number
let logged: string[]

async function open(options: SlackOptions = {}): Promise<void> {
  now = 1_800_000_000_000
  logged = []
  policy = policyOf()
  slack = await startSlack({
    channels: [
      { id: 'C0OPS', name: 'ops' },
      { id: 'G0OPS', name: 'secret-ops', private: true, members: ['U0ANA', 'U0BEN'] },
      { id: 'G0SHARED', name: 'shared-ops', private: true, extShared: true },
      { id: 'C0OTHER', name: 'other' },
    ],
    usergroups: [
      { id: 'S0OPS', handle: 'ops', users: ['U0ANA', 'U0BEN'] },
      { id: 'S0OLD', handle: 'old', users: ['U0CLEO'], disabled: true },
      { id: 'S0OTHER', handle: 'other', users: ['U0CLEO'] },
    ],
    ...options,
  })
  const keep = (_: object, message: string): void => void logged.push(message)
  const log: Log = { info: keep, warn: keep, error: keep }
  people = createPeople({
    // Dozens of simultaneous calls take long on a busy machine.
    client: clientOf(slack, 30_000),
    home: { team, ...(options.enterprise && { enterprise: options.enterprise.id }) },
    policy: () => policy,
    clock: { now: () => now, monotonic: () => now },
    log,
  })
}

beforeEach(() => open())
afterEach(() => slack.stop())

async function who(user: string, from = team): Promise<Person | null> {
  return people.who({ team: from, user })
}

describe('A person', () => {
  test.each(['tokens', 'workflows'])('also has the groups that only the policy’s %s name', async (list) => {
    policy = policyOf({ [list]: [{ kind: 'group', id: 'S0OTHER' }] })
    expect((await who('U0CLEO'))?.groups).toEqual(new Set(['S0OTHER']))
  })

  test('is a full member, with the groups of the policy that they are in', async () => {
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', membership: 'full', groups: new Set(['S0OPS']) })
    expect(await who('U0CLEO')).toEqual({ user: 'U0CLEO', membership: 'full', groups: new Set() })
  })

  // Every combination of flags with which Slack may describe a person.
  const flags = [false, true]
  const everybody = flags.flatMap((deleted) =>
    flags.flatMap((bot) =>
      flags.flatMap((stranger) =>
        [undefined, 'multi', 'single'].flatMap((guest) =>
          [team, 'T0FAR'].map((teamId) => ({ deleted, bot, stranger, guest, teamId })),
        ),
      ),
    ),
  )
  const cast = everybody.map(
    ({ guest, ...facts }, at): PersonOption => ({
      id: `U${at}`,
      name: `somebody-${at}`,
      ...facts,
      ...((guest === 'multi' || guest === 'single') && { guest }),
    }),
  )

  test('belongs to this workspace only if every flag says so, and is a guest only if Slack says so', async () => {
    await slack.stop()
    await open({ people: cast })
    const found = await Promise.all(cast.map(async ({ id }) => (await who(id))?.membership))
    expect(found).toEqual(
      cast.map(({ deleted, bot, stranger, guest, teamId }) =>
        deleted || bot || stranger || teamId !== team ? 'outside' : guest === undefined ? 'full' : 'guest',
      ),
    )
    expect(found.filter((membership) => membership === 'full')).toHaveLength(1)
    expect(found.filter((membership) => membership === 'guest')).toHaveLength(2)
  })

  test('who acts from another workspace is outside, whatever their id means here', async () => {
    for (const from of ['T0FAR', '', 'E0GRID'])
      expect(await who('U0ANA', from)).toEqual({ user: 'U0ANA', membership: 'outside', groups: new Set() })
    expect(slack.calls()).toEqual([])
  })

  test.each(['user_not_found', 'user_not_visible', 'users_not_found'])(
    'is outside if Slack says %s, without a warning',
    async (error) => {
      slack.fault('users.info', { kind: 'error', error })
      expect(await who('U0NOSUCH')).toMatchObject({ membership: 'outside' })
      expect(logged).toEqual([])
      const from = [{ kind: 'user', id: 'U0NOSUCH' }] as const
      const asks = { people, policy: () => policyWith({ stop: 'approval', asking: { from } }) }
      const { well, says } = await approversCheck(asks, team)
      expect(inEnglish({ well, says })).toEqual({
        well: false,
        says: [
          expect.stringMatching(/^U0NOSUCH can’t approve: approvers must be active full members of this workspace\./),
        ],
      })
    },
  )

  test('is unknown while Slack is down or fails', async () => {
    slack.fault('users.info', { kind: 'error', error: 'internal_error' }, 1)
    expect(await who('U0ANA')).toBeNull()
    slack.down()
    expect(await who('U0ANA')).toBeNull()
    expect(logged.filter((line) => line === 'could not look up a person')).toHaveLength(2)
  })
})

describe('On an Enterprise Grid', () => {
  const enterprise = { id: 'E0GRID', name: 'Grid' }
  const both = ['T0SANDBOX', 'T0SECOND']

  beforeEach(async () => {
    await slack.stop()
    await open({
      enterprise,
      people: [
        { id: 'U0ANA', name: 'ana', teams: both },
        { id: 'U0BEN', name: 'ben', teamId: 'T0SECOND', teams: ['T0SECOND'] },
        { id: 'U0GUS', name: 'gus', teams: both, guest: 'single' },
        { id: 'U0FAR', name: 'far', teamId: 'T0FAR', stranger: true },
      ],
    })
  })

  test.each([
    ['U0ANA', 'T0SANDBOX', 'full'],
    ['U0ANA', 'T0SECOND', 'full'],
    ['U0ANA', 'E0GRID', 'full'],
    ['U0ANA', 'T0FAR', 'outside'],
    ['U0BEN', 'T0SECOND', 'full'],
    ['U0GUS', 'T0SECOND', 'guest'],
    ['U0FAR', 'T0FAR', 'outside'],
    ['U0FAR', 'T0SANDBOX', 'outside'],
  ])('%s from %s is %s', async (user, from, membership) => {
    expect(await who(user, from)).toMatchObject({ membership })
  })

  test('a person is one actor in all workspaces, and a stranger keeps their own', async () => {
    for (const from of [...both, 'E0GRID'])
      expect(await people.known({ team: from, user: 'U0ANA' })).toEqual({ team, user: 'U0ANA' })
    expect(await people.known({ team: 'T0FAR', user: 'U0FAR' })).toEqual({ team: 'T0FAR', user: 'U0FAR' })
  })
})

describe('A group of the policy', () => {
  test('that is disabled or missing has no members', async () => {
    expect((await who('U0CLEO'))?.groups).toEqual(new Set())
    slack.fault('usergroups.list', { kind: 'error', error: 'internal_error' }, 1)
    now += 60_000
    expect((await who('U0CLEO'))?.groups).toEqual(new Set())
    expect(new Set(logged)).toEqual(
      new Set([
        'could not list the user groups; reading each one the policy names',
        'could not read a user group of the policy, so it counts as empty',
      ]),
    )
  })

  test('that can’t be read has no members, and the others keep theirs', async () => {
    slack.fault('usergroups.users.list', { kind: 'error', error: 'missing_scope' })
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', membership: 'full', groups: new Set(['S0OPS']) })
    now += 60_000
    slack.fault('usergroups.list', { kind: 'error', error: 'missing_scope' })
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', membership: 'full', groups: new Set(), unread: true })
  })

  test('is read with all others, once a minute for all people and roles', async () => {
    await Promise.all(['U0ANA', 'U0BEN', 'U0CLEO'].map((user) => who(user)))
    expect(slack.calls('usergroups.list').map(({ args }) => args['include_users'])).toEqual(['true'])
    expect(slack.calls('usergroups.users.list')).toEqual([])
  })

  test('is read by itself if the list of all groups is not available', async () => {
    slack.fault('usergroups.list', { kind: 'error', error: 'ratelimited' })
    expect((await who('U0ANA'))?.groups).toEqual(new Set(['S0OPS']))
    const asked = slack.calls('usergroups.users.list').map(({ args }) => args['usergroup'])
    expect(new Set(asked)).toEqual(new Set(['S0NONE', 'S0OLD', 'S0OPS']))
  })

  test('is not read if the policy names none', async () => {
    policy = policyOf({ roles: { viewer: [{ kind: 'everyone' }], operator: [], approver: [], admin: [] } })
    expect((await who('U0ANA'))?.groups).toEqual(new Set())
    expect(slack.calls().map(({ method }) => method)).toEqual(['users.info'])
  })

  test('is read once for a crowd of fresh lookups, within Slack’s limit per minute', async () => {
    const crowd = Array.from({ length: 60 }, () => people.who({ team, user: 'U0ANA' }, 'fresh'))
    for (const person of await Promise.all(crowd)) expect(person?.groups).toEqual(new Set(['S0OPS']))
    expect(slack.calls('usergroups.list')).toHaveLength(1)
  })
})

describe('A lookup', () => {
  test('is valid for a minute', async () => {
    await who('U0ANA')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'UTC', teamId: team, deleted: true })
    slack.workspace.usergroups.set('S0OPS', { id: 'S0OPS', handle: 'ops', users: [] })
    now += 59_999
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', membership: 'full', groups: new Set(['S0OPS']) })
    now += 1
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', membership: 'outside', groups: new Set() })
  })

  test('is repeated after the clock went back', async () => {
    await who('U0ANA')
    now -= 60_000
    await who('U0ANA')
    expect(slack.calls('users.info')).toHaveLength(2)
  })

  test('is shared by simultaneous callers', async () => {
    await Promise.all(Array.from({ length: 20 }, () => who('U0ANA')))
    expect(slack.calls('users.info')).toHaveLength(1)
  })

  test('is repeated after it failed', async () => {
    const failing = slack.fault('users.info', { kind: 'status', status: 503 }, 1)
    expect(await who('U0ANA')).toBeNull()
    expect(failing.hits()).toBe(1)
    expect(await who('U0ANA')).toMatchObject({ membership: 'full' })
  })
})

describe('A fresh lookup', () => {
  test('ignores earlier lookups, and its result is remembered', async () => {
    await who('U0ANA')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'UTC', teamId: team, deleted: true })
    slack.workspace.usergroups.set('S0OPS', { id: 'S0OPS', handle: 'ops', users: [] })
    const nobody = { user: 'U0ANA', membership: 'outside', groups: new Set() }
    expect(await people.who({ team, user: 'U0ANA' }, 'fresh')).toEqual(nobody)
    expect(await who('U0ANA')).toEqual(nobody)
  })

  test('treats a group that can’t be read now as empty', async () => {
    await who('U0ANA')
    slack.fault('usergroups.list', { kind: 'error', error: 'ratelimited' })
    slack.fault('usergroups.users.list', { kind: 'error', error: 'ratelimited' })
    expect((await people.who({ team, user: 'U0ANA' }, 'fresh'))?.groups).toEqual(new Set())
  })

  test('returns null for a person who can’t be looked up now', async () => {
    await who('U0ANA')
    slack.fault('users.info', { kind: 'status', status: 503 })
    expect(await people.who({ team, user: 'U0ANA' }, 'fresh')).toBeNull()
  })
})

describe('A recent lookup', () => {
  const recent = () => people.who({ team, user: 'U0ANA' }, 'recent')

  test('looks a person up each time', async () => {
    await who('U0ANA')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'UTC', teamId: team, deleted: true })
    expect(await recent()).toMatchObject({ membership: 'outside' })
  })

  test('uses groups and private channels for 15 s, because Slack allows few such calls', async () => {
    const inside = () => people.where({ channel: 'G0OPS' }, { team, user: 'U0ANA' }, 'recent')
    await Promise.all([who('U0ANA'), inside()])
    slack.workspace.usergroups.set('S0OPS', { id: 'S0OPS', handle: 'ops', users: [] })
    const channel = slack.workspace.channels.get('G0OPS')
    if (channel !== undefined) slack.workspace.channels.set('G0OPS', { ...channel, members: new Set(['U0APP']) })
    now += 14_999
    expect((await recent())?.groups).toEqual(new Set(['S0OPS']))
    expect(await inside()).toMatchObject({ private: true })
    now += 1
    expect((await recent())?.groups).toEqual(new Set())
    expect(await inside()).toMatchObject({ private: false })
  })
})

describe('The policy', () => {
  test('is read for each lookup, so that groups count as soon as it names them anywhere', async () => {
    expect((await who('U0CLEO'))?.groups).toEqual(new Set())
    const other = [{ kind: 'group', id: 'S0OTHER' }] as const
    const asking = { ...usualApprovalSettings, from: other }
    policy = policyOf({ asking })
    expect((await who('U0CLEO'))?.groups).toEqual(new Set(['S0OTHER']))
    policy = policyOf({ asking: { ...usualApprovalSettings, fallback: { after: 1, to: other } } })
    expect((await who('U0CLEO'))?.groups).toEqual(new Set(['S0OTHER']))
    policy = policyOf({ overrides: [{ match: ['*'] }, { match: ['prod-*'], asking: { from: other } }] })
    expect((await who('U0CLEO'))?.groups).toEqual(new Set(['S0OTHER']))
    policy = policyOf({ roles: { viewer: [], operator: [], approver: [], admin: [] } })
    expect((await who('U0ANA'))?.groups).toEqual(new Set())
  })
})

describe('The time zone of a person', () => {
  test('comes from Slack and is remembered for an hour', async () => {
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'Asia/Seoul', teamId: team })
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBe('Asia/Seoul')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'Europe/Paris', teamId: team })
    now += 3_599_999
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBe('Asia/Seoul')
    now += 1
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBe('Europe/Paris')
  })

  test('is unknown for strangers and while Slack is down', async () => {
    expect(await people.zoneOf({ team: 'T0FAR', user: 'U0ANA' })).toBeNull()
    slack.down()
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBeNull()
  })
})

describe('The place of a request', () => {
  const where = (channel: string, user = 'U0ANA') => people.where({ channel }, { team, user })

  test.each([
    ['C0OPS', false],
    ['G0OPS', true],
    ['G0SHARED', false],
  ])('in channel %s is private: %s', async (channel, isPrivate) => {
    expect(await where(channel)).toEqual({ channel, private: isPrivate })
  })

  test('gives no role to a person who is not in that private channel', async () => {
    expect(await where('G0OPS', 'U0CLEO')).toEqual({ channel: '', private: false })
    expect(await where('C0OPS', 'U0CLEO')).toEqual({ channel: 'C0OPS', private: false })
    expect(slack.calls('conversations.members')).toHaveLength(1)
  })

  test('is unknown if Slack does not list the members of the channel', async () => {
    slack.fault('conversations.members', { kind: 'error', error: 'missing_scope' })
    expect(await where('G0OPS')).toBeNull()
  })

  test('counts all members of a channel that Slack lists on several pages', async () => {
    const crowd = Array.from({ length: 1_500 }, (_, at) => `U0${at}`)
    const channel = slack.workspace.channels.get('G0OPS')
    if (channel !== undefined)
      slack.workspace.channels.set('G0OPS', { ...channel, members: new Set([...crowd, 'U0APP']) })
    expect(await where('G0OPS', 'U01499')).toEqual({ channel: 'G0OPS', private: true })
  })

  test('is not looked up for a channel that gives no role', async () => {
    expect(await where('C0OTHER')).toEqual({ channel: 'C0OTHER', private: false })
    expect(await where('D0ANA')).toEqual({ channel: 'D0ANA', private: false })
    expect(slack.calls('conversations.info')).toEqual([])
  })

  test('is unknown while Slack does not answer', async () => {
    slack.fault('conversations.info', { kind: 'error', error: 'missing_scope' }, 1)
    expect(await where('G0OPS')).toBeNull()
    expect(await where('G0OPS')).toEqual({ channel: 'G0OPS', private: true })
  })
})
