import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReconcileState } from '../../../../src/core/model/records.ts'
import type { Hold, OneOff, Rules } from '../../../../src/core/model/rules.ts'
import {
  currentDecisionOf,
  type ReconcileAction,
  reconcileAction,
} from '../../../../src/features/schedules/rules/reconcile-decision.ts'
import { ana, at, hold, nothing, once, wall, weekly } from '../schedule.ts'

const minute = 60_000
const notice = 10 * minute

// 2026-11-20 is a Friday.
const office = { ...nothing, weekly: [weekly('r1', 'up weekdays 09:00-20:00')] }
const morning = `e1.r1.${at('2026-11-20 09:00')}.up`
const evening = `e1.r1.${at('2026-11-20 20:00')}.down`

function known(
  occurrence: string,
  state: ReconcileState['state'],
  given: Partial<ReconcileState> = {},
): ReconcileState {
  return { occurrence, state, attempts: 1, at: at('2026-11-20 09:00'), ...given }
}

/** Returns for example "ask down due 20:00 of down": the action and the direction of its occurrence. */
function told(when: string, active: boolean, reconcileState?: ReconcileState, rules: Rules = office): string {
  const now = at(when)
  const { occurrence, what } = reconcileAction(
    currentDecisionOf('e1', { ...rules, notice }, now),
    active,
    now,
    notice,
    reconcileState,
  )
  return `${words(what)} of ${occurrence === null ? 'nothing' : occurrence.split('.').slice(-1)[0]}`
}

function words(what: ReconcileAction): string {
  switch (what.kind) {
    case 'ask':
    case 'follow':
      return `${what.tooLate ? 'only ' : ''}${what.kind} ${what.want} due ${wall(what.due).slice(11)}`
    case 'note':
      return `note ${what.state}`
    case 'moved':
      return `moved until ${wall(what.until)}`
    default:
      return what.kind
  }
}

describe('In its window,', () => {
  test.each([
    ['what is down is asked up at once', '09:00', false, undefined, 'ask up due 09:00 of up'],
    ['what is up is noted once', '09:01', true, undefined, 'note met of up'],
    ['what is up and noted is left alone', '12:00', true, known(morning, 'met'), 'nothing of up'],
    ['what was asked for is followed', '09:01', false, known(morning, 'asked'), 'follow up due 09:01 of up'],
    ['what waits is asked again', '09:05', false, known(morning, 'waits'), 'ask up due 09:05 of up'],
    ['what people have ended is left', '09:05', false, known(morning, 'left'), 'nothing of up'],
    [
      'what was up and is not is somebody’s doing',
      '12:00',
      false,
      known(morning, 'met'),
      'moved until 2026-11-20 20:00 of up',
    ],
    [
      'a read that is older than what was just met says nothing',
      '09:03',
      false,
      known(morning, 'met', { at: at('2026-11-20 09:03') - 5_000 }),
      'nothing of up',
    ],
    [
      'what a hold stood for is asked up once that is gone',
      '12:00',
      false,
      known(morning, 'held'),
      'ask up due 12:00 of up',
    ],
    ['a start is still worth it while half an hour remains', '19:30', false, undefined, 'ask up due 19:30 of up'],
    ['a start that comes later is missed', '19:31', false, undefined, 'missed of up'],
    ['a start that has waited is not missed', '19:45', false, known(morning, 'waits'), 'ask up due 19:45 of up'],
    ['what was pursued before it counts no more', '09:00', false, known(evening, 'met'), 'ask up due 09:00 of up'],
  ] as const)('%s', (_, clock, active, reconcileState, expected) => {
    expect(told(`2026-11-20 ${clock}`, active, reconcileState)).toBe(expected)
  })
})

