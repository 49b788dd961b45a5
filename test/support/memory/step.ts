import type fc from 'fast-check'
import type { Fate } from './cast.ts'
import type { Oracle } from './oracle.ts'
import { type Stage, swept } from './stage.ts'

type Act = (stage: Stage) => Promise<void> | void
type Step = fc.AsyncCommand<Oracle, Stage>

/** Returns a step that acts, lets the worker process the result, and checks that no rule was broken. */
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

/** Lets the worker die, or sleep for longer than its lease while another worker runs. */
function meets(stage: Stage, fate: NonNullable<Fate>): void {
  if ('dies' in fate) stage.mortal.diesAfter(fate.dies)
  else
    stage.mortal.sleepsAfter(fate.sleeps, async () => {
      stage.clock.pass(30_000)
      await swept(stage, stage.other)
    })
}

/** Lets the dead worker's pending work fail before the next worker begins. */
async function buried({ mortal }: Stage): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve))
  mortal.replaced()
}
