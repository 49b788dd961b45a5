import { describe, expect, test } from 'vitest'
import { readPolicy } from '../../src/config/policy-file/read.ts'
import { policyOf } from '../../src/config/policy-file/to-policy.ts'
import { usualAutomation } from '../../src/core/model/automation.ts'
import { policyFile } from '../../src/core/model/roles.ts'
import { weeklyText } from '../../src/core/model/rules.ts'
import { dateText } from '../../src/core/time/calendar.ts'
import { asText } from '../../src/core/words/render.ts'

const minute = 60_000
const seoul = 'schedules: { zone: Asia/Seoul }'

/** Reads a file of one project that has `more` from line 8 on. */
function read(more: string) {
  const text = `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
${more.replace(/^(?=.)/gm, '    ')}`
  const { policy, mistakes } = readPolicy('x.yaml', text)
  return { entry: policy?.projects[0], mistakes: mistakes.map((one) => asText(one, 'en')) }
}

function policy(more: string) {
  const { entry, mistakes } = read(more)
  if (entry === undefined) throw new Error(mistakes.join('\n'))
  return policyOf(entry, 'v1')
}

function told(more: string): readonly string[] {
  return read(more).mistakes
}

/** The rules of an entry of `endpoints` with these schedule lines. */
function rulesOf(lines: readonly string[], more = seoul) {
  const [team] = policy(`${more}\nendpoints: [{ match: [dev-*], schedule: ${JSON.stringify(lines)} }]`).automation.team
  return team?.rules ?? []
}

describe('the schedules of a policy file', () => {
  test('set the zone, the notice and the holidays, and leave the rest at its default', () => {
    const { automation } = policy('schedules: { zone: europe/berlin, notice: 2h, holidays: [2026-12-25, 2027-01-01] }')
    expect(automation).toMatchObject({ zone: 'Europe/Berlin', notice: 120 * minute, team: [] })
    expect([...automation.holidays].map(dateText)).toEqual(['2026-12-25', '2027-01-01'])
    expect(policy('schedules: {}').automation).toEqual(usualAutomation)
  })

  test('give rules to the endpoints that match, in the order of the file', () => {
    const { automation, overrides } = policy(
      `endpoints:
  - match: [prod-*]
    protected: true
  - match: [dev-*, "tag:dev"]
    schedule: ["up weekdays 09:00-20:00 Asia/Seoul", "up sat 10:00-14:00 UTC"]
  - match: ["*"]
    schedule: []`,
    )
    expect(automation.team.map(({ match, rules }) => [match, rules.map(weeklyText)])).toEqual([
      [
        ['dev-*', 'tag:dev'],
        ['up weekdays 09:00-20:00 Asia/Seoul', 'up sat 10:00-14:00 UTC'],
      ],
      [['*'], []],
    ])
    expect(overrides).toEqual([
      { match: ['prod-*'], protected: true },
      { match: ['dev-*', 'tag:dev'] },
      { match: ['*'] },
    ])
  })

  test('give team rules that the file owns, made at time 0', () => {
    const [rule] = rulesOf(['down weekends'])
    expect(rule).toMatchObject({ kind: 'weekly', endpoint: null, owner: policyFile, made: 0, zone: 'Asia/Seoul' })
    expect(rule?.id).toMatch(/^team:[0-9a-f]{12}$/)
  })

  test('give a rule the same id as long as its meaning is the same', () => {
    const ids = (...args: Parameters<typeof rulesOf>) => rulesOf(...args).map(({ id }) => id)
    const [night, sat] = ids(['down daily 22:00-06:00', 'up sat 10:00-14:00'])
    expect(ids(['up  sat 10:00 - 14:00 Asia/Seoul', 'down everyday 22:00-6:00'])).toEqual([sat, night])
    expect(ids(['up sat 10:00-14:00'], 'schedules: { zone: UTC }')).not.toEqual([sat])
  })

  test.each([
    ['up mon,wed 09:00-12:00,13:00-18:00', 'up mon,wed 09:00-12:00,13:00-18:00 Asia/Seoul'],
    ['down  fri - mon 22:00–06:00 utc', 'down fri-mon 22:00-06:00 UTC'],
    ['up daily America/Port-au-Prince', 'up daily America/Port-au-Prince'],
    ['down sat', 'down sat Asia/Seoul'],
  ])('accept the line "%s"', (line, text) => {
    expect(rulesOf([line]).map(weeklyText)).toEqual([text])
  })
})

