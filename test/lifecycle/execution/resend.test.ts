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
/** Everything is counted from here, in seconds. */
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

/** A call that ended at once, at so many seconds. */
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
  const doubt: UnclearCall = { ...rest, progress: { sends, looks }, now: zero + now * second, timeoutMs, undoneLater }
  return told(resendDecision(doubt))
}

function told(verdict: ResendDecision): string {
  if (verdict.kind === 'wait') return `wait ${verdict.ms / second} s`
  return verdict.kind === 'over' ? verdict.why : verdict.kind
}

/** As many calls of that kind as wanted, a minute apart, the last at 0 s. */
function times(count: number, kind: Ended, before: Omit<Seen, 'at'>, apart = 60): readonly Send[] {
  return Array.from({ length: count }, (_, at) => sent((at + 1 - count) * apart, kind, before))
}

describe('A call that got no yes', () => {
  const unclear = [sent(0, 'unknown', down)]
  const twice = { looks: [seen(0, down)], seen: seen(5, down), now: 5 }
  const changed = { ...down, updatedAt: 'now' }
  const settling = { ...down, status: 'STOPPING', replicas: 3 }
  const rows: readonly (readonly [string, Row, string])[] = [
    [
      'was refused: never sent again',
      { step: start, sends: [sent(0, 'refused', down)], seen: seen(0, down), now: 0 },
      'refused',
    ],
    [
      'was refused, and shows the effect of an earlier one without a clear answer',
      { step: start, sends: [...unclear, sent(6, 'refused', down)], seen: seen(6, up), now: 6 },
      'applied',
    ],
    [
      'was refused, and somebody else has done it',
      { step: start, sends: [sent(0, 'refused', down)], seen: seen(0, up), now: 0 },
      'refused',
    ],
    ['of what is put back too', { step: startBack, sends: [sent(0, 'refused', down)], seen: null, now: 0 }, 'refused'],
    ['shows its effect: as if answered', { step: start, sends: unclear, seen: seen(1, up), now: 1 }, 'applied'],
    [
      'was a 500, and there are more replicas than it was to bring back',
      { step: scaleBack, sends: [sent(0, 'failed', up)], seen: seen(1, { ...up, replicas: 6 }), now: 1 },
      'applied',
    ],
    [
      'was a 500, and shows its effect',
      { step: start, sends: [sent(0, 'failed', down)], seen: seen(1, up), now: 1 },
      'applied',
    ],
    [
      'was a 500 without effect: looked at twice',
      { step: start, sends: [sent(0, 'failed', down)], seen: seen(1, down), now: 1 },
      'wait 5 s',
    ],
    ['was a 500 without effect, seen twice', { step: start, sends: [sent(0, 'failed', down)], ...twice }, 'refused'],
    [
      'was a 500 of what is put back: as definite',
      { step: startBack, sends: [sent(0, 'failed', down)], ...twice },
      'refused',
    ],

    [
      'was not taken: only after the pause it asked for',
      { step: start, sends: [sent(0, 'unreached', down, 20 * second)], seen: seen(1, down), now: 1 },
      'wait 19 s',
    ],
    [
      'was not taken: sent again after that',
      { step: start, sends: [sent(0, 'unreached', down, 20 * second)], seen: seen(20, down), now: 20 },
      'send',
    ],
    [
      'was not taken, without a pause: after one of ours',
      { step: start, sends: [sent(0, 'unreached', down)], seen: null, now: 1 },
      'wait 4 s',
    ],
    [
      'was not taken twice: after twice as long',
      { step: start, sends: times(2, 'unreached', down), seen: null, now: 1 },
      'wait 9 s',
    ],
    [
      'was not taken five times: once more',
      { step: start, sends: times(5, 'unreached', down), seen: seen(60, down), now: 60 },
      'send',
    ],
    [
      'was not taken six times: never again',
      { step: start, sends: times(6, 'unreached', down), seen: seen(60, down), now: 60 },
      'turned away',
    ],
    [
      'was not taken, and may have been before',
      {
        step: start,
        sends: [sent(-60, 'unknown', down), ...times(6, 'unreached', down, 1)],
        seen: seen(60, down),
        now: 60,
      },
      'unknown',
    ],
    [
      'was not taken, a patch: sent again',
      { step: patch, sends: [sent(0, 'unreached', down)], seen: seen(5, down), now: 5 },
      'send',
    ],
    [
      'was not taken, and somebody changed it',
      { step: start, sends: [sent(0, 'unreached', down)], seen: seen(5, changed), now: 5 },
      'changed',
    ],
    [
      'was not taken, and somebody did it',
      { step: start, sends: [sent(0, 'unreached', down)], seen: seen(5, up), now: 5 },
      'changed',
    ],
    [
      'was not taken, and cannot be read: looked at again',
      { step: start, sends: [sent(0, 'unreached', down)], seen: null, now: 5 },
      'wait 5 s',
    ],

    [
      'is unclear and shows nothing: looked at twice',
      { step: start, sends: unclear, seen: seen(0, down), now: 0 },
      'wait 5 s',
    ],
    ['is unclear, seen twice without effect: sent again', { step: start, sends: unclear, ...twice }, 'send'],
    [
      'is unclear, a stop: likewise',
      { step: stop, sends: [sent(0, 'unknown', up)], looks: [seen(0, up)], seen: seen(5, up), now: 5 },
      'send',
    ],
    [
      'is unclear; its status and replicas still settle: sent again',
      { step: start, sends: [sent(0, 'unknown', settling)], ...twice },
      'send',
    ],
    [
      'was never heard of: counted from when it would have been given up',
      { step: start, sends: [sent(0, 'never heard of', down)], ...twice },
      'wait 10 s',
    ],
    [
      'was never heard of, and its worker is gone',
      { step: start, sends: [sent(0, 'never heard of', down)], looks: [seen(20, down)], seen: seen(25, down), now: 25 },
      'send',
    ],
    [
      'is unclear, and somebody changed it: nobody can tell',
      { step: start, sends: unclear, looks: [seen(0, changed)], seen: seen(5, changed), now: 5 },
      'unknown',
    ],
    [
      'is unclear for the second time: after a longer pause',
      { step: start, sends: times(2, 'unknown', down), ...twice },
      'wait 5 s',
    ],
    [
      'is unclear for the third time: looked at for longer',
      { step: start, sends: times(3, 'unknown', down), looks: [seen(10, down)], seen: seen(19, down), now: 19 },
      'wait 5 s',
    ],
    [
      'is unclear for the third time: not sent again',
      { step: start, sends: times(3, 'unknown', down), looks: [seen(15, down)], seen: seen(20, down), now: 20 },
      'unknown',
    ],
    [
      'is unclear, and reads never agree: decided all the same',
      { step: start, sends: unclear, looks: [seen(56, changed)], seen: seen(61, down), now: 61 },
      'unknown',
    ],
    [
      'is unclear and cannot be read: looked at again',
      { step: start, sends: unclear, seen: null, now: 100 },
      'wait 5 s',
    ],
    ['is unclear and could not be read for long', { step: start, sends: unclear, seen: null, now: 901 }, 'unknown'],

    [
      'is an unclear stop that our own start follows: no late stop may come after that',
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
      'is such a stop, and can come no more',
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
      'is an unclear patch: never sent again, and nothing can be read',
      { step: patch, sends: unclear, seen: seen(0, down), now: 0 },
      'unknown',
    ],
    [
      'is an unclear scale: looked for a while',
      { step: scale, sends: [sent(0, 'unknown', up)], looks: [seen(5, up)], seen: seen(10, up), now: 10 },
      'wait 10 s',
    ],
    [
      'is an unclear scale: never sent again',
      { step: scale, sends: [sent(0, 'unknown', up)], looks: [seen(55, up)], seen: seen(60, up), now: 60 },
      'unknown',
    ],

    [
      'puts back: sent again though all but whether it is active has moved',
      { step: startBack, sends: unclear, looks: [seen(0, settling)], seen: seen(5, changed), now: 5 },
      'send',
    ],
    [
      'puts back, for the tenth time: after the longest pause',
      { step: startBack, sends: times(10, 'unknown', down), looks: [seen(50, down)], seen: seen(59, down), now: 59 },
      'wait 5 s',
    ],
    [
      'puts back, for the tenth time: sent again',
      { step: startBack, sends: times(10, 'unknown', down), looks: [seen(55, down)], seen: seen(60, down), now: 60 },
      'send',
    ],
    [
      'puts back, and was not taken ten times: sent again',
      { step: startBack, sends: times(10, 'unreached', down), seen: seen(60, down), now: 60 },
      'send',
    ],
    [
      'puts back, and somebody else did: that will do',
      { step: startBack, sends: [sent(0, 'unreached', down)], seen: seen(60, up), now: 60 },
      'applied',
    ],
    [
      'puts back, and could not be read for a while',
      { step: startBack, sends: unclear, seen: null, now: 1_000 },
      'wait 5 s',
    ],
    [
      'puts back, for half an hour: not again',
      { step: startBack, sends: times(32, 'unknown', down), looks: [seen(55, down)], seen: seen(60, down), now: 60 },
      'unknown',
    ],
    [
      'puts back the replicas, and was not taken ten times: sent again',
      { step: scaleBack, sends: times(10, 'unreached', up), seen: seen(60, up), now: 60 },
      'send',
    ],
    [
      'puts back the replicas of what somebody has stopped',
      { step: scaleBack, sends: [sent(0, 'unreached', up)], seen: seen(5, down), now: 5 },
      'changed',
    ],
    [
      'puts back the replicas and is unclear: never sent again',
      { step: scaleBack, sends: [sent(0, 'unknown', up)], looks: [seen(55, up)], seen: seen(60, up), now: 60 },
      'unknown',
    ],
  ]
  test.each(rows)('%s', (_, row, verdict) => {
    expect(judged(row)).toBe(verdict)
  })

  test('is decided within 90 seconds, three time-outs included, while reads work', () => {
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
    ['its effect was seen', start, [inferred], null],
    ['it was unclear', stop, [sent(0, 'unknown', up)], { goal: 'stopped', until }],
    ['its worker is gone', stop, [sent(0, 'never heard of', up)], { goal: 'stopped', until: until + timeoutMs }],
    [
      'a second one was answered',
      start,
      [sent(0, 'unknown', down), sent(5, 'answered', down)],
      { goal: 'serving', until },
    ],
    ['the effect of one of two was seen', start, [sent(-5, 'unknown', down), inferred], { goal: 'serving', until }],
    ['it can undo nothing', patch, [sent(0, 'unknown', down)], null],
  ] as const)('where %s', (_, { goal }, sends, late) => {
    expect(lateCallOf(goal, sends, timeoutMs)).toEqual(late)
  })

  test('holds up its opposite for as long, and nothing else', () => {
    const late = { goal: 'stopped', until } as const
    expect(waitFor(late, start, until - 1)).toBe(until)
    expect(waitFor(late, start, until)).toBeNull()
    for (const step of [stop, scale, patch]) expect(waitFor(late, step, zero)).toBeNull()
    expect(waitFor(null, start, zero)).toBeNull()
  })
})
