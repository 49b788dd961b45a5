import { expect, test } from 'vitest'
import { phrase } from '../../../src/core/commands/phrases.ts'
import { commands } from '../../../src/features/command-table.ts'
import { english } from '../../support/words.ts'

const { operation } = commands

test.each([
  ['stop my-llm', 'Stop my-llm', 'Stopped my-llm', 'Stop my-llm'],
  ['stop my-llm at 19:00', 'Stop my-llm at 19:00', 'Scheduled a stop of my-llm at 19:00', 'Schedule stop'],
  [
    'start my-llm until tomorrow 24:00',
    'Start my-llm until tomorrow 24:00',
    'Starting my-llm until tomorrow 24:00',
    'Start my-llm',
  ],
  ['stop my-llm at 24:00', 'Stop my-llm at midnight', 'Scheduled a stop of my-llm at midnight', 'Schedule stop'],
  ['start my-llm replicas=3', 'Start my-llm with 3 replicas', 'Started my-llm with 3 replicas', 'Start my-llm'],
  ['start my-llm for 4h', 'Start my-llm for 4 h', 'Starting my-llm for 4 h', 'Start my-llm'],
  ['start my-llm until 18:00', 'Start my-llm until 18:00', 'Starting my-llm until 18:00', 'Start my-llm'],
  ['keep my-llm 2h', 'Pause automation for my-llm', 'Paused automation for my-llm', 'Pause automation'],
  ['resume my-llm', 'Resume automation for my-llm', 'Resumed automation for my-llm', 'Resume automation'],
])('the phrases of “%s” say whether it acts now or schedules', (line, ask, done, press) => {
  const said = [
    phrase(operation(line), 'my-llm', 'ask'),
    phrase(operation(line), 'my-llm', 'done'),
    phrase(operation(line), 'my-llm', 'press'),
  ]
  expect(said.map(english)).toEqual([ask, done, press])
})

test('declining a scheduled stop says “Don’t schedule it”', () => {
  expect(english(phrase(operation('stop my-llm at 19:00'), 'my-llm', 'leave'))).toBe('Don’t schedule it')
})

test('a schedule names its time zone even if nobody typed one', () => {
  const put = [
    {
      kind: 'weekly',
      id: 'r1',
      endpoint: 'ep-llm',
      direction: 'up',
      window: { days: [1], spans: [{ from: 540, to: 1_200 }] },
      zone: 'Asia/Seoul',
      owner: { team: 'T0', user: 'U0ANA' },
      made: 1,
    },
  ] as const
  expect(english(phrase(operation('schedule my-llm up mon 09:00-20:00'), 'my-llm', 'ask', { put }))).toBe(
    'Schedule my-llm: running mon 09:00–20:00 Seoul time',
  )
})
