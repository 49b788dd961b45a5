import { describe, expect, test } from 'vitest'
import { fits } from '../../../src/core/model/automation.ts'
import {
  type Impact,
  type Policy,
  type PolicyDecision,
  type Requirement,
  requirements,
  type Standing,
  usualApprovalSettings,
} from '../../../src/core/model/policy.ts'
import { evaluatePolicy, isStricter, protectedBy, protectionOf } from '../../../src/core/policy/requirement.ts'
import { plainPolicy as policy } from '../../support/policy.ts'
import { inEnglish } from '../../support/words.ts'

const prod = { name: 'prod-llm', tags: ['gpu', 'customers'] }

describe('The policy', () => {
  test.each<[Impact, Standing, Requirement]>([
    ['reversible', 'dormant', 'nothing'],
    ['reversible', 'active', 'nothing'],
    ['reversible', 'protected', 'nothing'],
    ['disruptive', 'dormant', 'nothing'],
    ['disruptive', 'active', 'confirmation'],
    ['disruptive', 'protected', 'approval'],
    ['destructive', 'dormant', 'confirmation'],
    ['destructive', 'active', 'approval'],
    ['destructive', 'protected', 'refusal'],
    ['loosening', 'dormant', 'approval'],
    ['loosening', 'active', 'approval'],
    ['loosening', 'protected', 'approval'],
  ])('decides that a %s change to an endpoint that is %s needs: %s', (impact, exposure, requirement) => {
    expect(inEnglish(evaluatePolicy(policy, impact, exposure, prod))).toEqual({
      requirement,
      asking: usualApprovalSettings,
      inWords: expect.stringMatching(/^Why: [^(]+\.$/) as string,
    })
  })

  test('takes each setting from the first matching entry that has it, and names that entry', () => {
    const overrides: Policy['overrides'] = [
      { match: ['dev-*'], matrix: { disruptive: { active: 'nothing' } } },
      { match: ['tag:customers'], asking: { needed: 2 } },
      { match: ['prod-*'], matrix: { disruptive: { active: 'approval' } }, asking: { needed: 3, expires: 60_000 } },
      { match: ['*'], matrix: { disruptive: { active: 'refusal' } } },
    ]
    expect(inEnglish(evaluatePolicy({ ...policy, overrides }, 'disruptive', 'active', prod))).toEqual({
      requirement: 'approval',
      asking: { ...usualApprovalSettings, needed: 2, expires: 60_000 },
      inWords:
        'Why: this changes a running endpoint (policy for prod-*); 2 approvals required for endpoints tagged customers.',
    })
  })

  test('names a matrix cell from the file, and calls the others default', () => {
    const written: Policy = { ...policy, written: { disruptive: { active: 'confirmation' } } }
    const rules = (['active', 'protected'] as const).map((one) => evaluatePolicy(written, 'disruptive', one, prod))
    expect(inEnglish(rules.map(({ inWords }) => inWords))).toEqual([
      'Why: this changes a running endpoint (this project’s policy).',
      'Why: the endpoint is protected.',
    ])
  })

  test('does not apply endpoint entries to the project', () => {
    const overrides: Policy['overrides'] = [{ match: ['*'], matrix: { loosening: { active: 'refusal' } } }]
    expect(evaluatePolicy({ ...policy, overrides }, 'loosening', 'active').requirement).toBe('approval')
  })

  test('protects an endpoint if any entry does, whatever the others say', () => {
    const overrides: Policy['overrides'] = [
      { match: ['prod-llm'], protected: false },
      { match: ['x', 'tag:cust*'], protected: true },
    ]
    expect(protectedBy({ ...policy, overrides }, prod)).toEqual({ at: 1, by: 'tag:cust*' })
    expect(inEnglish(protectionOf({ id: 'ep-1', active: true, ...prod }, { ...policy, overrides }, new Map()))).toEqual(
      {
        says: 'Protected by the policy file: endpoints[1] (tag:cust*).',
      },
    )
    expect(protectedBy({ ...policy, overrides }, { name: 'prod-llm' })).toBeNull()
  })

  test.each([
    ['prod-*', true],
    ['prod-llm', true],
    ['*llm', true],
    ['prod', false],
    ['PROD-*', false],
    ['p.od-llm', false],
    ['tag:gpu', true],
    ['tag:g', false],
    ['*-*', true],
    ['prod-*llm', true],
    ['prod-l*llm', false],
    ['*o*-*m', true],
    ['*m*-*o', false],
    ['**', true],
  ])('matches the pattern %s: %s', (pattern, expected) => {
    expect(fits(pattern, prod)).toBe(expected)
  })

  test('matches a pattern of many stars against a long name without backtracking', () => {
    // With backtracking this would take years.
    expect(fits(`${'*a'.repeat(60)}*b`, { name: 'a'.repeat(255) })).toBe(false)
    expect(fits(`${'*a'.repeat(60)}*`, { name: 'a'.repeat(255) })).toBe(true)
  })

  test('orders nothing, confirmation, approval and refusal by strictness; none is stricter than itself', () => {
    const found = requirements.map((now) =>
      requirements.filter((before) => isStricter(demanding(now), demanding(before))),
    )
    expect(found).toEqual([[], ['nothing'], ['nothing', 'confirmation'], ['nothing', 'confirmation', 'approval']])
  })

  test('treats an approval by more people as stricter, by fewer as not', () => {
    expect(isStricter(demanding('approval', 2), demanding('approval', 1))).toBe(true)
    expect(isStricter(demanding('approval', 1), demanding('approval', 2))).toBe(false)
    expect(isStricter(demanding('confirmation', 2), demanding('confirmation', 1))).toBe(false)
  })
})

function demanding(requirement: Requirement, needed = 1): PolicyDecision {
  return { requirement, asking: { ...usualApprovalSettings, needed }, inWords: '' }
}
