import { describe, expect, test } from 'vitest'
import { type Seen, type Send, type Step, waitFor } from '../../../src/core/model/plan.ts'
import {
  lateCallOf,
  type ResendDecision,
  resendDecision,
  type UnclearCall,
} from '../../../src/lifecycle/execution/resend.ts'

const second = 1_000
const minute = 60_000
const timeoutMs = 10_000
/** The origin of all times below, which are in seconds. */
const zero = 1_800_000_000_000

type Ended = NonNullable<Send['outcome']>['kind']

const start = { goal: 'serving', repeatable: true } as const
const stop = { goal: 'stopped', repeatable: true } as const
const scale = { goal: 'scaled:5', repeatable: false, needs: 'active' } as const
const patch = { goal: 'answered', repeatable: false, needs: 'stopped' } as const
const startBack = { ...start, always: true } as const
const scaleBack = { goal: 'restored:5', repeatable: false, needs: 'active', always: true } as const

const down: Omit<Seen, 'at'> = { active: false, status: 'STOPPED', updatedAt: 'then' }
const up: Omit<Seen, 'at'> = { active: true, status: 'RUNNING', replicas: 3, updatedAt: 'then' }

function seen(at: number, what: Omit<Seen, 'at'>): Seen {
  return { at: zero + at * second, ...what }
}

/** Returns a call that ended at once, at `at` seconds. */
function sent(at: number, kind: Ended | 'never heard of', before: Omit<Seen, 'at'>, pause?: number): Send {
  const ended = zero + at * second
  const outcome = { at: ended, ...(pause !== undefined && { pause }) }
  return { at: ended, before: seen(at, before), ...(kind !== 'never heard of' && { outcome: { kind, ...outcome } }) }
}

interface Row {
  readonly step: Pick<Step, 'goal' | 'repeatable' | 'needs' | 'always'>
  readonly sends: readonly Send[]
  readonly looks?: readonly Seen[]
  readonly seen: Seen | null
  /** Seconds. */
  readonly now: number
  readonly undoneLater?: boolean
}

function judged({ sends, looks = [], now, undoneLater = false, ...rest }: Row): string {
  const progress = { sends, looks, unreadSince: zero }
  const doubt: UnclearCall = { ...rest, progress, now: zero + now * second, timeoutMs, undoneLater }
  return told(resendDecision(doubt))
}

function told(verdict: ResendDecision): string {
  if (verdict.kind === 'wait') return `wait ${verdict.ms / second} s`
  return verdict.kind === 'over' ? verdict.why : verdict.kind
}

/** Returns `count` calls of one kind, `apart` seconds apart, the last at 0 s. */
function times(count: number, kind: Ended, before: Omit<Seen, 'at'>, apart = 60): readonly Send[] {
  return Array.from({ length: count }, (_, at) => sent((at + 1 - count) * apart, kind, before))
}