describe('mistakes in a line of a schedule', () => {
  const begin =
    'Begin with up or down, for example up weekdays 09:00-20:00 Asia/Seoul; a line with commas goes in quotes.'

  test.each([
    ['', begin],
    ['wed 09:00-18:00', begin],
    ['dwn weekends', `${begin} Did you mean down?`],
    [
      'up',
      'The days are missing. Write weekdays, weekends, daily, mon, mon-fri or mon,wed,fri, then times such as 09:00-19:00.',
    ],
    ['up weekdays 09:00-20:00 KST', 'KST is an abbreviation. Write the place, for example Asia/Seoul.'],
    ['up weekdays 09:00-20:00 Asia/Soul', 'Asia/Soul isn’t a time zone.'],
    ['up weekdays 09:00-25:00', '“25:00” isn’t a valid time.'],
    ['up weekdays 09:00-09:00', '09:00-09:00 is an empty range.'],
    ['up 09:00-20:00 Asia/Seoul', 'Name the days first: daily 09:00-20:00.'],
    ['up mon tue', '“tue” isn’t a range of times'],
    ['up weekdays 09:00-18:00 Asia/Seoul 10:00-12:00', 'I don’t understand “Asia/Seoul 10:00-12:00”'],
  ])('"%s" is reported with its place and what to write', (line, wrong) => {
    const [says, ...more] = told(`${seoul}\nendpoints:\n  - match: [a]\n    schedule:\n      - "${line}"`)
    expect(says).toContain(`x.yaml:12 projects[0].endpoints[0].schedule[0] is "${line}". ${wrong}`)
    expect(more).toEqual([])
  })

  test('a line needs a zone if the project has none', () => {
    expect(told('endpoints: [{ match: [a], schedule: [down weekends, down mon UTC] }]')).toEqual([
      'x.yaml:8 projects[0].endpoints[0].schedule[0] is "down weekends". It has no time zone. Add one at its end, for example up weekdays 09:00-20:00 Asia/Seoul, or for every line: schedules: { zone: … }.',
    ])
  })

  test('a wrong zone of the project is reported once, not at every line without a zone', () => {
    expect(told('schedules: { zone: KST }\nendpoints: [{ match: [a], schedule: [down weekends] }]')).toEqual([
      'x.yaml:8 projects[0].schedules.zone is "KST". KST is an abbreviation. Write the place, for example Asia/Seoul.',
    ])
  })

  test('lines that contradict or repeat each other are reported, within one list only', () => {
    const lists = (first: string, second: string) =>
      `${seoul}\nendpoints:\n  - match: [a]\n    schedule:\n${[first, second].map((line) => `      - ${line}`).join('\n')}`
    expect(told(lists('up weekdays 09:00-20:00', 'down fri 18:00-22:00'))).toEqual([
      expect.stringMatching(
        /^x\.yaml:13 .*schedule\[1\] is "down fri 18:00-22:00"\. “running .*” and “stopped .*” contradict/,
      ),
    ])
    expect(told(lists('up weekdays 9:00-20:00', 'up mon-fri 09:00-20:00 Asia/Seoul'))).toEqual([
      expect.stringContaining('This rule already exists: “running weekdays 09:00–20:00 Seoul time”.'),
    ])
    const apart = `endpoints:\n  - { match: [a], schedule: [up mon UTC] }\n  - { match: [b], schedule: [down mon UTC] }`
    expect(told(apart)).toEqual([])
  })

  test('zones that overlap in only one half of the year contradict each other too', () => {
    // 17:00 in Berlin is 16:00 UTC in winter and 15:00 in summer.
    const winter = '["up daily 10:00-17:00 Europe/Berlin", "down daily 15:30-20:00 UTC"]'
    const summer = '["up daily 09:00-15:00 UTC", "down daily 16:30-20:00 Europe/Berlin"]'
    for (const lines of [winter, summer]) {
      expect(told(`endpoints: [{ match: [a], schedule: ${lines} }]`)).toEqual([expect.stringContaining('contradict')])
    }
  })

  test('are reported with all other mistakes, in the order of the file', () => {
    const all = told(`endpoints:
  - match: []
    schedule: [up, 5]
schedules: { zone: 9, notice: 3h, holidays: [2026-02-30] }
idle: { least: 1m }
prices: { currency: usd, per_hour: { A: -1, B: "1" } }`)
    expect(all.map((says) => says.replace(/^(\S+ \S+) .*/s, '$1'))).toEqual([
      'x.yaml:9 projects[0].endpoints[0].match',
      'x.yaml:10 projects[0].endpoints[0].schedule[0]',
      'x.yaml:10 projects[0].endpoints[0].schedule[1]',
      'x.yaml:11 projects[0].schedules.zone',
      'x.yaml:11 projects[0].schedules.notice',
      'x.yaml:11 projects[0].schedules.holidays[0]',
      'x.yaml:12 projects[0].idle.least',
      'x.yaml:13 projects[0].prices.currency',
      'x.yaml:13 projects[0].prices.per_hour.A',
      'x.yaml:13 projects[0].prices.per_hour.B',
    ])
  })
})

