import type fc from 'fast-check'
import type { Fate } from './cast.ts'
import type { Oracle } from './oracle.ts'
import { type Stage, swept } from './stage.ts'

type Act = (stage: Stage) => Promise<void> | void
type Step = fc.AsyncCommand<Oracle, Stage>

/** Does something, lets the worker do what comes of it, and looks whether all is as it should be. */
export function step(says: string, fate: Fate, act: Act): Step {
  return {
    check: () => true,
    toString: () => (fate === null ? says : `${says} ${JSON.stringify(fate)}`),
    async run(oracle, stage) {
      if (fate !== null) meets(stage, fate)
      await act(stage)
      await stage.work()
      if (fate !== null) await buried(stage)
      oracle.look()
      const wrong = [...oracle.faults, ...stage.complaints]
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
    },
  }
}

/** Asleep for longer than its lease, and another worker awake. */
function meets(stage: Stage, fate: NonNullable<Fate>): void {
  if ('dies' in fate) stage.mortal.diesAfter(fate.dies)
  else
    stage.mortal.sleepsAfter(fate.sleeps, async () => {
      stage.clock.pass(30_000)
      await swept(stage, stage.other)
    })
}

/** Whatever the dead worker had under way comes to nothing before the next one begins. */
async function buried({ mortal }: Stage): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve))
  mortal.replaced()
}