describe('A call without a successful answer', () => {
  const unclear = [sent(0, 'unknown', down)]
  const twice = { looks: [seen(0, down)], seen: seen(5, down), now: 5 }
  const changed = { ...down, updatedAt: 'now' }
  const settling = { ...down, status: 'STOPPING', replicas: 3 }
  const rows: readonly (readonly [string, Row, string])[] = [
    [
      'was refused: is never sent again',
      { step: start, sends: [sent(0, 'refused', down)], seen: seen(0, down), now: 0 },
      'refused',
    ],
    [
      'was refused, but an earlier unclear call took effect: counts as applied',
      { step: start, sends: [...unclear, sent(6, 'refused', down)], seen: seen(6, up), now: 6 },
      'applied',
    ],
    [
      'was refused, and another person did it: stays refused',
      { step: start, sends: [sent(0, 'refused', down)], seen: seen(0, up), now: 0 },
      'refused',
    ],
    ['is a refused restore', { step: startBack, sends: [sent(0, 'refused', down)], seen: null, now: 0 }, 'refused'],
    ['is unclear but took effect', { step: start, sends: unclear, seen: seen(1, up), now: 1 }, 'applied'],
    [
      'got a 500, but more replicas run than it was to restore: counts as applied',
      { step: scaleBack, sends: [sent(0, 'failed', up)], seen: seen(1, { ...up, replicas: 6 }), now: 1 },
      'applied',
    ],
    [
      'got a 500, but its effect shows: counts as applied',
      { step: start, sends: [sent(0, 'failed', down)], seen: seen(1, up), now: 1 },
      'applied',
    ],
    [
      'got a 500 without effect: is read a second time',
      { step: start, sends: [sent(0, 'failed', down)], seen: seen(1, down), now: 1 },
      'wait 5 s',
    ],
    ['got a 500, no effect in two reads', { step: start, sends: [sent(0, 'failed', down)], ...twice }, 'refused'],
    [
      'got a 500 while restoring, without effect in two reads: counts as refused',
      { step: startBack, sends: [sent(0, 'failed', down)], ...twice },
      'refused',
    ],

    [
      'was not accepted: waits for the pause that the platform asked for',
      { step: start, sends: [sent(0, 'unreached', down, 20 * second)], seen: seen(1, down), now: 1 },
      'wait 19 s',
    ],
    [
      'was not accepted: is sent again after that pause',
      { step: start, sends: [sent(0, 'unreached', down, 20 * second)], seen: seen(20, down), now: 20 },
      'send',
    ],
    [
      'was not accepted, and no pause was given: waits for our own',
      { step: start, sends: [sent(0, 'unreached', down)], seen: null, now: 1 },
      'wait 4 s',
    ],
    [
      'was not accepted twice: waits twice as long',
      { step: start, sends: times(2, 'unreached', down), seen: null, now: 1 },
      'wait 9 s',
    ],
    [
      'was not accepted five times: is sent once more',
      { step: start, sends: times(5, 'unreached', down), seen: seen(60, down), now: 60 },
      'send',
    ],
    [
      'was not accepted six times: is never sent again',
      { step: start, sends: times(6, 'unreached', down), seen: seen(60, down), now: 60 },
      'turned away',
    ],
    [
      'was not accepted, but an earlier unclear call may have been: stays unknown',
      {
        step: start,
        sends: [sent(-60, 'unknown', down), ...times(6, 'unreached', down, 1)],
        seen: seen(60, down),
        now: 60,
      },
      'unknown',
    ],
    [
      'was not accepted and is a patch: is sent again',
      { step: patch, sends: [sent(0, 'unreached', down)], seen: seen(5, down), now: 5 },
      'send',
    ],
    [
      'was not accepted, and another person changed the endpoint: ends as changed',
      { step: start, sends: [sent(0, 'unreached', down)], seen: seen(5, changed), now: 5 },
      'changed',
    ],
    [
      'was not accepted, and another person did it: ends as changed',
      { step: start, sends: [sent(0, 'unreached', down)], seen: seen(5, up), now: 5 },
      'changed',
    ],
    [
      'was not accepted, and the endpoint cannot be read: is read again',
      { step: start, sends: [sent(0, 'unreached', down)], seen: null, now: 5 },
      'wait 5 s',
    ],
    [
      'was not accepted, and the endpoint cannot be read for 15 min: nothing was done',
      { step: start, sends: [sent(0, 'unreached', down)], seen: null, now: 901 },
      'turned away',
    ],

    [
      'is unclear without effect: is read a second time',
      { step: start, sends: unclear, seen: seen(0, down), now: 0 },
      'wait 5 s',
    ],
    ['is unclear without effect in two reads: is sent again', { step: start, sends: unclear, ...twice }, 'send'],
    [
      'is an unclear stop without effect in two reads: is sent again',
      { step: stop, sends: [sent(0, 'unknown', up)], looks: [seen(0, up)], seen: seen(5, up), now: 5 },
      'send',
    ],
    [
      'is unclear while status and replicas still settle: is sent again',
      { step: start, sends: [sent(0, 'unknown', settling)], ...twice },
      'send',
    ],
    [
      'has no stored outcome: is timed from when the call would have timed out',
      { step: start, sends: [sent(0, 'never heard of', down)], ...twice },
      'wait 10 s',
    ],
    [
      'has no stored outcome after that: is sent again',
      { step: start, sends: [sent(0, 'never heard of', down)], looks: [seen(20, down)], seen: seen(25, down), now: 25 },
      'send',
    ],
    [
      'is unclear, and another person changed the endpoint: stays unknown',
      { step: start, sends: unclear, looks: [seen(0, changed)], seen: seen(5, changed), now: 5 },
      'unknown',
    ],
    [
      'is unclear for the second time: waits longer',
      { step: start, sends: times(2, 'unknown', down), ...twice },
      'wait 5 s',
    ],
    [
      'is unclear for the third time: is watched for longer',
      { step: start, sends: times(3, 'unknown', down), looks: [seen(10, down)], seen: seen(19, down), now: 19 },
      'wait 5 s',
    ],
    [
      'is unclear for the third time: is not sent again',
      { step: start, sends: times(3, 'unknown', down), looks: [seen(15, down)], seen: seen(20, down), now: 20 },
      'unknown',
    ],
    [
      'is unclear, and nothing was read for hours: is read a second time',
      { step: start, sends: unclear, seen: seen(9_000, down), now: 9_000 },
      'wait 5 s',
    ],
    [
      'is unclear, and reads keep changing: stays unknown',
      { step: start, sends: unclear, looks: [seen(56, changed)], seen: seen(61, down), now: 61 },
      'unknown',
    ],
    [
      'is unclear, and the endpoint cannot be read: is read again',
      { step: start, sends: unclear, seen: null, now: 100 },
      'wait 5 s',
    ],
    ['is unclear, and unreadable for 15 min', { step: start, sends: unclear, seen: null, now: 901 }, 'unknown'],

    [
      'is an unclear stop before our own start: waits until no late stop can follow that start',
      {
        step: stop,
        sends: [sent(0, 'unknown', up)],
        looks: [seen(60, up)],
        seen: seen(65, up),
        now: 65,
        undoneLater: true,
      },
      'wait 10 s',
    ],
    [
      'is an unclear stop before our own start, and can no longer arrive: is sent again',
      {
        step: stop,
        sends: [sent(0, 'unknown', up)],
        looks: [seen(115, up)],
        seen: seen(120, up),
        now: 120,
        undoneLater: true,
      },
      'send',
    ],

    [
      'is an unclear patch, whose effect no read shows: stays unknown',
      { step: patch, sends: unclear, seen: seen(0, down), now: 0 },
      'unknown',
    ],
    [
      'is an unclear scale: is watched for a while',
      { step: scale, sends: [sent(0, 'unknown', up)], looks: [seen(5, up)], seen: seen(10, up), now: 10 },
      'wait 10 s',
    ],
    [
      'is an unclear scale: is never sent again',
      { step: scale, sends: [sent(0, 'unknown', up)], looks: [seen(55, up)], seen: seen(60, up), now: 60 },
      'unknown',
    ],

    [
      'restores, and only is_active is unchanged: is sent again',
      { step: startBack, sends: unclear, looks: [seen(0, settling)], seen: seen(5, changed), now: 5 },
      'send',
    ],
    [
      'restores for the tenth time: waits for the longest pause',
      { step: startBack, sends: times(10, 'unknown', down), looks: [seen(50, down)], seen: seen(59, down), now: 59 },
      'wait 5 s',
    ],
    [
      'restores for the tenth time: is sent again',
      { step: startBack, sends: times(10, 'unknown', down), looks: [seen(55, down)], seen: seen(60, down), now: 60 },
      'send',
    ],
    [
      'restores, and was not accepted ten times: is sent again',
      { step: startBack, sends: times(10, 'unreached', down), seen: seen(60, down), now: 60 },
      'send',
    ],
    [
      'restores, and another person already did: counts as applied',
      { step: startBack, sends: [sent(0, 'unreached', down)], seen: seen(60, up), now: 60 },
      'applied',
    ],
    [
      'restores, and the endpoint could not be read for a while: is read again',
      { step: startBack, sends: unclear, seen: null, now: 1_000 },
      'wait 5 s',
    ],
    [
      'restores for half an hour: is not sent again',
      { step: startBack, sends: times(32, 'unknown', down), looks: [seen(55, down)], seen: seen(60, down), now: 60 },
      'unknown',
    ],
    [
      'restores the replicas, and was not accepted ten times: is sent again',
      { step: scaleBack, sends: times(10, 'unreached', up), seen: seen(60, up), now: 60 },
      'send',
    ],
    [
      'restores the replicas, but another person stopped the endpoint: ends as changed',
      { step: scaleBack, sends: [sent(0, 'unreached', up)], seen: seen(5, down), now: 5 },
      'changed',
    ],
    [
      'restores the replicas and is unclear: is never sent again',
      { step: scaleBack, sends: [sent(0, 'unknown', up)], looks: [seen(55, up)], seen: seen(60, up), now: 60 },
      'unknown',
    ],
  ]
  test.each(rows)('%s', (_, row, verdict) => {
    expect(judged(row)).toBe(verdict)
  })

  test('is decided within 90 seconds, including three time-outs, while reads work', () => {
    const sends: Send[] = []
    let [now, looks]: [number, readonly Seen[]] = [0, []]
    for (;;) {
      const read = seen(now, down)
      const verdict = sends.length === 0 ? 'send' : judged({ step: start, sends, looks, seen: read, now })
      if (verdict === 'unknown') break
      if (verdict === 'send') {
        now += timeoutMs / second
        sends.push({
          at: zero + now * second - timeoutMs,
          before: read,
          outcome: { kind: 'unknown', at: zero + now * second },
        })
        looks = []
      } else {
        looks = [...looks, read].slice(-2)
        now += Number(/\d+/.exec(verdict)?.[0])
      }
    }
    expect(sends).toHaveLength(3)
    expect(now).toBeLessThanOrEqual(90)
  })
})