describe('idle times and prices', () => {
  test('come from the file, with defaults for the rest', () => {
    expect(policy('idle: { usual: 2h, most: 14d }').automation.idle).toEqual({
      usual: 120 * minute,
      least: 15 * minute,
      most: 14 * 24 * 60 * minute,
    })
    expect(policy('prices: { per_hour: { RTX 4090: 0.75, "4090": 2 } }').prices).toEqual({
      currency: 'USD',
      perHour: new Map([
        ['RTX 4090', 0.75],
        ['4090', 2],
      ]),
    })
  })

  test.each([
    [
      'idle: { usual: 30m, least: 1h }',
      'least contradicts the rest: least is 1 h and usual is 30 min. Make least shorter or usual longer.',
    ],
    ['idle: { least: 2h }', 'least contradicts the rest: least is 2 h and usual is 1 h.'],
    ['idle: { most: 30m }', 'most contradicts the rest: usual is 1 h and most is 30 min.'],
    ['idle: { usual: 10m }', 'usual is "10m". Write a length of time from 15m to 30d, for example 30m, 4h, or 2d.'],
  ])('%s is rejected', (more, says) => {
    expect(told(more)).toEqual([expect.stringContaining(`x.yaml:8 projects[0].idle.${says}`)])
  })

  test.each([
    ['schedules: { notice: 4m }', 'schedules.notice is "4m". Write a length of time from 5m to 120m, for example 30m.'],
    [
      'schedules: { holidays: [25.12.2026] }',
      'schedules.holidays[0] is "25.12.2026". Write a date that exists, for example 2026-12-25.',
    ],
    [
      'schedules: { holiday: [2026-12-25] }',
      'schedules.holiday isn’t a key of this file. Known here: zone, notice, holidays. Did you mean holidays?',
    ],
    ['prices: { currency: € }', 'prices.currency is "€". Write the three letters of a currency, for example USD.'],
    [
      'prices: { per_hour: { A100: -1 } }',
      'prices.per_hour.A100 is -1. Write what one replica costs per hour, for example 0.75, or 0 if it’s reserved.',
    ],
    [
      'prices: { per_hour: { " A100": 1 } }',
      'prices.per_hour. A100 is " A100". Write GPUs as the platform names them, each with its price, for example { "RTX 4090": 0.75 }.',
    ],
    [
      'prices: { per_hour: 3 }',
      'prices.per_hour is 3. Write GPUs as the platform names them, each with its price, for example { "RTX 4090": 0.75 }.',
    ],
  ])('%s is reported with what to write', (more, says) => {
    expect(told(more)).toEqual([`x.yaml:8 projects[0].${says}`])
  })
})
