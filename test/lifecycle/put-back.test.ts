import { expect, test } from 'vitest'
import { isEnded, type Request } from '../../src/domain/request.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import type { Trouble } from '../support/memory/platform.ts'
import { presses, type Stage, staged, swept, types } from '../support/memory/stage.ts'

/* What we have stopped for a restart or a patch runs again, whatever becomes of the calls. */

const minute = 60_000
const restart = ['stop', 'start', 'scale'] as const
const patch = ['stop', 'patch', 'start', 'scale'] as const

function calls({ platform }: Stage): readonly string[] {
  return platform.made.map(({ call }) => (call.method === 'patch' ? 'patch' : (call.path.split('/').at(-1) ?? '')))
}

/** Lets time go by, a second at a time, until the request is over. Answers it, and how long that took, ms. */
async function lived(stage: Stage, id: string, most = 45 * minute): Promise<readonly [Request, number]> {
  const began = stage.clock.now()
  for (;;) {
    const request = await stage.store.load(id)
    if (request === null) throw new Error('It is gone.')
    const took = stage.clock.now() - began
    if (isEnded(request.status)) return [request, took]
    if (took > most) throw new Error(`Not over after ${took / minute} min: ${JSON.stringify(request.progress)}`)
    stage.clock.pass(1_000)
    await new Promise<void>((resolve) => void setImmediate(resolve))
    stage.mortal.replaced()
    await swept(stage)
  }
}

interface Course {
  /** What happens to the calls, in their order. */
  readonly troubles?: readonly Trouble[]
  /** Whose worker dies in which call. */
  readonly dies?: string
}

async function begun(line: string, { troubles = [], dies }: Course = {}): Promise<readonly [Stage, string]> {
  const stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  const { platform, mortal } = stage
  platform.stopMs = 2_500
  platform.troubles.push(...troubles)
  const watching = platform.onCall
  let left = dies
  platform.onCall = (made) => {
    watching(made)
    if (left === undefined || !made.call.path.endsWith(`/${left}`)) return
    left = undefined
    mortal.diesAfter(1)
  }
  await types(stage, 'U0ANA', line, 'C0OPS')
  await stage.work()
  const id = stage.requests[0] ?? ''
  await presses(stage, 'U0ANA', id, true)
  await stage.work()
  return [stage, id]
}

const unclear: readonly (readonly [string, Course['troubles'], string?])[] = [
  ['does not arrive', ['unknown']],
  ['is carried out without an answer', ['lost']],
  ['is turned away for two seconds', ['busy']],
  ['finds no connection', ['unreached']],
  ['does not arrive, five times', ['unknown', 'unknown', 'unknown', 'unknown', 'unknown']],
  ['is turned away, eight times', ['busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'busy']],
  ['does not arrive, and its worker dies', ['unknown'], 'start'],
  ['is carried out, and its worker dies', ['none'], 'start'],
]
const plans = [
  ['restart my-llm', restart],
  ['patch my-llm port=9000', patch],
] as const

test.each(
  plans.flatMap(([line, plan]) => unclear.map(([what, troubles, dies]) => ({ line, plan, what, troubles, dies }))),
)('$line: a start that $what is made until it runs', async ({ line, plan, troubles = [], dies }) => {
  const before = plan.slice(0, plan.indexOf('start')).map(() => 'none' as const)
  const [stage, id] = await begun(line, { troubles: [...before, ...troubles], ...(dies && { dies }) })
  const [request] = await lived(stage, id)
  expect(stage.platform.endpoints.get('ep-0')).toMatchObject({ active: true, replicas: 3 })
  expect(request.status).toBe('succeeded')
  expect(calls(stage).filter((call) => call !== 'start')).toEqual(plan.filter((call) => call !== 'start'))
  expect([...stage.oracle.faults, ...stage.complaints]).toEqual([])
})
