import { describe, expect, test } from 'vitest'
import { idNote, namedAmong } from '../../../src/core/model/endpoint.ts'
import { english } from '../../support/words.ts'

function isAmbiguous(name: string, ...others: readonly string[]): boolean {
  const all = [name, ...others].map((one, at) => ({ id: `ep-${at}`, name: one }))
  return namedAmong({ id: 'ep-0', name }, all).ambiguous === true
}

describe('An endpoint is shown with its id if its name', () => {
  test.each([
    ['has a Cyrillic у', 'm\u0443-llm'],
    ['has a zero-width space', 'my-\u200bllm'],
    ['has a mark that changes the text direction', 'my-llm\u202c'],
    ['has a dash instead of a hyphen', 'my\u2013llm'],
    ['is written in full-width letters', 'ｍｙ－ｌｌｍ'],
    ['is written in another script', 'модель'],
    ['has a colon', 'my:llm'],
    ['has a single Korean letter that resembles an O', 'my-llmㅇ'],
  ])('%s', (_, name) => {
    expect(isAmbiguous(name)).toBe(true)
  })

  test.each(['my-llm', 'My-LLM', 'ｍｙ-ｌｌｍ', 'my-llm '])('my-llm looks like another endpoint’s name %j', (other) => {
    expect(isAmbiguous('my-llm', 'my-tts', other)).toBe(true)
  })

  test('STRASSE looks like another endpoint’s name straße', () => {
    expect(isAmbiguous('STRASSE', 'straße')).toBe(true)
  })
})

test.each(['my-llm', 'My LLM 2.0_b', '챗봇-8b', ''])('the name %j needs no id beside other plain names', (name) => {
  expect(isAmbiguous(name, 'my-tts', 'my_llm', 'my-lm', 'm\u0443-llm')).toBe(false)
})

test('the note names the id, and is empty if the name is unambiguous', () => {
  expect(english(idNote({ id: 'ep-1', name: 'x', ambiguous: true }))).toMatch(/^Its id is ep-1;/)
  expect(idNote({ id: 'ep-1', name: 'x' })).toBe('')
})
