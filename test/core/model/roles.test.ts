import { describe, expect, test } from 'vitest'
import {
  type AskedIn,
  includes,
  type Member,
  names,
  type Person,
  type Role,
  type Roles,
  roleNames,
  roleOf,
} from '../../../src/core/model/roles.ts'

const ops: AskedIn = { channel: 'C0OPS', private: false }
const ana: Person = { user: 'U0ANA', membership: 'full', groups: new Set(['S0OPS']) }

function rolesWith(given: Partial<Record<Role, readonly Member[]>>): Roles {
  return { viewer: [], operator: [], approver: [], admin: [], ...given }
}

const everyone: Member = { kind: 'everyone' }
const user: Member = { kind: 'user', id: 'U0ANA' }
const group: Member = { kind: 'group', id: 'S0OPS' }
const channel: Member = { kind: 'channel', id: 'C0OPS' }

describe('A person’s role', () => {
  test('is none if every list is empty', () => {
    expect(roleOf(ana, ops, rolesWith({}))).toBeNull()
  })

  test.each(roleNames)('%s is given to a user, a group or everyone listed for it', (role) => {
    const held = [user, group, everyone].map((member) => roleOf(ana, ops, rolesWith({ [role]: [member] })))
    expect(held).toEqual([role, role, role])
  })

  test('is none if only another user, group or channel is listed', () => {
    const others: readonly Member[] = [
      { kind: 'user', id: 'U0BEN' },
      { kind: 'group', id: 'S0OTHER' },
      { kind: 'channel', id: 'C0OTHER' },
      { kind: 'user', id: 'S0OPS' },
      { kind: 'group', id: 'U0ANA' },
    ]
    const roles = rolesWith({ viewer: others, operator: others, approver: others, admin: others })
    expect(roleOf(ana, { ...ops, private: true }, roles)).toBeNull()
  })

  test('is the highest one listed, in any position', () => {
    const roles = rolesWith({ viewer: [everyone], operator: [group], admin: [{ kind: 'user', id: 'U0BEN' }, user] })
    expect(roleOf(ana, ops, roles)).toBe('admin')
    expect(roleOf({ ...ana, user: 'U0EVA' }, ops, roles)).toBe('operator')
    expect(roleOf({ ...ana, user: 'U0EVA', groups: new Set() }, ops, roles)).toBe('viewer')
  })

  test.each<[Role, boolean, Role | null]>([
    ['viewer', false, 'viewer'],
    ['viewer', true, 'viewer'],
    ['operator', false, null],
    ['operator', true, 'operator'],
    ['approver', false, null],
    ['approver', true, null],
    ['admin', false, null],
    ['admin', true, null],
  ])('from a channel listed for %s, private: %s, is %s', (role, isPrivate, held) => {
    expect(roleOf(ana, { ...ops, private: isPrivate }, rolesWith({ [role]: [channel] }))).toBe(held)
  })

  test('is at most viewer for a guest, and only if listed by name', () => {
    const guest: Person = { ...ana, membership: 'guest' }
    for (const role of roleNames) {
      expect(roleOf(guest, ops, rolesWith({ [role]: [user] }))).toBe('viewer')
      expect(roleOf(guest, { ...ops, private: true }, rolesWith({ [role]: [everyone, group, channel] }))).toBeNull()
    }
  })

  test('is none for people outside the workspace, even if listed', () => {
    const all = [everyone, user, group, channel]
    const stranger: Person = { ...ana, membership: 'outside' }
    const roles = rolesWith({ viewer: all, operator: all, approver: all, admin: all })
    expect(roleOf(stranger, { ...ops, private: true }, roles)).toBeNull()
  })

  test('includes all lower roles', () => {
    const included = [null, ...roleNames].map((held) => roleNames.filter((needed) => includes(held, needed)))
    expect(included).toEqual([
      [],
      ['viewer'],
      ['viewer', 'operator'],
      ['viewer', 'operator', 'approver'],
      ['viewer', 'operator', 'approver', 'admin'],
    ])
  })
})

test('In a list such as that of tokens, everyone means full members; a guest must be named', () => {
  const [guest, stranger] = (['guest', 'outside'] as const).map((membership): Person => ({ ...ana, membership }))
  expect([ana, guest, stranger].map((person) => names(everyone, person!))).toEqual([true, false, false])
  expect(names(user, guest!)).toBe(true)
})
