import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSlack } from '../../sandbox/slack/start.ts'
import { check, reportOf } from '../../src/cli/check-policy.ts'
import { checkedFile } from '../../src/config/policy-file/check.ts'

const file = `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [group:S0OPS, user:U0ANA]
      approver: [user:U0BEN]
      admin: [user:U0DANA]
    matrix: { disruptive: { active: approval } }
    endpoints:
      - match: [prod-*]
        protected: true
        matrix: { reversible: { active: confirmation } }
        approvals: { from: [group:S0LEADS], needed: 2, remind: off }
`
const set = { PLATFORM_BASE_URL: 'https://api.example.com/v1', PLATFORM_API_KEY: 'key' }

function report(text: string | null, env: Record<string, string> = set, named?: string): string {
  return reportOf(checkedFile(named, env, () => text))
}

test('A valid file is shown as who may do what', () => {
  expect(report(file).replace(/version \w+/, 'version x')).toBe(`lamplighter.yaml is valid: 1 project, version x.

default: every channel that no other project has
  viewer    everyone
  operator  group:S0OPS, user:U0ANA
  approver  user:U0BEN
  admin     user:U0DANA
  what a change needs if its endpoint is stopped (dormant), running (active) or protected:
               dormant       active    protected
  reversible   nothing       nothing   nothing
  disruptive   nothing       approval  approval
  destructive  confirmation  approval  refusal
  loosening    approval      approval  approval
  approval   1 person; from the approvers; expires after 30 min; first reminder after 10 min
  schedules  0 team rules; 0 holidays; a warning 10 min before a stop; the requester's time zone
  idle       after 1 h idle; people can choose 15 min to 7 d
  prices     the platform’s list; without a price, only hours
  bounds     at most 100 replicas; delegations of at most 30 d; pauses of at most 7 d
  endpoints[0] prod-*: protected; reversible active confirmation; approval 2 people; from group:S0LEADS; no reminders`)
})

