import { expect, test } from 'vitest'
import { createVersions } from '../../src/adapters/redis/integrity/request-texts.ts'
import { terms } from '../../src/core/model/limits.ts'
import { Tampered } from '../../src/core/ports/services.ts'

const clock = { at: 0, monotonic: () => clock.at }

test('An old version is not believed for as long as it could still begin anything', () => {
  const versions = createVersions(clock)
  versions.reading('r1')(3)
  clock.at += terms.ask + terms.start - 1
  versions.saw('r2', 1)
  expect(() => versions.reading('r1')(2)).toThrow(Tampered)
  expect(() => versions.reading('r1')(3)).not.toThrow()
  clock.at += 2 * (terms.ask + terms.start)
  versions.saw('r2', 2)
  expect(() => versions.reading('r1')(2)).not.toThrow()
})

test('A read is held against what had been seen when it was asked for, so answers may come in any order', () => {
  const versions = createVersions(clock)
  versions.saw('r1', 1)
  const early = versions.reading('r1')
  versions.saw('r1', 2)
  expect(() => early(1)).not.toThrow()
  expect(() => versions.reading('r1')(1)).toThrow(Tampered)
})

test('Only so many requests are remembered, the ones looked at last', () => {
  const versions = createVersions(clock)
  versions.saw('first', 9)
  versions.saw('second', 9)
  versions.saw('first', 9)
  for (let at = 0; at < 49_999; at += 1) versions.saw(`r${at}`, 2)
  expect(() => versions.reading('first')(1)).toThrow(Tampered)
  expect(() => versions.reading('second')(1)).not.toThrow()
})
