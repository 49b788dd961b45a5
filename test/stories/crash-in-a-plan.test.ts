import { beforeAll, describe, expect, test } from 'vitest'
import { buildProduct } from '../support/child.ts'
import { childDuring, townDuring } from '../support/during.ts'
import { callsOf, effects, sends, theEnd } from '../support/ends.ts'
import { sampleOf } from '../support/search.ts'
import { leasesLapse, timePassesUntil } from '../support/time.ts'

/*
 * Kills a worker around each call of a plan; the next one runs in this process. The stories run concurrently, because
 * they mostly wait for processes to start.
 */

beforeAll(buildProduct)

type Call = 'stopEndpoint' | 'patchEndpoint' | 'startEndpoint' | 'scaleEndpoint'
type Moment = 'before acting' | 'before answering' | 'before it arrives'

interface Plan {
  readonly line: string
  readonly button: string
  readonly calls: readonly Call[]
  readonly end: RegExp
  /** The final state of my-llm. */
  readonly leaves: object
}

const patch: Plan = {
  line: 'patch my-llm port=9000',
  button: 'Patch my-llm',
  calls: ['stopEndpoint', 'patchEndpoint', 'startEndpoint'],
  end: /^Patched my-llm \(port 9000\); it’s serving\./,
  leaves: { active: true, settings: { container_port: 9000 } },
}

const restart: Plan = {
  line: 'restart my-llm',
  button: 'Restart my-llm',
  calls: ['stopEndpoint', 'startEndpoint'],
  end: /^Restarted my-llm\b/,
  leaves: { active: true, replicas: 3 },
}

const scale: Plan = {
  line: 'scale my-llm to 5',
  button: 'Scale my-llm',
  calls: ['scaleEndpoint'],
  end: /^Scaled my-llm to 5\./,
  leaves: { active: true, replicas: 5 },
}

// Settings can't be read, so a lost patch leaves their state in doubt.
const doubtful: Plan = { ...patch, end: /It’s running again, but I can’t tell whether the new settings were applied\./ }
// A scale is never sent again, even if the call did not arrive.
const unscaled: Plan = {
  ...scale,
  end: /^I can’t tell whether “scale to 5” was carried out on my-llm\./,
  leaves: { active: true, replicas: 3 },
}

const deaths: readonly (readonly [string, Call, Moment, Plan])[] = [
  ...around('a patch', patch, ['stopEndpoint', 'startEndpoint']),
  ...around('a patch', doubtful, ['patchEndpoint']),
  ...around('a restart', restart, restart.calls),
  ...around('a scale', scale, scale.calls),
  ['a scale', 'scaleEndpoint', 'before it arrives', unscaled],
  ['a restart', 'startEndpoint', 'before it arrives', restart],
]

function around(name: string, plan: Plan, calls: readonly Call[]): readonly (readonly [string, Call, Moment, Plan])[] {
  return calls.flatMap((call) => [
    [name, call, 'before acting', plan],
    [name, call, 'before answering', plan],
  ])
}

describe.concurrent('A worker killed in the middle of', () => {
  // The fault explorer kills workers at every moment of every plan. Here the unanswered calls of a patch stand for
  // those of the other plans; calls that never arrive are tried for each.
  const tried = sampleOf(
    deaths,
    ([name, , moment]) => moment === 'before it arrives' || (name === 'a patch' && moment === 'before answering'),
  )
  test.for(tried)(
    '%s, at %s, %s: no call takes effect twice, and the endpoint runs in the end',
    async ([, call, moment, plan], context) => {
      const town = await townDuring(context, { roles: ['bot'], platform: { stopDelayMs: 2_500 } })
      const first = await childDuring(context, town, 'worker')
      const arrives = moment !== 'before it arrives'
      if (!arrives) town.platform.faults.add(call, { kind: 'drop-before' }, 1)
      let killed = 0
      town.platform.onCall(({ operation, when }) => {
        if (operation !== call || when !== (arrives ? moment : 'before acting') || killed > 0) return
        killed += 1
        first.signal('SIGKILL')
      })
      const ana = town.slack.as('U0ANA')
      await ana.types('ops', `/endpoint ${plan.line}`)
      await ana.presses(plan.button, { in: 'ops' })
      expect(await first.gone).toBeNull()
      expect(killed).toBe(1)
      await leasesLapse(town)

      await town.begin('worker')
      // In small steps, so that a busy machine sends the call again in time.
      await timePassesUntil(town, ana.sees(plan.end, { in: 'ops' }), 0.005)
      await timePassesUntil(town, town.calm())
      expect(theEnd(town)).toMatch(plan.end)
      const isAgain = !arrives && call === 'startEndpoint'
      expect(sends(town)).toEqual(isAgain ? [...plan.calls, call] : plan.calls)
      expect(effects(town)).toEqual(arrives || isAgain ? plan.calls.map((name) => name.replace('Endpoint', '')) : [])
      const [at = 0, again = at] = callsOf(town, call)
      expect(again - at).toBeLessThan(90_000)
      expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')).toMatchObject(plan.leaves)
      expect(town.log()).not.toContain('"level":"error"')
    },
  )
})
