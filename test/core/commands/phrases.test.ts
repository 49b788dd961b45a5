import { expect, test } from 'vitest'
import { actionPhrase, phrase, wordsIn } from '../../../src/core/commands/phrases.ts'
import { commands } from '../../../src/features/command-table.ts'

const { operation } = commands

test.each([
  ['stop my-llm', 'Stop my-llm', 'Stopped my-llm', undefined],
  ['stop my-llm at 19:00', 'Plan to stop my-llm at 19:00', 'Planned: stop my-llm at 19:00', 'Plan it'],
  ['start my-llm replicas=3', 'Start my-llm with 3 replicas', 'Started my-llm with 3 replicas', undefined],
  ['start my-llm for 4h', 'Plan to start my-llm for 4h', 'Planned: start my-llm for 4h', 'Plan it'],
  ['start my-llm until 18:00', 'Plan to start my-llm until 18:00', 'Planned: start my-llm until 18:00', 'Plan it'],
  ['keep my-llm 2h', 'Keep my-llm', 'Kept my-llm', undefined],
  ['keep my-llm off', 'Let go of my-llm', 'Let go of my-llm', undefined],
])('What %s does now, or lays down, is what its words say', (line, ask, done, press) => {
  expect([
    phrase(operation(line), 'my-llm', 'ask'),
    phrase(operation(line), 'my-llm', 'done'),
    wordsIn(operation(line)).press,
  ]).toEqual([ask, done, press])
})

test('Nothing that stands still is left running, and nothing is called so that is only planned', () => {
  expect(wordsIn(operation('stop my-llm at 19:00')).leave).toBe('Do not plan it')
  expect(actionPhrase(operation('stop my-llm at 19:00'), 'my-llm')).toBe('plan to stop my-llm at 19:00')
})

test('A schedule names the zone whose clocks it goes by, also where nobody has typed one', () => {
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
  expect(phrase(operation('schedule my-llm up mon 09:00-20:00'), 'my-llm', 'ask', { put })).toBe(
    'Schedule my-llm up mon 09:00-20:00 Asia/Seoul',
  )
})
