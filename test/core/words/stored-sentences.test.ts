import { describe, expect, test } from 'vitest'
import { requestView } from '../../../src/adapters/api/views.ts'
import { languages, type Sentence, say, type Words } from '../../../src/core/model/words.ts'
import { asText } from '../../../src/core/words/render.ts'
import { commands } from '../../../src/features/command-table.ts'
import { english, type SentenceId } from '../../../src/words/english.ts'
import { retiredEnglish } from '../../../src/words/retired.ts'
import { asked } from '../../adapters/slack/requests.ts'
import kept from '../../golden/sentences.json' with { type: 'json' }

/*
 * Every sentence that 0.1.0 stored, with its values. A sentence whose values change needs a new id, or an option `none` for
 * what older requests don't have; its old id moves to `words/retired.ts`.
 */
const stored = kept as unknown as readonly Sentence[]
const sentences: Readonly<Record<string, string>> = { ...retiredEnglish, ...english }

/** The ids of a sentence and of those inside it. */
function idsIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"say":"([^"]+)"/g)].map(([, id = '']) => id)
}

function viewOf(...means: readonly Words[]) {
  return requestView(commands, asked({}, { means }), { link: null, zone: 'UTC' }).says
}

describe('A stored sentence of an earlier release', () => {
  test('is shown whole in both languages', () => {
    const broken = stored.flatMap((sentence) => {
      const ids = idsIn(sentence)
      const mayHaveDots = `${ids.map((id) => sentences[id]).join()}${JSON.stringify(sentence)}`.includes('…')
      const texts = languages.map((language) => asText(sentence, language))
      const isWhole = texts.every((text) => text !== '' && !(mayHaveDots ? /NaN/ : /NaN|…/).test(text))
      return isWhole && ids.every((id) => id in sentences) ? [] : [[sentence.say, ...texts]]
    })
    expect(broken).toEqual([])
  })

  test('is still there if nothing says it any more', () => {
    const ids = new Set(stored.flatMap(idsIn))
    expect(Object.keys(retiredEnglish).filter((id) => !ids.has(id) || id in english)).toEqual([])
    const until = { at: Date.parse('2026-11-24T09:00:00Z') }
    const { en, ko } = viewOf(say('keep.until' as SentenceId, { name: 'my-llm', until }))
    expect(en).toContain('Nothing stops or starts my-llm automatically until 2026-11-24T09:00Z.')
    expect(ko).toContain('2026-11-24T09:00Z까지 my-llm을 자동으로 시작하거나 중지하지 않습니다.')
  })

  test('that no version here knows is never shown as its id', () => {
    const { en, ko } = viewOf(say('keep.later' as SentenceId, { name: 'my-llm' }))
    expect(en).toContain('(written by another version)')
    expect(ko).toContain('(다른 버전에서 작성한 내용)')
  })
})
