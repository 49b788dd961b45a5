import { describe, expect, test } from 'vitest'
import { type ApprovalSettings, usualApprovalSettings } from '../../../src/core/model/policy.ts'
import type { Ask, Vote } from '../../../src/core/model/question.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { Actor, Person, RequesterContext, Role } from '../../../src/core/model/roles.ts'
import { answerersOf, answerRightOf, approversIn } from '../../../src/core/policy/who-answers.ts'

const who = (user: string): Actor => ({ team: 'T0HOME', user })
const [ana, ben, cleo, dora] = ['U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA'].map(who) as [Actor, Actor, Actor, Actor]

function stands(actor: Actor, role: Role | null, more: Partial<Person> = {}): RequesterContext {
  return { actor, role, person: { user: actor.user, membership: 'full', groups: new Set(), ...more } }
}

function asked(asking: Partial<ApprovalSettings> = {}, votes: readonly Vote[] = [], ask: Partial<Ask> = {}) {
  const whole = { n: 1, at: 0, expiresAt: 1, why: '', rule: '', reminded: 0, remindAt: null, ...ask }
  return {
    actor: ana,
    requirement: 'approval',
    votes,
    ask: { ...whole, asking: { ...usualApprovalSettings, ...asking } },
  } as Pick<Request, 'actor' | 'ask' | 'votes' | 'requirement'>
}

describe('An approval', () => {
  test('can be given only by an approver or an admin', () => {
    const kinds = (['viewer', 'operator', 'approver', 'admin'] as const).map(
      (role) => answerRightOf(asked(), stands(ben, role), []).kind,
    )
    expect(kinds).toEqual(['not', 'not', 'may', 'may'])
  })

  test('is never given by the requester, whatever their role or mandates', () => {
    expect(answerRightOf(asked(), stands(ana, 'admin'), [stands(ben, 'approver')]).kind).toBe('own')
  })

  test('from a list can be given only by people on it, not by other admins', () => {
    const listed = asked({ from: [{ kind: 'group', id: 'S0LEADS' }] })
    expect(answerRightOf(listed, stands(cleo, 'viewer', { groups: new Set(['S0LEADS']) }), []).kind).toBe('may')
    expect(answerRightOf(listed, stands(ben, 'admin'), []).kind).toBe('not')
  })

  test.each(['guest', 'outside'] as const)(
    'does not count from a person who is %s, even if they are listed',
    (membership) => {
      const listed = asked({ from: [{ kind: 'user', id: 'U0BEN' }] })
      expect(answerRightOf(listed, stands(ben, 'viewer', { membership: membership }), []).kind).toBe('not')
      expect(
        answerRightOf(asked(), stands(cleo, 'viewer', { membership: membership }), [stands(ben, 'approver')]).kind,
      ).toBe('not')
    },
  )

  test('can be given by the fallback group only after the fallback delay', () => {
    const fallback = { after: 60_000, to: [{ kind: 'user', id: 'U0CLEO' }] } as const
    expect(answerRightOf(asked({ fallback }), stands(cleo, 'viewer'), []).kind).toBe('not')
    expect(answerRightOf(asked({ fallback }, [], { fellBackAt: 5 }), stands(cleo, 'viewer'), []).kind).toBe('may')
  })

  test('counts once per person', () => {
    expect(answerRightOf(asked({ needed: 2 }, [{ by: ben, at: 0 }]), stands(ben, 'approver'), []).kind).toBe('voted')
    const stoodIn: Vote = { by: cleo, at: 0, for: ben }
    expect(
      answerRightOf(asked({ needed: 2 }, [stoodIn]), stands(cleo, 'approver'), [stands(dora, 'approver')]).kind,
    ).toBe('voted')
  })
})

test('A person for whom somebody has voted is not asked any more', () => {
  const request = asked({ needed: 2, from: [ben, dora].map(({ user: id }) => ({ kind: 'user', id })) }, [
    { by: cleo, at: 0, for: ben },
  ])
  expect(answerersOf(request, () => []).now).toEqual([{ kind: 'user', id: dora.user }])
})

test('An approver who is an admin too is named once', () => {
  expect(approversIn({ from: null }, () => [{ kind: 'user', id: ben.user }])).toEqual([{ kind: 'user', id: ben.user }])
})

describe('A stand-in', () => {
  test('approves for an approver who is away', () => {
    expect(answerRightOf(asked(), stands(cleo, 'viewer'), [stands(ben, 'approver')])).toEqual({ kind: 'may', for: ben })
  })

  test('who is an approver too votes for themselves', () => {
    expect(answerRightOf(asked(), stands(cleo, 'approver'), [stands(ben, 'approver')])).toEqual({ kind: 'may' })
  })

  test('cannot approve for a non-approver, for the requester, or for someone who has voted', () => {
    const votes: readonly Vote[] = [{ by: ben, at: 0 }]
    expect(answerRightOf(asked(), stands(cleo, 'viewer'), [stands(dora, 'operator')]).kind).toBe('not')
    expect(answerRightOf(asked(), stands(cleo, 'viewer'), [stands(ana, 'approver')]).kind).toBe('not')
    expect(answerRightOf(asked({ needed: 2 }, votes), stands(cleo, 'viewer'), [stands(ben, 'approver')]).kind).toBe(
      'not',
    )
  })

  test('cannot vote for an absent person for whom another stand-in has voted', () => {
    const votes: readonly Vote[] = [{ by: dora, at: 0, for: ben }]
    expect(answerRightOf(asked({ needed: 2 }, votes), stands(cleo, 'viewer'), [stands(ben, 'approver')]).kind).toBe(
      'not',
    )
  })
})

test('an operator can confirm, even if they are the requester', () => {
  const confirmation = { ...asked(), requirement: 'confirmation' } as const
  expect(answerRightOf(confirmation, stands(ana, 'operator'), []).kind).toBe('may')
  expect(answerRightOf(confirmation, stands(cleo, 'viewer'), [stands(ben, 'approver')]).kind).toBe('not')
})

test('only an admin, who may be the requester, can confirm or decline the end of a lockdown', () => {
  const unlocking = { ...asked(), requirement: 'confirmation', change: { drop: ['lockdown'] } } as const
  const kinds = (['viewer', 'operator', 'approver', 'admin'] as const).map(
    (role) => answerRightOf(unlocking, stands(ana, role), []).kind,
  )
  expect(kinds).toEqual(['not', 'not', 'not', 'may'])
})