describe('When the clock has gone back', () => {
  const done = (
    occurrence: string,
    clock: string,
    state: ReconcileState['state'] = 'met',
    more: Partial<ReconcileState> = {},
  ) => known(occurrence, state, { at: at(`2026-11-20 ${clock}`), ...more })
  test.each([
    ['by an hour, what was stopped is not started again', '19:01', false, done(evening, '20:01')],
    ['nor called moved by somebody', '19:01', false, done(evening, '20:01', 'met', { before: morning })],
    ['by twenty minutes, no start is missed', '19:45', false, done(evening, '20:05')],
    ['by an hour, what was started is not stopped again', '08:05', true, done(morning, '09:01')],
    ['a stop that was told of is neither taken back nor told again', '19:35', true, done(evening, '19:50', 'asked')],
  ] as const)('%s', (_, clock, active, reconcileState) => {
    expect(told(`2026-11-20 ${clock}`, active, reconcileState)).toBe('nothing of nothing')
  })

  test.each([
    ['its window is over and it is known for as long', '2026-11-20 20:36', 'nothing of nothing'],
    [
      'it is back in its window, where somebody has started what was stopped',
      '2026-11-20 20:06',
      'moved until 2026-11-20 20:30 of down',
    ],
    ['the clock cannot go back so far any more', '2026-11-20 23:00', 'forget of nothing'],
  ] as const)('a stop in a short window is not repeated: %s', (_, when, what) => {
    const rules = { ...nothing, weekly: [weekly('r1', 'down daily 20:00-20:30')] }
    const stopped = done(`e1.r1.${at('2026-11-20 20:00')}.down`, '20:00')
    expect(told(when, true, stopped, rules)).toBe(what)
  })

  test('by far more than an hour, the earlier time was wrong and the rules go on', () => {
    expect(told('2026-11-20 12:00', false, done(evening, '20:01'))).toBe('ask up due 12:00 of up')
  })

  test('and then caught up, what was done stays done', () => {
    expect(told('2026-11-20 20:02', false, done(evening, '20:01'))).toBe('nothing of down')
  })

  test('an ended one-off is not forgotten, so it is not done again', () => {
    const rules = { ...nothing, once: [once('o1', 'down', '2026-11-20 20:00')] }
    const stopped = done(`e1.o1.${at('2026-11-20 20:00')}.down`, '20:01')
    expect(told('2026-11-20 19:01', false, stopped, rules)).toBe('nothing of nothing')
  })
})

describe('Before the end of its window,', () => {
  test.each([
    ['nothing is asked too early', '19:49', true, known(morning, 'met'), 'nothing of up'],
    ['the stop is asked for, due on the minute', '19:50', true, known(morning, 'met'), 'ask down due 20:00 of down'],
    ['also by a look that is late', '19:57', true, known(morning, 'met'), 'ask down due 20:00 of down'],
    ['it is followed from then on', '19:55', true, known(evening, 'asked'), 'follow down due 20:00 of down'],
    ['it is asked again while it waits', '19:55', true, known(evening, 'waits'), 'ask down due 20:00 of down'],
    ['one that was skipped stays so', '19:55', true, known(evening, 'left'), 'nothing of down'],
    [
      'what was asked for before a rule put it off counts no more',
      '19:40',
      true,
      known(evening, 'asked', { before: morning }),
      'note met of up',
    ],
    [
      'what people stop themselves is not started again',
      '19:55',
      false,
      known(evening, 'asked', { before: morning }),
      'moved until 2026-11-20 20:00 of up',
    ],
  ] as const)('%s', (_, clock, active, reconcileState, expected) => {
    expect(told(`2026-11-20 ${clock}`, active, reconcileState)).toBe(expected)
  })
})

describe('Outside its window,', () => {
  const thursday = known(`e1.r1.${at('2026-11-19 20:00')}.down`, 'asked', { at: at('2026-11-20 08:50') })
  test.each([
    ['what is up is asked down after a notice', '20:40', true, undefined, 'ask down due 20:50 of down'],
    ['what is wanted up before it would be down is left up', '08:50', true, undefined, 'nothing of down'],
    ['what was asked for before is followed', '20:00', true, known(evening, 'asked'), 'follow down due 20:10 of down'],
    ['what has failed is tried no more before a start', '08:52', true, thursday, 'only follow down due 09:02 of down'],
    ['what is down is noted', '20:03', false, known(evening, 'asked'), 'note met of down'],
    [
      'what was stopped before its time is noted again',
      '20:03',
      false,
      known(evening, 'met', { at: at('2026-11-20 19:59') }),
      'note met of down',
    ],
    ['what was skipped is left up', '22:00', true, known(evening, 'left'), 'nothing of down'],
    [
      'what somebody starts is left up until the next boundary',
      '22:00',
      true,
      known(evening, 'met', { at: at('2026-11-20 20:10') }),
      'moved until 2026-11-23 09:00 of down',
    ],
    [
      'what was stopped before its time and started again is asked down',
      '20:01',
      true,
      known(evening, 'met', { at: at('2026-11-20 19:55') }),
      'ask down due 20:11 of down',
    ],
    [
      'what was pursued in the window counts no more',
      '20:40',
      true,
      known(morning, 'met'),
      'ask down due 20:50 of down',
    ],
  ] as const)('%s', (_, clock, active, reconcileState, expected) => {
    expect(told(`2026-11-20 ${clock}`, active, reconcileState)).toBe(expected)
  })
})

