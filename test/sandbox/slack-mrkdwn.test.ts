import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOf, plainText } from '../../sandbox/slack/flatten.ts'
import type { Content } from '../../sandbox/slack/message.ts'
import { writeDate } from '../../sandbox/slack/mrkdwn/date.ts'
import { mentionsIn } from '../../sandbox/slack/mrkdwn/mentions.ts'
import { parseMrkdwn } from '../../sandbox/slack/mrkdwn/parse.ts'
import { plainMrkdwn } from '../../sandbox/slack/mrkdwn/plain.ts'
import { plainRichText } from '../../sandbox/slack/mrkdwn/rich.ts'
import { escapeEntities } from '../../sandbox/slack/mrkdwn/tokens.ts'
import { escapeTyped } from '../../sandbox/slack/mrkdwn/typed.ts'
import { settle } from '../../sandbox/slack/options.ts'
import { checkBlocks } from '../../sandbox/slack/validate/blocks.ts'
import { createWorkspace } from '../../sandbox/slack/workspace.ts'

const workspace = createWorkspace(
  settle({
    clock: { now: () => Date.UTC(2026, 10, 20, 10, 30) },
    usergroups: [{ id: 'S0OPS', handle: 'ops-team', users: [] }],
  }),
)

describe('mrkdwn is read as people see it', () => {
  test.each([
    ['*bold* _italic_ ~gone~ `code`', 'bold italic gone code'],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
    ['<@U0ANA> in <#C0OPS> with <!subteam^S0OPS>', '@ana in #ops with @ops-team'],
    ['<https://a.example/x_y_z|the log>', 'the log'],
    ['<https://a.example>', 'https://a.example'],
    ['&lt;!channel&gt; &amp;amp;', '<!channel> &amp;'],
    ['<!date^1795167000^{date_short} {time}|20 Nov>', 'Nov 20, 2026 09:30'],
    ['before ```line 1\n*line* 2``` after', 'before \nline 1\n*line* 2\n after'],
    ['one\n&gt; two\n&gt; three\nfour', 'one\n> two\n> three\nfour'],
    ['*<@U0ANA>* did it', '@ana did it'],
    ['* not bold * and *', '* not bold * and *'],
  ])('%s', (text, seen) => {
    expect(plainMrkdwn(workspace, text)).toBe(seen)
  })

  test('dates are shown in the zone of their reader', () => {
    const now = Date.UTC(2026, 10, 20, 10, 30)
    const unix = Date.UTC(2026, 10, 20, 9, 30) / 1000
    expect(writeDate(unix, '{date_short_pretty} at {time}', 'Asia/Seoul', now)).toBe('today at 18:30')
    expect(writeDate(unix, '{date_num} {time_secs}, {ago}', 'UTC', now)).toBe('2026-11-20 09:30:00, 1 hour ago')
    expect(writeDate(unix + 86_400, '{date_pretty}', 'UTC', now)).toBe('tomorrow')
    expect(writeDate(unix, '{date_short_pretty} {time}', 'Asia/Seoul', now, 'ko-KR')).toBe('오늘 18:30')
    expect(writeDate(unix - 86_400 * 9, '{date_short}', 'UTC', now, 'ko-KR')).toBe('2026년 11월 11일')
    expect(writeDate(unix, '{unheard_of}', 'UTC', now)).toBe('{unheard_of}')
  })
})

test('plain text unescapes entities only, and text without styling keeps its marks', () => {
  expect(plainText(workspace, { type: 'plain_text', text: '*a* &lt;b&gt; <@U0ANA>' })).toBe('*a* <b> <@U0ANA>')
  const content = { text: '*a* &lt;b&gt; <@U0ANA>', blocks: [] }
  expect(linesOf(workspace, content)).toEqual(['a <b> @ana'])
  expect(linesOf(workspace, { ...content, mrkdwn: false })).toEqual(['*a* <b> @ana'])
})

test('rich text names groups and shows times in the zone of its reader', () => {
  const timestamp = Date.UTC(2026, 10, 21, 9, 30) / 1000
  const date = { type: 'date', timestamp, format: '{date_short_pretty} at {time}', fallback: 'then' }
  const text = (words: string) => ({ type: 'text', text: words })
  const elements = [text('Until '), date, text(' by '), { type: 'usergroup', usergroup_id: 'S0OPS' }]
  const block = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
  expect(checkBlocks([block], 'message')).toEqual([])
  expect(plainRichText(workspace, block, 'Asia/Seoul')).toBe('Until tomorrow at 18:30 by @ops-team')
  const { format: _, ...bare } = date
  const broken = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [bare] }] }
  expect(checkBlocks([broken], 'message').join()).toContain('format')
})

describe('mentions', () => {
  const content = (text: string, blocks: Content['blocks'] = []): Content => ({ text, blocks })
  const kinds = (message: Content): readonly string[] => mentionsIn(message).map((one) => `${one.where}: ${one.kind}`)

  test('are found wherever Slack would read them', () => {
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: '<!here>' }, fields: [{ type: 'mrkdwn', text: '<@U0ANA>' }] },
      { type: 'section', text: { type: 'plain_text', text: '<!channel>' } },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'broadcast', range: 'channel' }] }],
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'see https://a.example' }] },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'see https://a.example', verbatim: true }] },
    ]
    expect(kinds(content('<!everyone> <nonsense>', blocks))).toEqual([
      'text: broadcast',
      'text: unknown',
      'blocks/0/text: broadcast',
      'blocks/0/fields/0: user',
      'blocks/2/elements/0/elements/0: broadcast',
      'blocks/3/elements/0: bare-link',
    ])
  })

  test('include plain names only if the post asked for it', () => {
    expect(mentionsIn(content('hello @here'))).toEqual([])
    expect(mentionsIn({ ...content('hello @here'), linksNames: true })).toMatchObject([
      { kind: 'bare-name', raw: '@here' },
    ])
  })

  test('are never found in escaped text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '&', '!', '@', '#', '|', 'U', 'here', 'channel', '\n', '`') }),
        (text) => {
          const escaped = escapeEntities(text)
          expect(mentionsIn(content(escaped))).toEqual([])
          const kinds = JSON.stringify(parseMrkdwn(escaped)).match(
            /"kind":"(user|channel|usergroup|broadcast|link|date|unknown)"/g,
          )
          expect(kinds).toBeNull()
        },
      ),
    )
  })
})

describe('typed text', () => {
  test.each([
    ['@ana', '<@U0ANA|ana>'],
    ['mail ana@ana now', 'mail ana@ana now'],
    ['@nobody #nowhere', '@nobody #nowhere'],
    ['@ops-team', '<!subteam^S0OPS|@ops-team>'],
    ['@here', '<!here>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['“curly” – dashes…', '“curly” – dashes…'],
  ])('%s', (typed, sent) => {
    expect(escapeTyped(workspace, typed)).toBe(sent)
  })
})
