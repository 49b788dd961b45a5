import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { policy as demoPolicy } from '../../sandbox/demo/cast.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/env/environment.ts'
import { noPrices, usualAutomation } from '../../src/core/model/automation.ts'
import { usualApprovalSettings, usualMatrix } from '../../src/core/model/policy.ts'
import { evaluatePolicy, protectedBy } from '../../src/core/policy/requirement.ts'

const env = {
  SLACK_BOT_TOKEN: 'xoxb-bot',
  SLACK_APP_TOKEN: 'xapp-app',
  PLATFORM_BASE_URL: 'https://api.example.com/v1',
  PLATFORM_API_KEY: 'key',
  METRICS_KEY: 'metrics',
  EVENTS_SECRET: 'events',
  REDIS_URL: 'redis://127.0.0.1:6379',
}
const minute = 60_000
const day = 24 * 60 * minute

/** A policy file with one project and `more` below it. */
function file(more = '', approver = '[user:U0BEN]'): string {
  return `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      approver: ${approver}
${more.replace(/^(?=.)/gm, '    ')}`
}

function read(text: string): Config {
  return readConfig(env, 'all', (path) => (path === 'lamplighter.yaml' ? text : null))
}

function policyOf(text: string) {
  const [project] = read(text).projects
  if (project === undefined) throw new Error('There is no project.')
  return project.policy
}

function told(text: string): readonly string[] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

describe('a policy file', () => {
  test('has defaults for everything that it leaves out', () => {
    const policy = policyOf(file())
    expect(policy).toMatchObject({ matrix: usualMatrix, asking: usualApprovalSettings, overrides: [] })
    expect(policy.bounds).toEqual({ replicas: 100, away: 30 * day, keep: 7 * day })
    expect([policy.automation, policy.prices]).toEqual([usualAutomation, noPrices])
    expect(policy.version).toBe(read(file()).policyVersion)
  })

  test('replaces single cells of the matrix', () => {
    expect(
      policyOf(file('matrix:\n  disruptive: { active: approval }\n  loosening: { dormant: refusal }')).matrix,
    ).toEqual({
      ...usualMatrix,
      disruptive: { ...usualMatrix.disruptive, active: 'approval' },
      loosening: { ...usualMatrix.loosening, dormant: 'refusal' },
    })
  })

  test('sets how approvals are asked for', () => {
    const approvals =
      'approvals:\n  needed: 2\n  from: [group:S0LEADS, user:U0BEN]\n  expires: 1h\n  remind: off\n  fallback: { after: 15m, to: [group:S0OPS] }'
    expect(policyOf(file(approvals)).asking).toEqual({
      needed: 2,
      from: [
        { kind: 'group', id: 'S0LEADS' },
        { kind: 'user', id: 'U0BEN' },
      ],
      expires: 60 * minute,
      remind: null,
      fallback: { after: 15 * minute, to: [{ kind: 'group', id: 'S0OPS' }] },
    })
  })

  test('has settings for some endpoints, which apply there and nowhere else', () => {
    const policy = policyOf(
      file(
        'endpoints:\n  - match: ["prod-*", "tag:prod"]\n    protected: true\n    matrix: { disruptive: { active: refusal } }\n    approvals: { expires: 2h }\nbounds: { replicas: 20, away: 2d }',
      ),
    )
    const [prod, other] = [{ name: 'prod-llm' }, { name: 'my-llm' }]
    expect(evaluatePolicy(policy, 'disruptive', 'active', prod)).toMatchObject({
      requirement: 'refusal',
      asking: { expires: 120 * minute, needed: 1 },
    })
    expect(evaluatePolicy(policy, 'disruptive', 'active', other).requirement).toBe('confirmation')
    expect([protectedBy(policy, prod), protectedBy(policy, other)]).toEqual([{ at: 0, by: 'prod-*' }, null])
    expect(policy.bounds).toEqual({ replicas: 20, away: 2 * day, keep: 7 * day })
  })

  test('gives its user groups, each with its line', () => {
    const text = file('approvals:\n  from: [group:S0LEADS]\n', '[group:S0OPS, user:U0BEN]')
    expect(read(text).ids.filter(({ kind }) => kind === 'group')).toEqual([
      { kind: 'group', id: 'S0OPS', key: 'approver', at: 'lamplighter.yaml:8' },
      { kind: 'group', id: 'S0LEADS', key: 'from', at: 'lamplighter.yaml:10' },
    ])
  })
})