describe('A call that may still arrive', () => {
  const inferred = { ...sent(0, 'unknown', down), outcome: { kind: 'answered', at: zero, inferred: true } } as const
  const until = zero + 2 * minute
  test.each([
    ['none was unclear', start, [sent(0, 'answered', down), sent(0, 'unreached', down), sent(0, 'failed', down)], null],
    ['the effect was seen', start, [inferred], null],
    ['the call was unclear', stop, [sent(0, 'unknown', up)], { goal: 'stopped', until }],
    ['the worker died', stop, [sent(0, 'never heard of', up)], { goal: 'stopped', until: until + timeoutMs }],
    [
      'a second call was answered',
      start,
      [sent(0, 'unknown', down), sent(5, 'answered', down)],
      { goal: 'serving', until },
    ],
    [
      'the effect of one of two calls was seen',
      start,
      [sent(-5, 'unknown', down), inferred],
      { goal: 'serving', until },
    ],
    ['the call cannot undo anything', patch, [sent(0, 'unknown', down)], null],
  ] as const)('is found or ruled out if %s', (_, { goal }, sends, late) => {
    expect(lateCallOf(goal, sends, timeoutMs)).toEqual(late)
  })

  test('delays only its opposite, until it can no longer arrive', () => {
    const late = { goal: 'stopped', until } as const
    expect(waitFor(late, start, until - 1)).toBe(until)
    expect(waitFor(late, start, until)).toBeNull()
    for (const step of [stop, scale, patch]) expect(waitFor(late, step, zero)).toBeNull()
    expect(waitFor(null, start, zero)).toBeNull()
  })
})
