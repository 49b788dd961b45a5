import { expect, test } from 'vitest'
import { shownMessage } from '../../../../src/adapters/slack/messages/draw.ts'
import { instant } from '../../../../src/core/time/format.ts'
import { ana } from '../requests.ts'

const ms = Date.UTC(2026, 10, 20, 9, 30)

test('a row for everybody says so, also where it calls nobody by name', () => {
  const says = (text: string) =>
    JSON.stringify(shownMessage({ title: 'Whoami', items: [{ text, whom: [{ kind: 'everyone' }] }] }, 'en').blocks)
  expect(says('The policy gives this role to')).toContain('The policy gives this role to anyone in this workspace')
  expect(says(`Until ${instant(ms)} these:`)).toContain('anyone in this workspace')
})

test('a row tells a time below it by the clock of whoever reads it', () => {
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
