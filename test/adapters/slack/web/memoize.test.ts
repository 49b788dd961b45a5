import { expect, test } from 'vitest'
import { memoize } from '../../../../src/adapters/slack/web/failures.ts'

function asked() {
  const clock = { time: 0, now: () => clock.time }
  const questions: string[] = []
  const ask = memoize(clock, async (key: string) => {
    questions.push(key)
    if (key === 'bad') throw new Error('Nobody knows.')
    return `${key} ${questions.length}`
  })
  return { clock, questions, ask }
}

test('each answer is remembered for a minute of its own', async () => {
  const { clock, questions, ask } = asked()
  expect(await ask('a')).toBe('a 1')
  clock.time = 30_000
  expect(await ask('b')).toBe('b 2')
  clock.time = 59_999
  expect([await ask('a'), await ask('b')]).toEqual(['a 1', 'b 2'])
  clock.time = 60_000
  expect([await ask('a'), await ask('b')]).toEqual(['a 3', 'b 2'])
  expect(questions).toEqual(['a', 'b', 'a'])
})

test('a failure is not remembered, but shared by simultaneous callers', async () => {
  const { questions, ask } = asked()
  await Promise.all([expect(ask('bad')).rejects.toThrow('Nobody knows.'), expect(ask('bad')).rejects.toThrow()])
  expect(questions).toEqual(['bad'])
  await expect(ask('bad')).rejects.toThrow('Nobody knows.')
  expect(questions).toEqual(['bad', 'bad'])
})

test('an answer that is older than the caller allows is asked for again', async () => {
  const { clock, questions, ask } = asked()
  await ask('a')
  clock.time = 14_999
  expect(await ask('a', 15_000)).toBe('a 1')
  clock.time = 15_000
  expect(await ask('a', 15_000)).toBe('a 2')
  expect(questions).toHaveLength(2)
})

test('a caller that allows no age gets a new answer, which is then remembered', async () => {
  const { clock, questions, ask } = asked()
  const before = ask('a')
  expect(await Promise.all([before, ask('a', 0), ask('a', 0)])).toEqual(['a 1', 'a 2', 'a 2'])
  clock.time = 1
  expect(await ask('a', 0)).toBe('a 3')
  expect(await ask('a')).toBe('a 3')
  expect(questions).toHaveLength(3)
})

test('a caller that allows no age shares a new answer that is pending, but not a finished one', async () => {
  const { clock, questions, ask } = asked()
  const first = ask('a', 0)
  clock.time = 1
  expect(await Promise.all([first, ask('a', 0)])).toEqual(['a 1', 'a 1'])
  clock.time = 2
  expect(await ask('a', 0)).toBe('a 2')
  expect(questions).toHaveLength(2)
})

test('the number of remembered answers is limited', async () => {
  const { questions, ask } = asked()
  for (let at = 0; at < 2_001; at += 1) await ask(`key ${at}`)
  await ask('key 0')
  expect(questions).toHaveLength(2_002)
})