describe('Without a wanted state,', () => {
  const held = { ...office, holds: [hold('h1', '2026-11-20 19:00', '2026-11-20 21:00')] }
  const early = { ...office, holds: [hold('h1', '2026-11-19 19:00', '2026-11-20 08:55')] }
  const frozen = { ...office, freeze: { at: at('2026-11-20 19:00'), until: null } }
  const thawing = { ...office, freeze: { at: at('2026-11-20 19:00'), until: at('2026-11-20 21:00') } }
  const safe = { ...office, protected: true }
  test.each([
    ['a hold puts off what is asked for', held, '19:55', known(evening, 'asked'), 'note held of nothing'],
    ['a hold is not noted twice', held, '19:55', known(evening, 'held'), 'nothing of nothing'],
    [
      'a hold that ends soon has its stop told before',
      held,
      '20:55',
      known(evening, 'held'),
      'ask down due 21:00 of down',
    ],
    ['a hold that ends right before a start has no stop told', early, '08:46', undefined, 'nothing of nothing'],
    ['nor is it stopped when that is over', early, '08:56', undefined, 'nothing of down'],
    ['a freeze puts off what is asked for', frozen, '20:05', known(evening, 'asked'), 'note held of nothing'],
    ['a freeze leaves done what was done', frozen, '20:05', known(evening, 'met'), 'nothing of nothing'],
    ['a freeze that ends soon has its stop told before', thawing, '20:55', undefined, 'ask down due 21:00 of down'],
    ['what is protected is never asked down', safe, '20:30', undefined, 'nothing of nothing'],
    ['what nothing decides about any more is forgotten', nothing, '20:30', known(evening, 'left'), 'forget of nothing'],
    ['what was never pursued is nothing', nothing, '20:30', undefined, 'nothing of nothing'],
  ] as const)('%s', (_, rules, clock, reconcileState, expected) => {
    expect(told(`2026-11-20 ${clock}`, true, reconcileState, rules)).toBe(expected)
  })

  test('a rule that only stops starts nothing', () => {
    const rules = { ...nothing, weekly: [weekly('r1', 'down sat-sun')] }
    expect(told('2026-11-23 09:00', false, undefined, rules)).toBe('nothing of nothing')
    expect(told('2026-11-20 23:50', true, undefined, rules)).toBe('ask down due 00:00 of down')
  })
})

test.each([
  ['of 3 h is announced by the usual notice', '20:00', '19:49', '19:50'],
  ['shorter than twice the notice is announced after half of it', '17:12', '17:05', '17:06'],
  ['shorter than the notice too', '17:06', '17:02', '17:03'],
])('The end of a run %s', (_, end, before, from) => {
  const rules = { ...nothing, once: [once('o', 'up', '2026-11-20 17:00', `2026-11-20 ${end}`)] }
  const began = at('2026-11-20 17:00')
  const state = known(`e1.o.${began}.up`, 'met', { at: began })
  expect(told(`2026-11-20 ${before}`, true, state, rules)).toBe('nothing of up')
  expect(told(`2026-11-20 ${from}`, true, state, rules)).toBe(`ask down due ${end} of down`)
})

test('Several missed boundaries lead to one decision, the last', () => {
  expect(told('2026-11-27 12:00', true, known(morning, 'met'))).toBe('note met of up')
  expect(told('2026-11-27 12:00', false, known(evening, 'met'))).toBe('ask up due 12:00 of up')
})

/** What can happen between two looks: minutes pass, and somebody or something acts. */
const happening = fc.record({
  minutes: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 2_000 })),
  what: fc.constantFrom('nothing', 'nothing', 'works', 'works', 'fails', 'skipped', 'console', 'keep', 'off', 'busy'),
})
const rulesets = fc.record({
  weekly: fc.subarray([
    weekly('a', 'up weekdays 09:00-20:00'),
    weekly('b', 'up daily 22:00-02:00'),
    weekly('c', 'down sat-sun'),
    weekly('d', 'up fri 08:00-10:00', { endpoint: null }),
  ]),
  once: fc.subarray([once('o', 'up', '2026-11-20 18:00', '2026-11-20 23:00'), once('p', 'down', '2026-11-21 11:00')]),
})

interface HandedIn {
  readonly occurrence: string
  readonly attempt: number
  over: 'open' | 'worked' | 'failed' | 'skipped' | 'withdrawn'
}