describe('mistakes in the policy', () => {
  test.each([
    [
      'matrix: { disruptive: { active: aproval } }',
      '9 projects[0].matrix.disruptive.active is "aproval". Write nothing, confirmation, approval, or refusal. Did you mean approval?',
    ],
    [
      'matrix: { disruptve: {} }',
      '9 projects[0].matrix.disruptve isn’t a key of this file. Known here: reversible, disruptive, destructive, loosening. Did you mean disruptive?',
    ],
    [
      'matrix: { loosening: { active: confirmation } }',
      '9 projects[0].matrix.loosening.active is "confirmation". Write approval or refusal: removing a safeguard always needs approval by someone else.',
    ],
    [
      'matrix: { destructive: { protected: nothing } }',
      '9 projects[0].matrix.destructive.protected is "nothing". Write confirmation, approval, or refusal: a change that can’t be undone always needs confirmation.',
    ],
    [
      'matrix:',
      '9 projects[0].matrix is empty. Write, for example, disruptive: { active: approval }, or leave matrix out.',
    ],
    [
      'approvals: { needed: 11, from: [group:S0LEADS] }',
      '9 projects[0].approvals.needed is 11. Write a whole number from 1 to 10.',
    ],
    [
      'approvals: { needed: "2", from: [group:S0LEADS] }',
      '9 projects[0].approvals.needed is "2". Write a whole number from 1 to 10.',
    ],
    [
      'approvals: { from: [everyone] }',
      '9 projects[0].approvals.from[0] is everyone. Name approvers and admins with user:U… or group:S….',
    ],
    [
      'approvals: { from: ["channel:C0OPS"] }',
      '9 projects[0].approvals.from[0] is a channel. Name approvers and admins with user:U… or group:S….',
    ],
    [
      'approvals: { expires: 30 }',
      '9 projects[0].approvals.expires is 30. Write a length of time from 1m to 7d, for example 30m, 4h, or 2d.',
    ],
    [
      'approvals: { expires: 8d }',
      '9 projects[0].approvals.expires is "8d". Write a length of time from 1m to 7d, for example 30m, 4h, or 2d.',
    ],
    [
      'approvals: { remind: never }',
      '9 projects[0].approvals.remind is "never". Write a length of time from 1m to 7d, for example 30m, 4h, or 2d; or off.',
    ],
    [
      'endpoints: [{ match: [], protected: true }]',
      '9 projects[0].endpoints[0].match is an empty list. Write, for example, ["prod-*", "tag:prod"].',
    ],
    ...['tag:', 'tag: prod', 'Tag:prod', 'tags:prod'].map((written): [string, string] => [
      `endpoints: [{ match: ["${written}"], protected: true }]`,
      `9 projects[0].endpoints[0].match[0] is "${written}". Write a name such as my-llm or "prod-*", or a tag such as "tag:prod".`,
    ]),
    [
      'endpoints: [{ match: [a, b, a], protected: true }]',
      '9 projects[0].endpoints[0].match[2] repeats "a". Remove one of the two.',
    ],
    [
      'endpoints: [{ match: [a] }]',
      '9 projects[0].endpoints[0] sets nothing for the endpoints it matches. Write, for example, { match: ["prod-*"], protected: true }.',
    ],
    [
      'endpoints: [{ match: [a], protected: yes }]',
      '9 projects[0].endpoints[0].protected is "yes". Write true or false.',
    ],
    [
      'bounds: { keep: 30m }',
      '9 projects[0].bounds.keep is "30m". Write a length of time from 1h to 365d, for example 4h or 2d.',
    ],
    ['bounds: { replicas: 0 }', '9 projects[0].bounds.replicas is 0. Write a whole number from 1 to 10000.'],
    [
      'bounds: { away: forever }',
      '9 projects[0].bounds.away is "forever". Write a length of time from 1h to 365d, for example 4h or 2d.',
    ],
  ])('%s is reported with its line and what to write', (more, says) => {
    expect(told(file(more))).toEqual([`lamplighter.yaml:${says}`])
  })

  test('are all reported at once', () => {
    const many =
      'matrix: { disruptive: { active: aproval } }\napprovals: { needed: 0, expires: 10m, fallback: { after: 1h, to: [user:U0ANA] } }\nbounds: { replicas: 1.5 }'
    expect(told(file(many)).map((says) => says.slice(0, 60))).toEqual([
      expect.stringContaining(':9 projects[0].matrix.disruptive.active'),
      expect.stringContaining(':10 projects[0].approvals.needed'),
      expect.stringContaining(':10 projects[0].approvals.fallback.after'),
      expect.stringContaining(':11 projects[0].bounds.replicas'),
    ])
  })
})

