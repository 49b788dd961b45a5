import { describe, expect, test } from 'vitest'
import { hasLookAlike, lookOf } from '../../src/core/model/endpoint.ts'

describe('A name looks the same as', () => {
  test.each([
    ['in other case', 'My-LLM'],
    ['with a Cyrillic у', 'm\u0443-llm'],
    ['with a Greek Μ', '\u039cy-llm'],
    ['in full width', 'ｍｙ－ｌｌｍ'],
    ['in bold letters of mathematics', '𝐦𝐲-𝐥𝐥𝐦'],
    ['with a space of no width', 'my-\u200bllm'],
    ['with a mark that turns the direction', 'my-llm\u202c'],
    ['with another dash', 'my\u2013llm'],
    ['with a one for an l', 'my-1lm'],
    ['with rn for m', 'rny-llrn'],
    ['with a blank at its end', 'my-llm\u00a0'],
    ['in two characters for one', 'my-llm'.normalize('NFD')],
  ])('my-llm %s', (_, name) => {
    expect(lookOf(name)).toBe(lookOf('my-llm'))
  })

  test.each(['my-llm-2', 'my-tts', 'my_llm', 'my-lm', 'mÿ-llm', 'your-llm', ''])('%j does not', (name) => {
    expect(lookOf(name)).not.toBe(lookOf('my-llm'))
  })

  test.each([
    ['vllm-0', 'vllm-O'],
    ['модель', 'мoдeль'],
    ['İ', 'İ'],
  ])('%s and %s do', (one, other) => {
    expect(lookOf(one)).toBe(lookOf(other))
  })
})

test('one of a list has a look-alike where another one is or looks the same, and never in itself', () => {
  const all = [
    { id: 'ep-1', name: 'my-llm' },
    { id: 'ep-2', name: 'My-LLM' },
    { id: 'ep-3', name: 'my-tts' },
  ]
  expect(all.map((one) => hasLookAlike(one, all))).toEqual([true, true, false])
  expect(hasLookAlike({ id: 'ep-9', name: 'MY-TTS' }, all)).toBe(true)
  expect(hasLookAlike({ id: 'ep-9', name: 'other' }, all)).toBe(false)
})
