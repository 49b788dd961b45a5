import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PersonOption, SlackOptions } from '../../../../sandbox/slack/options.ts'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { createPeople, type PolicyMembers } from '../../../../src/adapters/slack/web/people.ts'
import { usualApprovalSettings } from '../../../../src/core/model/policy.ts'
import type { Person, Roles } from '../../../../src/core/model/roles.ts'
import type { Log, People } from '../../../../src/core/ports/services.ts'
import { approversCheck } from '../../../../src/features/approvals/unable.ts'
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
    // Dozens of calls at once take a busy machine long.
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

describe('Who somebody is', () => {
  test.each(['tokens', 'workflows'])('has the groups that only %s names, too', async (list) => {
    policy = policyOf({ [list]: [{ kind: 'group', id: 'S0OTHER' }] })
    expect((await who('U0CLEO'))?.groups).toEqual(new Set(['S0OTHER']))
  })

  test('is a full member, with the groups of the policy that they are in', async () => {
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', standing: 'full', groups: new Set(['S0OPS']) })
    expect(await who('U0CLEO')).toEqual({ user: 'U0CLEO', standing: 'full', groups: new Set() })
  })

  // Every way that Slack may describe somebody, together.
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

  test('is of this workspace only with every mark right, and a guest only where Slack says guest', async () => {
    await slack.stop()
    await open({ people: cast })
    const found = await Promise.all(cast.map(async ({ id }) => (await who(id))?.standing))
    expect(found).toEqual(
      cast.map(({ deleted, bot, stranger, guest, teamId }) =>
        deleted || bot || stranger || teamId !== team ? 'outside' : guest === undefined ? 'full' : 'guest',
      ),
    )
    expect(found.filter((standing) => standing === 'full')).toHaveLength(1)
    expect(found.filter((standing) => standing === 'guest')).toHaveLength(2)
  })

  test('is nobody when they act from another workspace, whatever their id is here', async () => {
    for (const from of ['T0FAR', '', 'E0GRID'])
      expect(await who('U0ANA', from)).toEqual({ user: 'U0ANA', standing: 'outside', groups: new Set() })
    expect(slack.calls()).toEqual([])
  })

  test.each(['user_not_found', 'user_not_visible', 'users_not_found'])(
    'is nobody of whom Slack says %s, and that is no trouble',
    async (error) => {
      slack.fault('users.info', { kind: 'error', error })
      expect(await who('U0NOSUCH')).toMatchObject({ standing: 'outside' })
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

  test('cannot be found out while Slack is away or fails', async () => {
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
  ])('%s from %s is %s', async (user, from, standing) => {
    expect(await who(user, from)).toMatchObject({ standing })
  })

  test('a person is one actor in all its workspaces, and a stranger stays who they are', async () => {
    for (const from of [...both, 'E0GRID'])
      expect(await people.known({ team: from, user: 'U0ANA' })).toEqual({ team, user: 'U0ANA' })
    expect(await people.known({ team: 'T0FAR', user: 'U0FAR' })).toEqual({ team: 'T0FAR', user: 'U0FAR' })
  })
})

describe('A group of the policy', () => {
  test('that is switched off or not there has no members', async () => {
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

  test('that cannot be read has no members, and takes nothing from the others', async () => {
    slack.fault('usergroups.users.list', { kind: 'error', error: 'missing_scope' })
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', standing: 'full', groups: new Set(['S0OPS']) })
    now += 60_000
    slack.fault('usergroups.list', { kind: 'error', error: 'missing_scope' })
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', standing: 'full', groups: new Set(), unread: true })
  })

  test('is asked for with all others, once a minute however many people and roles they are for', async () => {
    await Promise.all(['U0ANA', 'U0BEN', 'U0CLEO'].map((user) => who(user)))
    expect(slack.calls('usergroups.list').map(({ args }) => args['include_users'])).toEqual(['true'])
    expect(slack.calls('usergroups.users.list')).toEqual([])
  })

  test('is asked for by itself when the list of all cannot be had', async () => {
    slack.fault('usergroups.list', { kind: 'error', error: 'ratelimited' })
    expect((await who('U0ANA'))?.groups).toEqual(new Set(['S0OPS']))
    const asked = slack.calls('usergroups.users.list').map(({ args }) => args['usergroup'])
    expect(new Set(asked)).toEqual(new Set(['S0NONE', 'S0OLD', 'S0OPS']))
  })

  test('is not asked for at all where the policy names none', async () => {
    policy = policyOf({ roles: { viewer: [{ kind: 'everyone' }], operator: [], approver: [], admin: [] } })
    expect((await who('U0ANA'))?.groups).toEqual(new Set())
    expect(slack.calls().map(({ method }) => method)).toEqual(['users.info'])
  })

  test('is asked for once by a crowd that has to be sure, within what Slack allows in a minute', async () => {
    const crowd = Array.from({ length: 60 }, () => people.who({ team, user: 'U0ANA' }, 'fresh'))
    for (const person of await Promise.all(crowd)) expect(person?.groups).toEqual(new Set(['S0OPS']))
    expect(slack.calls('usergroups.list')).toHaveLength(1)
  })
})

describe('What was found out', () => {
  test('is believed for a minute and no longer', async () => {
    await who('U0ANA')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'UTC', teamId: team, deleted: true })
    slack.workspace.usergroups.set('S0OPS', { id: 'S0OPS', handle: 'ops', users: [] })
    now += 59_999
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', standing: 'full', groups: new Set(['S0OPS']) })
    now += 1
    expect(await who('U0ANA')).toEqual({ user: 'U0ANA', standing: 'outside', groups: new Set() })
  })

  test('is not believed across a clock that was set back', async () => {
    await who('U0ANA')
    now -= 60_000
    await who('U0ANA')
    expect(slack.calls('users.info')).toHaveLength(2)
  })

  test('is asked once by many at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => who('U0ANA')))
    expect(slack.calls('users.info')).toHaveLength(1)
  })

  test('is asked again after it could not be', async () => {
    const failing = slack.fault('users.info', { kind: 'status', status: 503 }, 1)
    expect(await who('U0ANA')).toBeNull()
    expect(failing.hits()).toBe(1)
    expect(await who('U0ANA')).toMatchObject({ standing: 'full' })
  })
})

describe('When it has to be sure', () => {
  test('nothing that was looked up earlier is believed, and what is found is remembered', async () => {
    await who('U0ANA')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'UTC', teamId: team, deleted: true })
    slack.workspace.usergroups.set('S0OPS', { id: 'S0OPS', handle: 'ops', users: [] })
    const nobody = { user: 'U0ANA', standing: 'outside', groups: new Set() }
    expect(await people.who({ team, user: 'U0ANA' }, 'fresh')).toEqual(nobody)
    expect(await who('U0ANA')).toEqual(nobody)
  })

  test('a group that cannot be read now has no members, whoever was in it before', async () => {
    await who('U0ANA')
    slack.fault('usergroups.list', { kind: 'error', error: 'ratelimited' })
    slack.fault('usergroups.users.list', { kind: 'error', error: 'ratelimited' })
    expect((await people.who({ team, user: 'U0ANA' }, 'fresh'))?.groups).toEqual(new Set())
  })

  test('somebody who cannot be looked up now is not known, whoever they were before', async () => {
    await who('U0ANA')
    slack.fault('users.info', { kind: 'status', status: 503 })
    expect(await people.who({ team, user: 'U0ANA' }, 'fresh')).toBeNull()
  })
})