/** Acts on each decision as the tick would, as far as requests are concerned, and checks what must never happen. */
function live(given: Pick<Rules, 'weekly' | 'once'>, story: readonly { minutes: number; what: string }[]): void {
  let [now, active] = [at('2026-11-20 07:00'), false]
  let reconcileState: ReconcileState | undefined
  let holds: readonly Hold[] = []
  const handed = new Map<string, HandedIn>()
  /** Occurrences that must not be handed in again unless somebody ends a hold. */
  const settled = new Set<string>()
  const open = () => [...handed.values()].filter(({ over }) => over === 'open')

  function note(occurrence: string, state: ReconcileState['state'], attempts: number, before?: string): void {
    reconcileState = { occurrence, state, attempts, at: now, ...(before !== undefined && { before }) }
    if (state === 'met' || state === 'left') settled.add(occurrence)
  }
  function look(busy: boolean): void {
    const rules: Rules = { ...nothing, weekly: given.weekly, once: given.once as readonly OneOff[], holds }
    const { occurrence, what } = reconcileAction(
      currentDecisionOf('e1', rules, now),
      active,
      now,
      notice,
      reconcileState,
    )
    if (reconcileState?.state === 'asked' && reconcileState.occurrence !== occurrence)
      for (const one of open()) if (one.occurrence === reconcileState.occurrence) one.over = 'withdrawn'
    if (what.kind === 'forget') reconcileState = undefined
    else if (occurrence === null) {
      if (what.kind === 'note' && reconcileState !== undefined)
        reconcileState = { ...reconcileState, state: 'held', at: now }
    } else act(occurrence, what, busy)
  }
  function act(occurrence: string, what: ReconcileAction, busy: boolean): void {
    const attempts = reconcileState?.occurrence === occurrence ? reconcileState.attempts : 0
    switch (what.kind) {
      case 'note':
        note(occurrence, what.state, attempts)
        break
      case 'missed':
        note(occurrence, 'left', 0)
        break
      case 'moved':
        holds = [{ kind: 'hold', id: `h${now}`, endpoint: 'e1', at: now, until: what.until, by: 'console' }]
        note(occurrence, 'held', attempts)
        break
      case 'follow':
        follow(occurrence, attempts, what.want, busy)
        break
      case 'ask':
        ask(occurrence, attempts, what.want, busy)
        break
      default:
    }
  }
  function follow(occurrence: string, attempts: number, want: string, busy: boolean): void {
    const over = handed.get(`${occurrence} ${attempts}`)?.over
    if (over === 'worked') note(occurrence, 'met', attempts)
    else if (over === 'skipped' || (over === 'failed' && attempts >= 3)) note(occurrence, 'left', attempts)
    else if (over === 'failed') ask(occurrence, attempts, want, busy)
  }
  function ask(occurrence: string, attempts: number, want: string, busy: boolean): void {
    const before = reconcileState?.state === 'met' ? reconcileState.occurrence : reconcileState?.before
    // Any open request holds the endpoint, including our own.
    if (busy || open().length > 0) {
      note(occurrence, 'waits', attempts, before)
      return
    }
    let attempt = attempts + 1
    while (handed.has(`${occurrence} ${attempt}`)) attempt += 1
    expect(settled, 'never again what was met or left').not.toContain(occurrence)
    expect(active, 'only what differs').toBe(want === 'down')
    handed.set(`${occurrence} ${attempt}`, { occurrence, attempt, over: 'open' })
    note(occurrence, 'asked', attempt, before)
  }
  function happen(what: string): void {
    for (const one of open()) {
      if (what === 'works') {
        active = one.occurrence.endsWith('.up')
        one.over = 'worked'
      } else if (what === 'fails') one.over = 'failed'
      else if (what === 'skipped') one.over = 'skipped'
    }
    if (what === 'console') active = !active
    if (what === 'keep')
      holds = [{ kind: 'hold', id: `k${now}`, endpoint: 'e1', at: now, until: now + 120 * minute, by: ana }]
    if (what === 'off' && holds.length > 0) {
      holds = []
      settled.clear()
    }
  }
  for (const { minutes, what } of story) {
    look(what === 'busy')
    happen(what)
    now += minutes * minute
  }
}

test('Whatever happens, each attempt is handed in once, and none after it was met or left', () => {
  const lives = fc.property(rulesets, fc.array(happening, { maxLength: 80 }), (given, story) => live(given, story))
  fc.assert(lives, { numRuns: 300 })
})
