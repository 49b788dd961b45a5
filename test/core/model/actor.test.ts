import { expect, test } from 'vitest'
import { isSame } from '../../../src/core/model/roles.ts'

test('two actors are the same person only if both team and user match', () => {
  const ana = { team: 'T1', user: 'U1' }
  expect(isSame(ana, { ...ana })).toBe(true)
  expect(isSame(ana, { ...ana, team: 'T2' })).toBe(false)
  expect(isSame(ana, { ...ana, user: 'U2' })).toBe(false)
})
