import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../sandbox/slack/json.ts'
import { checkSuggestions } from '../../../../sandbox/slack/validate/suggestions.ts'
import { search, suggestions } from '../../../../src/adapters/slack/inbound/autocomplete.ts'
import type { Endpoint } from '../../../../src/core/model/endpoint.ts'
import { list } from '../../../../src/features/endpoints/list.ts'
import { patch } from '../../../../src/features/endpoints/patch.ts'
import { restart } from '../../../../src/features/endpoints/restart.ts'
import { scale } from '../../../../src/features/endpoints/scale.ts'
import { start } from '../../../../src/features/endpoints/start.ts'
import { stop } from '../../../../src/features/endpoints/stop.ts'

const two: readonly Endpoint[] = [
  { id: 'ep-b', name: 'b-stopped', active: false },
  { id: 'ep-a', name: 'a-active', active: true },
]

function names(endpoints: readonly Endpoint[], typed: string, active: boolean | null = null): readonly string[] {
  return search(endpoints, typed, active).map(({ name }) => name)
}

describe('Suggested endpoints', () => {
  test.each([
    ['stop', stop, ['ep-a', 'ep-b']],
    ['start', start, ['ep-b', 'ep-a']],
    ['scale', scale, ['ep-a', 'ep-b']],
    ['restart', restart, ['ep-a', 'ep-b']],
    ['patch', patch, ['ep-a', 'ep-b']],
    ['list', list, ['ep-a', 'ep-b']],
  ] as const)('for %s begin with those it can act on', (_, row, expected) => {
    expect(suggestions(two, '', row, 'en').map(({ value }) => value)).toEqual(expected)
  })

  test('are those that begin with the typed text, then those that contain it, then near misses', () => {
    const all = ['zeta-llm', 'llm-b', 'LLM-a', 'other'].map(
      (name, at): Endpoint => ({
        id: `ep-${at}`,
        name,
        active: null,
      }),
    )
    expect(names(all, 'llm')).toEqual(['LLM-a', 'llm-b', 'zeta-llm'])
    expect(names(all, 'otehr')).toEqual(['other'])
    expect(names(all, 'ep-3')).toEqual(['other'])
  })

  test('show no id if the name is unique', () => {
    const [stopped] = suggestions(two, 'b-', stop, 'en')
    expect(stopped).toMatchObject({ text: { text: 'b-stopped' }, description: { text: '⚪ stopped' } })
  })

  test('of the same name show their ids', () => {
    const twins = ['ep-1', 'ep-2'].map((id): Endpoint => ({ id, name: 'twin', active: true }))
    expect(suggestions(twins, 'twin', stop, 'en').map(({ description }) => description?.text)).toEqual([
      'ep-1 · 🟢 running',
      'ep-2 · 🟢 running',
    ])
  })

  test.each(['x', '&<>', '👩‍💻', '\u202e', '\u0301', ' ', ''])('stay within Slack’s limits with %j', (part) => {
    const name = part.repeat(500)
    const all = Array.from(
      { length: 150 },
      (_, at): Endpoint => ({
        id: `ep-${at}${'i'.repeat(60)}`,
        name,
        active: null,
      }),
    )
    for (const typed of ['', name.slice(0, 10), 'z'.repeat(3_000), 'q&<>'])
      expect(checkSuggestions({ options: suggestions(all, typed.trim(), stop, 'en') } as unknown as Json)).toEqual([])
  })
})
