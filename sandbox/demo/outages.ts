import type { Plight } from '../slack/options.ts'

/** The outages of a process that is killed and started again. */
export interface Outages {
  /** Kills the process; resolves when a new one is ready. */
  readonly kill: () => Promise<void>
  readonly count: () => number
  readonly gone: () => boolean
  /** Says that the process is gone, and then for a while that a new one is running; undefined otherwise. */
  readonly plight: () => Plight | undefined
}

/** How long the notice of a new process is shown, ms of real time. */
const shownMs = 20_000

/** `restart` kills the worker and resolves when another is ready. */
export function outagesOf(restart: () => Promise<void>): Outages {
  let [count, struck, back] = [0, 0, 0]
  let failed: string | undefined
  const gone = () => struck > back
  return {
    async kill() {
      count += 1
      struck = performance.now()
      failed = undefined
      try {
        await restart()
        back = performance.now()
      } catch (error) {
        // Only the lines written for people, not the log's JSON.
        const lines = String(error).split('\n')
        failed = lines.filter((line) => !line.startsWith('{')).join(' ')
      }
    },
    count: () => count,
    gone,
    plight() {
      if (failed !== undefined)
        return { text: `No new worker started: ${failed} Fix that, then press “Kill the worker” again.`, isOver: false }
      if (gone())
        return { text: 'The worker is gone: killed with SIGKILL. A new one starts in a few seconds.', isOver: false }
      if (count === 0 || performance.now() - back > shownMs) return undefined
      const seconds = Math.round((back - struck) / 1_000)
      return {
        text: `A new worker is running, ${seconds} s later. It continues where the old one stopped.`,
        isOver: true,
      }
    },
  }
}
