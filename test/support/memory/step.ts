import type fc from 'fast-check'
import type { Oracle } from './oracle.ts'
import type { Stage } from './stage.ts'

type Act = (stage: Stage) => Promise<void> | void
type Step = fc.AsyncCommand<Oracle, Stage>

/** Does something, lets the worker do what comes of it, and looks whether all is as it should be. */
export function step(says: string, dies: number | null, act: Act): Step {
  return {
    check: () => true,
    toString: () => (dies === null ? says : `${says} †${dies}`),
    async run(oracle, stage) {
      if (dies !== null) stage.mortal.diesAfter(dies)
      await act(stage)
      await stage.work()
      if (dies !== null) await buried(stage)
      oracle.look()
      const wrong = [...oracle.faults, ...stage.complaints]
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
    },
  }
}

/** Whatever the dead worker had under way comes to nothing before the next one begins. */
async function buried({ mortal }: Stage): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve))
  mortal.replaced()
}
