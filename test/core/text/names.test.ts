import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest, nearestByEdits } from '../../../src/core/text/names.ts'
import { rows } from '../../../src/features/command-table.ts'
import { anyText } from '../../support/text.ts'

const named = (...names: string[]) => names.map((name) => ({ name }))
const endpoints = named('my-llm', 'my-llm-2', 'my-tts', 'Whisper-Large', 'rerank')

function namesNear(word: string, most?: number): readonly string[] {
  return nearest(word, endpoints, most).map(({ name }) => name)
}

test('names with the same beginning come first, ignoring case', () => {
  expect(namesNear('my-l').slice(0, 2)).toEqual(['my-llm', 'my-llm-2'])
  expect(namesNear('whisper')[0]).toBe('Whisper-Large')
})

test('a name is found despite a typo', () => {
  expect(namesNear('my-lml', 1)).toEqual(['my-llm'])
  expect(namesNear('rernak', 1)).toEqual(['rerank'])
})

test('dissimilar names are not offered', () => {
  expect(namesNear('qqqqqq')).toEqual([])
})

test('there are never more matches than requested, and no duplicates', () => {
  const many = named(...Array.from({ length: 300 }, (_, at) => `llm-${at}`))
  fc.assert(
    fc.property(anyText(300), fc.integer({ min: 1, max: 5 }), (word, most) => {
      const found = nearest(word, [...endpoints, ...many], most)
      expect(found.length).toBeLessThanOrEqual(most)
      expect(new Set(found).size).toBe(found.length)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['stp', 'stop'],
  ['restrat', 'restart'],
  ['sceduel', 'schedule'],
  ['lis', 'list'],
  ['hepl', 'help'],
  ['apporve', 'approve'],
])('the verb nearest to “%s” is %s', (word, verb) => {
  expect(nearestByEdits(word, rows, 2)[0]?.name).toBe(verb)
})

test.each(['qqq', 'my-llm', 'x'])('“%s” is not near any verb', (word) => {
  expect(nearestByEdits(word, rows, 2)).toEqual([])
})
