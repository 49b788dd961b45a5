import { expect, test } from 'vitest'
import { shownMessage } from '../../../../src/adapters/slack/messages/draw.ts'
import { say } from '../../../../src/core/model/words.ts'
import { instant } from '../../../../src/core/time/format.ts'
import { ana } from '../requests.ts'
import { linesOf } from '../showing.ts'

const ms = Date.UTC(2026, 10, 20, 9, 30)

test('a row for everybody says so, even if it mentions nobody by name', () => {
  const says = (text: string) =>
    JSON.stringify(shownMessage({ title: 'Whoami', items: [{ text, whom: [{ kind: 'everyone' }] }] }, 'en').blocks)
  expect(says('The policy gives this role to')).toContain('The policy gives this role to anyone in this workspace')
  expect(says(`Until ${instant(ms)} these:`)).toContain('anyone in this workspace')
})

test('a time below a row is shown in the zone of its reader', () => {
  const blocks = (who?: typeof ana) =>
    shownMessage(
      {
        title: 'History',
        items: [{ text: 'freeze', detail: `frozen until ${instant(ms)}`, ...(who && { who }) }],
        foot: `Since ${instant(ms)}`,
      },
      'en',
    ).blocks
  for (const shown of [blocks(), blocks(ana)]) {
    expect(JSON.stringify(shown).match(/<!date/g)).toHaveLength(2)
    expect(shown.filter(({ type }) => type === 'context')).toHaveLength(2)
  }
})

test('a name has its mark before it and one line below it, with or without times and people', () => {
  const name = { text: 'my-llm', strong: true, mark: 'running' } as const
  const details = ['stops soon', `stops ${instant(ms)}`, say('people.list', { people: { person: ana } })]
  const { blocks } = shownMessage({ title: 'Endpoints', items: details.map((detail) => ({ ...name, detail })) }, 'en')
  const [, ...rows] = linesOf({ blocks })
  expect(rows.map((one) => one.replaceAll('*', ''))).toEqual([
    '🟢 my-llm\nstops soon',
    expect.stringMatching(/^🟢 my-llm\nstops .*20/),
    '🟢 my-llm\n@ana',
  ])
  expect(JSON.stringify(blocks).match(/"text":"my-llm","style":\{"bold":true\}|\*my-llm\*/g)).toHaveLength(3)
})

test('the result of a request is bold beside its menu and keeps the typography of our sentences', () => {
  const text = say('end.serving', { done: 'Started my-llm' })
  const { blocks } = shownMessage({ title: '', items: [{ text, strong: true, mark: 'done' }] }, 'en')
  expect(JSON.stringify(blocks)).toContain('✅ *Started my-llm; it’s serving.*')
})

test('the text for screen readers has one punctuation mark at the end of a sentence', () => {
  const title = say('request.noneWaits', { word: 'x', others: 'yes' })
  const { text } = shownMessage({ title, items: [{ text: 'Stop my-llm?' }, { text: 'Start my-tts.' }] }, 'en')
  expect(text).toContain('Others are waiting. Stop my-llm? Start my-tts.')
})

test('a time before Korean words is written the Korean way', () => {
  const item = { text: say('history.what', { event: 'awaiting' }), detail: say('history.at', { at: { at: ms } }) }
  const formats = (language: 'en' | 'ko') =>
    JSON.stringify(shownMessage({ title: '', items: [{ ...item, inline: true }] }, language).blocks)
  expect(formats('en')).toContain('{date_short_pretty} at {time}')
  expect(formats('ko')).toContain('{date_short_pretty} {time}')
})