describe('When it has to be recent', () => {
  const recent = () => people.who({ team, user: 'U0ANA' }, 'recent')

  test('people are looked up each time', async () => {
    await who('U0ANA')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'UTC', teamId: team, deleted: true })
    expect(await recent()).toMatchObject({ standing: 'outside' })
  })

  test('user groups and private channels are believed for 15 s, since Slack allows few of these questions', async () => {
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
  test('is read at each question: groups of approvals, fallbacks and overrides count as soon as it names them', async () => {
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

describe('The time zone of somebody', () => {
  test('is what Slack says, and remembered for an hour', async () => {
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'Asia/Seoul', teamId: team })
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBe('Asia/Seoul')
    slack.workspace.people.set('U0ANA', { id: 'U0ANA', name: 'ana', tz: 'Europe/Paris', teamId: team })
    now += 3_599_999
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBe('Asia/Seoul')
    now += 1
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBe('Europe/Paris')
  })

  test('is not known of strangers, nor while Slack is away', async () => {
    expect(await people.zoneOf({ team: 'T0FAR', user: 'U0ANA' })).toBeNull()
    slack.down()
    expect(await people.zoneOf({ team, user: 'U0ANA' })).toBeNull()
  })
})

describe('Where something is asked', () => {
  const where = (channel: string, user = 'U0ANA') => people.where({ channel }, { team, user })

  test.each([
    ['C0OPS', false],
    ['G0OPS', true],
    ['G0SHARED', false],
  ])('%s of the policy is private: %s', async (channel, isPrivate) => {
    expect(await where(channel)).toEqual({ channel, private: isPrivate })
  })

  test('is no place that gives a role to somebody who is not in that private channel', async () => {
    expect(await where('G0OPS', 'U0CLEO')).toEqual({ channel: '', private: false })
    expect(await where('C0OPS', 'U0CLEO')).toEqual({ channel: 'C0OPS', private: false })
    expect(slack.calls('conversations.members')).toHaveLength(1)
  })

  test('gives no role where Slack does not say who is in the channel', async () => {
    slack.fault('conversations.members', { kind: 'error', error: 'missing_scope' })
    expect(await where('G0OPS')).toBeNull()
  })

  test('knows all members of a channel that Slack lists on several pages', async () => {
    const crowd = Array.from({ length: 1_500 }, (_, at) => `U0${at}`)
    const channel = slack.workspace.channels.get('G0OPS')
    if (channel !== undefined)
      slack.workspace.channels.set('G0OPS', { ...channel, members: new Set([...crowd, 'U0APP']) })
    expect(await where('G0OPS', 'U01499')).toEqual({ channel: 'G0OPS', private: true })
  })

  test('is not even asked about a channel that could give nothing', async () => {
    expect(await where('C0OTHER')).toEqual({ channel: 'C0OTHER', private: false })
    expect(await where('D0ANA')).toEqual({ channel: 'D0ANA', private: false })
    expect(slack.calls('conversations.info')).toEqual([])
  })

  test('cannot be found out while Slack does not say', async () => {
    slack.fault('conversations.info', { kind: 'error', error: 'missing_scope' }, 1)
    expect(await where('G0OPS')).toBeNull()
    expect(await where('G0OPS')).toEqual({ channel: 'G0OPS', private: true })
  })
})