describe('approvals that nobody could give', () => {
  test('need more people than are named', () => {
    expect(told(file('approvals:\n  needed: 2'))).toEqual([
      'lamplighter.yaml:10 projects[0].approvals.needed is 2, but only 1 can approve (user:U0BEN). Name more people or a group:S…, or write needed: 1.',
    ])
    expect(told(file('approvals:\n  from: []'))).toEqual([
      'lamplighter.yaml:10 projects[0].approvals.from is too short: needed is 1, but nobody can approve. Name more people or a group:S….',
    ])
  })

  test('are reported for some endpoints too, with what the project says for the rest', () => {
    const more =
      'approvals: { from: [user:U0BEN, user:U0ANA] }\nendpoints:\n  - match: ["prod-*"]\n    approvals: { needed: 3 }'
    expect(told(file(more))).toEqual([
      expect.stringMatching(
        /^lamplighter\.yaml:12 projects\[0\]\.endpoints\[0\]\.approvals\.needed is 3, but only 2 can approve/,
      ),
    ])
  })

  test.each([
    ['a group is among them, which may be of any size', 'approvals: { needed: 5, from: [group:S0LEADS] }'],
    ['admins and the fallback count too', 'approvals: { needed: 2, fallback: { after: 10m, to: [user:U0ANA] } }'],
    ['nothing was written of how many or who', 'approvals: { expires: 1h }'],
  ])('are not reported when %s', (_, more) => {
    expect(told(file(more))).toEqual([])
  })

  test('are reported even if the fallback names nobody valid', () => {
    const more = 'approvals: { needed: 2, from: [user:U0BEN], fallback: { after: 1h, to: [everyone] } }'
    expect(told(file(more))).toEqual([
      expect.stringContaining('approvals.needed is 2, but only 1 can approve'),
      expect.stringContaining('approvals.fallback.after lets the fallback approve after 1 h'),
      expect.stringContaining('approvals.fallback.to[0] is everyone.'),
    ])
  })

  test('include those whose fallback starts after they expire', () => {
    const late =
      'projects[0].approvals.fallback.after lets the fallback approve after 30 min, but the request expires before that (after 30 min).'
    expect(told(file('approvals: { fallback: { after: 30m, to: [user:U0ANA] } }'))[0]).toContain(late)
    const more =
      'approvals: { fallback: { after: 20m, to: [user:U0ANA] } }\nendpoints:\n  - match: [a]\n    approvals: { expires: 10m }'
    expect(told(file(more))).toEqual([
      expect.stringMatching(
        /^lamplighter\.yaml:12 projects\[0\]\.endpoints\[0\]\.approvals\.expires lets the fallback approve after 20 min/,
      ),
    ])
  })
})

describe('the example policy', () => {
  const page = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8')
  const [, example = ''] = /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(page) ?? []

  test('of the manual is valid', () => {
    const { projects } = read(example)
    expect(projects.map(({ name }) => name)).toEqual(['default'])
    expect(told(example)).toEqual([])
  })

  const schema = JSON.parse(readFileSync(new URL('../../generated/lamplighter.schema.json', import.meta.url), 'utf8'))

  test('of the manual has every key, each with a description for editors', () => {
    const keys = new Set(keysIn(schema))
    expect([...keys].filter((key) => !new RegExp(`\\b${key}:`).test(example))).toEqual([])
  })

  test('of the manual, like that of the demo, is valid in an editor, which marks mistakes', () => {
    const editor = z.fromJSONSchema(schema)
    for (const text of [example, demoPolicy]) expect(editor.safeParse(parse(text)).error).toBeUndefined()
    const wrong = example.replace('from: [group:S0LEADS', 'from: [everyone').replace('expires: 30m', 'expires: 30')
    expect(editor.safeParse(parse(wrong)).error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'projects.0.approvals.from.0',
      'projects.0.approvals.expires',
    ])
  })

  test('of the demo is valid', () => {
    expect(told(demoPolicy)).toEqual([])
  })
})

/** The names of all properties of a JSON Schema; expects each of them to have a description. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = 'properties' in schema ? Object.entries(schema.properties ?? {}) : []
  for (const [key, value] of properties) expect(value, key).toMatchObject({ description: expect.any(String) })
  const below = properties.length > 0 ? properties.map(([, value]: [string, unknown]) => value) : Object.values(schema)
  return [...properties.map(([key]) => key), ...below.flatMap(keysIn)]
}
