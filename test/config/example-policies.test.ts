import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { reportOf } from '../../src/cli/check-policy.ts'
import { checkedFile, remarksOf } from '../../src/config/policy-file/check.ts'
import { readLine } from '../../src/core/commands/parse.ts'
import type { Endpoint } from '../../src/core/model/endpoint.ts'
import { usualMatrix } from '../../src/core/model/policy.ts'
import { endpointStanding, evaluatePolicy } from '../../src/core/policy/requirement.ts'
import { rows } from '../../src/features/command-table.ts'

/* Checks the teams of docs/policy-examples.md: their files are valid and ask for what the page says. */

const folder = new URL('../../docs/', import.meta.url)
const page = readFileSync(new URL('policy-examples.md', folder), 'utf8')
const teams = readdirSync(new URL('policies', folder)).map((name) => name.replace('.yaml', ''))

function fileOf(team: string): string {
  return readFileSync(new URL(`policies/${team}.yaml`, folder), 'utf8')
}

function checked(team: string) {
  return checkedFile(`${team}.yaml`, {}, () => fileOf(team))
}

test('The page has five teams, each with its file', () => {
  expect(teams).toHaveLength(5)
  for (const team of teams) {
    expect(page).toContain(`(policies/${team}.yaml)`)
    expect(promised.map(([, of]) => of)).toContain(team)
  }
})

describe.each(teams)('The policy of %s', (team) => {
  test('is valid and gives no warnings', () => {
    const result = checked(team)
    expect(result.mistakes).toEqual([])
    expect(reportOf(result)).toContain(`${team}.yaml is valid`)
    expect(result.projects.flatMap(({ name, policy }) => remarksOf(name, policy))).toEqual([])
    // All other notes depend on the variables and the workspace of the reader.
    expect(result.notes.filter((note) => !/isn’t set here|user groups are named/.test(note))).toEqual([])
  })

  test('is valid in an editor too', () => {
    const schema = JSON.parse(readFileSync(new URL('../generated/lamplighter.schema.json', folder), 'utf8'))
    expect(z.fromJSONSchema(schema).safeParse(parse(fileOf(team))).error).toBeUndefined()
  })
})

test('The README has a valid policy of ten lines', () => {
  const readme = readFileSync(new URL('../README.md', folder), 'utf8')
  const [text = ''] = [...readme.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, code]) => code)
  expect(text.trim().split('\n')).toHaveLength(10)
  const { mistakes, projects } = checkedFile('lamplighter.yaml', {}, () => text)
  expect([mistakes, projects.flatMap(({ name, policy }) => remarksOf(name, policy))]).toEqual([[], []])
  expect(projects[0]?.policy.roles).toMatchObject({ viewer: [{ kind: 'everyone' }], operator: [{ kind: 'group' }] })
})

test('docs/commands.md shows the default matrix', () => {
  const manual = readFileSync(new URL('commands.md', folder), 'utf8')
  const shown = [...manual.matchAll(/^\| \*\*(\w+)\*\*.* \| (\w+) \| (\w+) \| (\w+) \|$/gm)]
  const cells = shown.map(([, impact, dormant, active, held]) => [impact, { dormant, active, protected: held }])
  expect(Object.fromEntries(cells)).toEqual(usualMatrix)
})

const promised = [
  ...page.matchAll(/^\| ([\w-]+) \| `\/endpoint ([^`]+)`(?: with the tag `(\w+)`)? \| (\w+) \| (.+) \|$/gm),
]

test.each(promised.map(([, ...cells]) => cells))(
  '%s: %s (%s, %s) asks for %s',
  (team = '', line = '', tag, state, asks) => {
    const parsed = readLine(line, rows)
    if (parsed.kind !== 'line' || parsed.read.row.kind !== 'operation') throw new Error(`${line} is no operation.`)
    const { row, values } = parsed.read
    const endpoint = {
      id: 'ep',
      name: String(values['endpoint']),
      active: state === 'running',
      tags: tag ? [tag] : [],
    } as Endpoint
    const [{ policy } = { policy: undefined }] = checked(team).projects
    if (policy === undefined) throw new Error(`${team} has no project.`)
    const { requirement, asking } = evaluatePolicy(
      policy,
      row.impact(values, { endpoint }),
      endpointStanding(endpoint, policy, new Map()),
      endpoint,
    )
    expect(
      requirement === 'approval' ? (asking.needed === 1 ? '1 approval' : `${asking.needed} approvals`) : requirement,
    ).toBe(asks)
  },
)
