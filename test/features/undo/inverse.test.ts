import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/core/commands/parse.ts'
import { type Change, type IdleRule, replacedBy, type StoredRecord } from '../../../src/core/model/records.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { WeeklyRule } from '../../../src/core/model/rules.ts'
import { readWindow } from '../../../src/core/time/weekly-window.ts'
import { commands, rows } from '../../../src/features/command-table.ts'
import { inverseOf } from '../../../src/features/undo/undo.ts'
import { english, inEnglish } from '../../support/words.ts'

const [ana, ben] = [
  { team: 'T1', user: 'U0ANA' },
  { team: 'T1', user: 'U0BEN' },
]
const now = Date.UTC(2026, 10, 20, 9)
const [soon, past] = [now + 3_600_000, now - 3_600_000]

function laidDown(line: string, change: Change, replaced: readonly StoredRecord[] = []): Request {
  const endpoint = line.includes('ep-llm') && { endpoint: { id: 'ep-llm', name: 'my-llm' } }
  return {
    id: 'r'.repeat(22),
    project: 'default',
    kind: 'operation',
    line,
    actor: ana,
    place: { channel: 'C0OPS' },
    receivedAt: past,
    status: 'succeeded',
    notes: [],
    nextAt: null,
    ...endpoint,
    change,
    replaced,
  }
}

function weekly(id: string, direction: 'up' | 'down', window: string): WeeklyRule {
  const read = readWindow(window)
  if ('wrong' in read) throw new Error(english(read.wrong))
  const zone = 'Asia/Seoul'
  return { kind: 'weekly', id, endpoint: 'ep-llm', direction, window: read.window, zone, owner: ana, made: past }
}

const up = weekly('one', 'up', 'weekdays 09:00-20:00')
const down = weekly('two', 'down', 'weekends')
const watch: IdleRule = {
  kind: 'idle',
  endpoint: 'ep-llm',
  mode: 'on',
  after: 168 * 3_600_000,
  warn: 900_000,
  owner: ana,
  at: past,
}
const off: IdleRule = { ...watch, mode: 'off' }
const hold = { kind: 'hold', id: 'h', endpoint: 'ep-llm', at: past, until: soon, by: ana } as const
const frozen = { kind: 'freeze', by: ana, at: past, until: null, because: 'release' } as const
const standIn = { kind: 'away', who: ana, to: ben, at: past, until: soon } as const
const guard = { kind: 'protection', endpoint: 'ep-llm', by: ana, at: past, because: 'customers' } as const
const once = { kind: 'once', id: 'three', endpoint: 'ep-llm', want: 'down', at: soon, owner: ana } as const
const { change: _, ...stopped } = laidDown('stop ep-llm', {})
const run = { ...once, want: 'up', at: past, until: soon + 25_000 } as const