test('A role that nobody has by itself is shown with the roles that include it', () => {
  const alone = file.replace('      approver: [user:U0BEN]\n', '')
  expect(report(alone)).toContain('\n  approver  only admins\n  admin     user:U0DANA\n')
  const none = alone
    .replace('      admin: [user:U0DANA]\n', '')
    .replace(/ {6}- match: \[prod[\s\S]*/, '      - { match: ["*"], protected: true }\n')
  expect(report(none)).toContain('\n  approver  nobody\n  admin     nobody\n')
})

test('Schedules, idle times and prices are shown with every team rule', () => {
  const more = `${file}      - match: ["dev-*", "tag:dev"]
        schedule: [up weekdays 9:00-20:00, down weekends UTC]
      - match: ["*"]
        schedule: []
    schedules: { zone: asia/seoul, notice: 20m, holidays: [2026-12-25] }
    idle: { usual: 2h }
    prices: { currency: EUR, per_hour: { RTX 4090: 0.75, H100: 3 } }
`
  expect(report(more).split('\n').slice(-8)).toEqual([
    '  approval   1 person; from the approvers; expires after 30 min; first reminder after 10 min',
    '  schedules  2 team rules; 1 holiday; a warning 20 min before a stop; zone Asia/Seoul',
    '  idle       after 2 h idle; people can choose 15 min to 7 d',
    '  prices     EUR an hour: RTX 4090 0.75, H100 3',
    '  bounds     at most 100 replicas; delegations of at most 30 d; pauses of at most 7 d',
    expect.stringMatching(/^ {2}endpoints\[0\] prod-\*: protected; /),
    '  schedule of dev-*, tag:dev: up weekdays 09:00-20:00 Asia/Seoul; down weekends UTC',
    '  schedule of *: none',
  ])
})

test('Every mistake is shown on a line of its own', () => {
  const wrong = file.replace('needed: 2', 'needed: 20').replace('everyone', 'all').replace('protected:', 'protect:')
  const [heading, ...lines] = report(wrong).split('\n')
  expect(heading).toBe('lamplighter.yaml has 3 mistakes:')
  expect(lines).toEqual([
    expect.stringMatching(/^- lamplighter\.yaml:7 /),
    expect.stringMatching(/^- lamplighter\.yaml:14 .*Did you mean protected\?$/),
    expect.stringMatching(/^- lamplighter\.yaml:16 .*from 1 to 10\.$/),
  ])
})

test('A webhook whose secret is not set is a note, because the webhook is off without it', () => {
  const hook = '    events: [{ name: bus, url: "https://hooks.example.com", secret_env: BUS_SECRET }]\n'
  const says = 'names BUS_SECRET, which isn’t set here. Without it in a worker, the webhook bus is off.'
  expect(report(`${file}${hook}`)).toContain(says)
  expect(report(`${file}${hook}`, { ...set, BUS_SECRET: 'x' })).not.toContain('webhook')
})

test('An unset variable is a note; one that holds no address is a mistake that does not quote it', () => {
  expect(report(file, {}).split('\n\n').at(-1)).toBe(
    'Note: lamplighter.yaml:3 names PLATFORM_BASE_URL, which isn’t set here. A worker needs it.\n' +
      'Note: lamplighter.yaml:4 names PLATFORM_API_KEY, which isn’t set here. A worker needs it.',
  )
  expect(report(file, { ...set, PLATFORM_BASE_URL: 'canary' })).toBe(
    'The environment has a mistake:\n- PLATFORM_BASE_URL isn’t an http(s) address. Write the whole address, for example https://platform.example.com/external/api/v1.',
  )
})

test('Variables are checked even if the file has a mistake', () => {
  const wrong = `${file.replace('everyone', 'all')}    signals: { key_env: METRICS_KEY }\n`
  expect(report(wrong, { ...set, PLATFORM_BASE_URL: 'canary', METRICS_KEY: 'key' }).split('\n')).toEqual([
    'lamplighter.yaml has a mistake:',
    expect.stringMatching(/^- lamplighter\.yaml:7 /),
    'The environment has 2 mistakes:',
    expect.stringMatching(/^- PLATFORM_BASE_URL isn’t an http/),
    expect.stringMatching(/^- METRICS_KEY holds the same value as PLATFORM_API_KEY/),
  ])
})

test('The default variables are checked if the file names none that can be read', () => {
  expect(report('projects: [', { PLATFORM_BASE_URL: 'canary' }).split('\n').slice(-2)).toEqual([
    'The environment has a mistake:',
    expect.stringMatching(/^- PLATFORM_BASE_URL isn’t an http/),
  ])
})

test('The named file is checked, otherwise the one that a start would use', () => {
  const paths: string[] = []
  function none(path: string): null {
    paths.push(path)
    return null
  }
  for (const named of ['team.yaml', undefined]) checkedFile(named, { LAMPLIGHTER_CONFIG: 'set.yaml' }, none)
  checkedFile(undefined, {}, none)
  expect(paths).toEqual(['team.yaml', 'set.yaml', 'lamplighter.yaml'])
})

test('A file that is missing or can’t be read is a mistake', () => {
  expect(report(null, set, 'team.yaml')).toContain('- team.yaml doesn’t exist. Create it with npm start -- init or')
  expect(reportOf(checkedFile('.', set, (path) => readFileSync(path, 'utf8')))).toContain('- . can’t be read.')
})

test('Approvals that nobody could give and a lockdown that nobody could end are notes', () => {
  const alone = file
    .replace('      admin: [user:U0DANA]\n', '')
    .replace('from: [group:S0LEADS]', 'from: [user:U0BEN, user:U0CLEO]')
  expect(report(alone).split('\n').slice(-3)).toEqual([
    'Note: default has no admin, so nobody could end a lockdown. Give someone the admin role, under roles.',
    'Note: default: approvals needs 1, and only 1 person can approve: what they request can never be approved. Name more people.',
    'Note: default: endpoints[0].approvals needs 2, and only 2 people can approve: what one of them requests can never be approved. Name more people.',
  ])
  expect(report(file)).not.toContain('Note:')
})

test('A role that everybody or nobody has is a note', () => {
  const roles = (more: string) =>
    file
      .replace(/ {6}operator[\s\S]*?(?= {4}matrix)/, more)
      .replace('[group:S0LEADS]', '[user:U0A, user:U0B, user:U0C]')
  const notes = (more: string) =>
    report(roles(more))
      .split('\n')
      .filter((line) => line.startsWith('Note:'))
  const meant = 'Name user:U… or group:S…, unless that is intended.'
  expect(notes('      operator: []\n      approver: [everyone]\n      admin: [everyone]\n')).toEqual([
    'Note: default has no operator, so only approvers and admins can request changes. Give someone the operator role, under roles, unless that is intended.',
    `Note: default: everyone is an approver, so anyone can approve what someone else requests. ${meant}`,
    `Note: default: everyone is an admin, so anyone can bypass an approval and end a lockdown. ${meant}`,
  ])
  expect(notes('')).toContainEqual(expect.stringContaining('has no operator, so nobody can request changes.'))
})

/** Writes the file and returns a `check` of it, which resolves to its result and its output. */
function checking(text = file) {
  const folder = mkdtempSync(join(tmpdir(), 'check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'team.yaml')
  writeFileSync(path, text)
  let said = ''
  let env: Record<string, string | undefined> = {}
  return async (more: Record<string, string | undefined>) => {
    env = { ...env, ...more }
    const well = await check(path, env, (text) => {
      said = text
    })
    return { well, says: said.split('\n') }
  }
}

test('Every mistake in a set variable is shown, and Slack is not asked', async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.stop())
  const checked = checking()
  const usual = { ...set, SLACK_BOT_TOKEN: slack.botToken, SLACK_API_URL: slack.url, LAMPLIGHTER_KEY: 'short' }
  const shown = ['The environment has a mistake:', expect.stringMatching(/^- LAMPLIGHTER_KEY isn’t a key\./)]
  const groups = expect.stringMatching(
    /^Note: \S*:8, \S*:16: user groups are named\. Lamplighter checks that they exist in Slack when it starts and in \/endpoint doctor\.$/,
  )
  expect(await checked(usual)).toEqual({ well: false, says: [...shown, groups] })
  const wrong = {
    SLACK_API_URL: 'nonsense',
    SLACK_APP_TOKEN: 'xoxb-1',
    REDIS_URL: 'nonsense',
    PLATFORM_TIMEOUT_MS: 'nonsense',
    PLATFORM_BASE_URL: 'nonsense',
  }
  const { well, says } = await checked(wrong)
  expect([well, says[0], says.length]).toEqual([false, 'The environment has 6 mistakes:', 8])
  for (const name of Object.keys(wrong)) expect(says).toContainEqual(expect.stringContaining(`- ${name} is`))
  expect(slack.calls()).toEqual([])
})

test('A variable that has almost the name of a setting is a note', async () => {
  const env = {
    ...set,
    LAMPLIGHTER_PREFX: 'a',
    LAMPLIGHTER_KEYS_FILE: '/k',
    LAMPLIGHTER_WEBHOOK: 'x',
    LAMPLIGHTER_TOKEN: 'x',
  }
  const { well, says } = await checking()(env)
  expect([well, says.filter((line) => line.includes('LAMPLIGHTER_'))]).toEqual([
    true,
    [
      'Note: LAMPLIGHTER_PREFX is not a setting. Did you mean LAMPLIGHTER_PREFIX?',
      'Note: LAMPLIGHTER_KEYS_FILE is not a setting. Did you mean LAMPLIGHTER_KEY?',
    ],
  ])
})

test('A variable that the file names is not taken for a mistyped setting', async () => {
  const named = file
    .replace(
      '    api_key_env: PLATFORM_API_KEY\n',
      '    api_key_env: LAMPLIGHTER_KEY_A\n    signals: { key_env: LAMPLIGHTER_KEY_B }\n',
    )
    .replace(
      '    endpoints:',
      '    events: [{ name: it, url: https://hooks.example.com, secret_env: LAMPLIGHTER_TOKENS }]\n    endpoints:',
    )
  const { well, says } = await checking(named)({
    PLATFORM_BASE_URL: set.PLATFORM_BASE_URL,
    LAMPLIGHTER_KEY_A: 'a-key',
    LAMPLIGHTER_KEY_B: 'b-key',
    LAMPLIGHTER_TOKENS: 'a-secret-of-events',
  })
  expect([well, says.filter((line) => line.includes('LAMPLIGHTER_'))]).toEqual([true, []])
})

test('For a name in place of an id, check shows the id that Slack has', async () => {
  const slack = await startSlack({
    people: [
      { id: 'U0ANA', name: 'ana', realName: 'Ana Kim' },
      { id: 'U0BEN', name: 'ben' },
      { id: 'U0BEO', name: 'beo', realName: 'Ana Kim' },
    ],
    channels: [{ id: 'C0OPS', name: 'ops' }],
    usergroups: [{ id: 'S0GPU', handle: 'gpu-team', name: 'GPU team', users: ['U0BEN'] }],
  })
  onTestFinished(() => slack.stop())
  const named = `operations_channel: "#ops"
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: [ops]
    roles:
      viewer: [everyone]
      operator:
        - group:gpu-team
        - Ana
      approver: [user:ben]
      admin: [Ana Kim]
    approvals: { from: [GPU team] }
    language: eo
`
  const checked = checking(named)
  const notes = async (env: Record<string, string>) => {
    const { well, says } = await checked({ ...set, SLACK_API_URL: slack.url, ...env })
    expect(well).toBe(false)
    return says.filter((line) => line.startsWith('Note: ')).map((line) => line.replace(/ \S*team\.yaml/, ''))
  }
  expect(await notes({})).toEqual([
    'Note: Where SLACK_BOT_TOKEN is set, names are looked up in Slack, and their ids are shown here.',
  ])
  expect(await notes({ SLACK_BOT_TOKEN: slack.botToken })).toEqual([
    'Note::1: for “#ops” write C0OPS # #ops',
    'Note::6: for “ops” write C0OPS # #ops',
    'Note::10: for “group:gpu-team” write group:S0GPU # @gpu-team',
    'Note::11: for “Ana” write user:U0ANA # @ana',
    'Note::12: for “user:ben” write user:U0BEN # @ben',
    'Note::13: “Ana Kim” could be @ana (U0ANA), @beo (U0BEO). Write the id.',
    'Note::14: for “GPU team” write group:S0GPU # @gpu-team',
  ])
  slack.fault('users.list', { kind: 'error', error: 'internal_error' })
  expect(await notes({})).toEqual([
    expect.stringMatching(/^Note: Names could not be looked up in Slack \(.*internal_error/),
  ])
})

test('With a token, check finds the sample ids of docs/install.md, which Slack doesn’t know', async () => {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
  const sample = /```yaml\n(operations_channel[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const unknown = await startSlack()
  const known = await startSlack({
    people: [
      { id: 'U0123ANA', name: 'ana' },
      { id: 'U0123BEN', name: 'ben' },
    ],
    channels: [{ id: 'C0123OPS', name: 'ops', botIsMember: false }],
    usergroups: [{ id: 'S0123TEAM', handle: 'team', users: [] }],
  })
  onTestFinished(async () => void (await Promise.all([unknown.stop(), known.stop()])))
  const at = ({ url, botToken }: typeof known) => ({ ...set, SLACK_API_URL: url, SLACK_BOT_TOKEN: botToken })
  const checked = checking(sample)
  const { well, says } = await checked(at(unknown))
  expect([well, says.map((line) => line.replace(/ \S*team\.yaml/, ''))]).toEqual([
    false,
    [
      expect.stringMatching(/team\.yaml has 4 mistakes:$/),
      '-:10 names group:S0123TEAM, which isn’t a user group of this workspace and counts as empty. Copy the group’s id from Slack: it begins with S.',
      expect.stringMatching(/^-:1 names C0123OPS, which isn’t a channel that Lamplighter can see\./),
      expect.stringMatching(/^-:12 names U0123ANA, which isn’t a person in Slack\./),
      expect.stringMatching(/^-:13 names U0123BEN, which isn’t a person in Slack\./),
    ],
  ])
  const fine = await checked(at(known))
  expect(fine.well).toBe(true)
  expect(fine.says.join('\n')).not.toMatch(/group.*exist in Slack/)
  known.fault('users.info', { kind: 'error', error: 'internal_error' })
  expect(await checked({})).toEqual({
    well: true,
    says: expect.arrayContaining([
      expect.stringMatching(/^Note: Ids could not be looked up in Slack \(internal_error\)/),
    ]),
  })
})

test('check says of a guest, a bot and a former member what their role is worth', async () => {
  const slack = await startSlack({
    people: [
      { id: 'U0GUS', name: 'gus', guest: 'single' },
      { id: 'U0BOT', name: 'helper', bot: true },
      { id: 'U0FAY', name: 'fay', deleted: true },
      { id: 'U0ANA', name: 'ana' },
    ],
  })
  onTestFinished(() => slack.stop())
  const { well, says } = await checking(`projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles: { operator: [user:U0GUS, user:U0BOT, user:U0FAY], admin: [user:U0GUS, user:U0ANA] }
`)({ ...set, SLACK_API_URL: slack.url, SLACK_BOT_TOKEN: slack.botToken })
  expect(well).toBe(true)
  expect(says.filter((line) => / U0/.test(line)).map((line) => line.replace(/ \S*team\.yaml/, ''))).toEqual([
    'Note::6: U0GUS is a guest in Slack and can only view.',
    'Note::6: U0BOT is a bot and can’t use Lamplighter.',
    'Note::6: U0FAY is deactivated and can’t use Lamplighter.',
  ])
})

test('What a start needs and this machine lacks is a note; one port for two servers is a mistake', async () => {
  const checked = checking(
    file.replaceAll(/group:S0\w+/g, 'user:U0EVA').replace('[user:U0EVA], needed', '[user:U0EVA, user:U0FAY], needed'),
  )
  const notes = async (env: Record<string, string>) => {
    const { well, says } = await checked(env)
    expect(well, says.join('\n')).toBe(true)
    return says.filter((line) => /Here|operations/.test(line)).map((line) => line.split('.')[0])
  }
  const channel =
    'Note: There is no operations_channel, so rules start and stop nothing, and warnings have nowhere to go'
  expect(await notes(set)).toEqual([
    'Note: Here, SLACK_BOT_TOKEN is missing',
    'Note: Here, SLACK_APP_TOKEN is missing',
    'Note: Here, REDIS_URL is missing',
    channel,
  ])
  const http = { REDIS_URL: 'redis://127.0.0.1', SLACK_SIGNING_SECRET: 'x' }
  expect(await notes(http)).toEqual(['Note: Here, SLACK_BOT_TOKEN is missing', 'Note: Here, PORT is missing', channel])
  expect(await checked({ LAMPLIGHTER_API_PORT: '80a' })).toMatchObject({
    well: false,
    says: [expect.anything(), expect.stringMatching(/^- LAMPLIGHTER_API_PORT is "80a"/)],
  })
  const same = { LAMPLIGHTER_API_PORT: '9464', LAMPLIGHTER_OPS_PORT: '9464' }
  expect(await checked(same)).toMatchObject({
    well: false,
    says: [expect.anything(), '- LAMPLIGHTER_API_PORT and LAMPLIGHTER_OPS_PORT are both 9464. Change one of them.'],
  })
})

test('check says that a public channel gives nobody the operator role', async () => {
  const slack = await startSlack({
    people: [{ id: 'U0ANA', name: 'ana' }],
    channels: [
      { id: 'C0OPS', name: 'ops' },
      { id: 'C0LAB', name: 'lab', private: true, members: ['U0ANA'] },
    ],
  })
  onTestFinished(() => slack.stop())
  const { says } = await checking(`operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: [C0OPS]
    roles: { viewer: [channel:C0OPS], operator: [channel:C0OPS, channel:C0LAB], admin: [user:U0ANA] }
`)({ ...set, SLACK_API_URL: slack.url, SLACK_BOT_TOKEN: slack.botToken })
  expect(says.filter((line) => /Note.* C0/.test(line)).map((line) => line.replace(/ \S*team\.yaml/, ''))).toEqual([
    'Note::7: C0OPS is a public channel, which anyone can join, so its members can only view. Name people, a user group or a private channel.',
  ])
})

test('An id that is repeated or in the wrong place is not looked up as a name', () => {
  const twice = file.replace('["*"]', '["*", C0OPS]').replace('[user:U0DANA]', '[channel:C0OPS]')
  const { mistakes, names } = checkedFile(
    undefined,
    set,
    () =>
      `operations_channel: D0ANA\n${twice}${twice.slice(10).replace('default', 'two').replace('PLATFORM_API', 'TWO_API')}`,
  )
  expect(mistakes).toHaveLength(5)
  expect(names).toEqual([])
  expect(report(`${file}    language: de\n`)).not.toContain('Did you mean')
})

test('A direct message is not looked up, and an id that Slack refuses to look up hides no other', async () => {
  const options = { people: ['U0ANA', 'U0BEN', 'U0DANA'].map((id) => ({ id, name: id.toLowerCase() })) }
  const slack = await startSlack(options)
  const narrow = await startSlack({ ...options, scopes: ['channels:read', 'groups:read'] })
  onTestFinished(async () => void (await Promise.all([slack.stop(), narrow.stop()])))
  const at = ({ url, botToken }: typeof slack) => ({ ...set, SLACK_API_URL: url, SLACK_BOT_TOKEN: botToken })
  const checked = checking(`projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: [D0BEN]
    roles: { operator: [user:U0ANA], admin: [user:U0BEN, user:U0DANA] }
audit_channel: C0GONE
`)
  const gone = expect.stringMatching(/^- \S*:7 names C0GONE, which isn’t a channel/)
  expect((await checked(at(slack))).says.slice(1)).toEqual([gone])
  expect((await checked(at(narrow))).says.slice(1)).toEqual([
    gone,
    expect.stringMatching(/^Note: \S*:6: these ids could not be looked up in Slack \(missing_scope\)\.$/),
  ])
})