describe('Undo returns the line that restores the earlier record', () => {
  test.each<[string, Request, string]>([
    ['a protection', laidDown('protect ep-llm', { put: [guard] }), 'unprotect ep-llm'],
    ['an unprotection', laidDown('unprotect ep-llm', { drop: ['x'] }, [guard]), 'protect ep-llm because=customers'],
    ['a hold', laidDown('keep ep-llm 2h', { put: [hold] }), 'resume ep-llm'],
    ['a hold over another', laidDown('keep ep-llm 2h', { put: [hold] }, [hold]), 'keep ep-llm until 2026-11-20t10:00z'],
    [
      'a hold that ends within a minute',
      laidDown('resume ep-llm', { drop: ['x'] }, [{ ...hold, until: soon + 25_000 }]),
      'keep ep-llm until 2026-11-20t10:00z',
    ],
    ['its end', laidDown('resume ep-llm', { drop: ['x'] }, [hold]), 'keep ep-llm until 2026-11-20t10:00z'],
    ['an idle watch', laidDown('idle ep-llm after 60m', { put: [watch] }), 'idle ep-llm off'],
    ['one after none', laidDown('idle ep-llm after 60m', { put: [watch] }, [off]), 'idle ep-llm off'],
    ['its end', laidDown('idle ep-llm off', { put: [off] }, [watch]), 'idle ep-llm after 168h warn=15m'],
    [
      'a trial',
      laidDown('idle ep-llm off', { put: [off] }, [{ ...watch, mode: 'try', after: 5_400_000, autoscaled: true }]),
      'idle ep-llm try after 1h30m warn=15m autoscaled=yes',
    ],
    ['a rule', laidDown('schedule ep-llm up weekdays 09:00-20:00', { put: [up] }), 'unschedule ep-llm rule=one'],
    ['a plan', laidDown('stop ep-llm at 19:00', { put: [once] }), 'unschedule ep-llm rule=three'],
    [
      'the end of a rule',
      laidDown('unschedule ep-llm', { drop: ['rule:one'] }, [up]),
      'schedule ep-llm up weekdays 09:00-20:00 Asia/Seoul',
    ],
    ['the end of a plan', laidDown('unschedule ep-llm', { drop: ['x'] }, [once]), 'stop ep-llm at 2026-11-20t10:00z'],
    ['a stop that ended a run', { ...stopped, replaced: [run] }, 'start ep-llm until 2026-11-20t10:00z'],
    ['a stop at the end of a run', { ...stopped, replaced: [{ ...run, until: past }] }, 'start ep-llm'],
    ['a freeze', laidDown('freeze because=release', { put: [frozen] }), 'thaw'],
    ['a thaw', laidDown('thaw', { drop: ['freeze'] }, [frozen]), 'freeze because=release'],
    [
      'a thaw with an end',
      laidDown('thaw', { drop: ['freeze'] }, [{ ...frozen, until: soon }]),
      'freeze until 2026-11-20t10:00z because=release',
    ],
    ['an absence', laidDown('away until mon to @U0BEN', { put: [standIn] }), 'back'],
    ['its end', laidDown('back', { drop: ['x'] }, [standIn]), 'away until 2026-11-20t10:00z to @U0BEN'],
  ])('%s: %#', (_, request, line) => {
    expect(inverseOf(commands, request, { by: ana, now })).toEqual({ line })
    expect(readLine(line, rows)).toMatchObject({ kind: 'line', read: { line } })
  })
})

describe('If no line restores it, undo names the nearest alternative', () => {
  test.each<[string, Request, string]>([
    ['a hold that is over', laidDown('resume ep-llm', { drop: ['x'] }, [{ ...hold, until: past }]), 'keep my-llm 2h'],
    ['nothing before', laidDown('idle ep-llm off', { put: [off] }), 'idle my-llm after 60m turns one on.'],
    [
      'a rule of somebody else',
      laidDown('schedule ep-llm up daily', { put: [up] }, [up]),
      'the same command to take it over again',
    ],
    [
      'a shorter freeze',
      laidDown('freeze because=x', { put: [frozen] }, [{ ...frozen, until: soon }]),
      'Resuming it ends both',
    ],
    ['a lockdown', laidDown('thaw', { drop: ['lockdown'] }), 'A lockdown that an admin has ended'],
  ])('%s', (_, request, why) => {
    const inverse = inverseOf(commands, request, { by: ana, now })
    expect('why' in inverse && english(inverse.why)).toContain(why)
  })

  test('and offers several rules one by one', () => {
    const request = laidDown('unschedule ep-llm', { drop: ['rule:one', 'rule:two'] }, [up, down])
    expect(inEnglish(inverseOf(commands, request, { by: ana, now }))).toMatchObject({
      offers: [
        {
          label: 'Add again: running weekdays 09:00–20:00 Seoul time',
          line: 'schedule ep-llm up weekdays 09:00-20:00 Asia/Seoul',
        },
        { label: 'Add again: stopped weekends Seoul time', line: 'schedule ep-llm down weekends Asia/Seoul' },
      ],
    })
  })

  test('and lets nobody else undo an absence', () => {
    const request = laidDown('away until mon to @U0BEN', { put: [standIn] })
    expect(inEnglish(inverseOf(commands, request, { by: ben, now }))).toEqual({
      why: 'Only the person who requested “away” can undo it.',
    })
  })
})

test('A change replaces the records that existed, for an idle rule also the team’s', () => {
  const records = new Map<string, StoredRecord>([['hold:ep-llm', hold]])
  expect(replacedBy({ put: [{ ...hold, id: 'new' }] }, records, watch)).toEqual([hold])
  expect(replacedBy({ put: [off] }, records, watch)).toEqual([watch])
  expect(replacedBy({ put: [off], drop: ['rule:gone'] }, records, null)).toEqual([])
})
