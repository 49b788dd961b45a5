import { Newer } from './domain/formats.ts'
import type { Log } from './lifecycle/ports.ts'

/** Something a process does by the clock. */
export interface Round {
  /** What is logged when it fails; it is tried again the next time. */
  readonly trouble: string
  /** ms, of real time; left out: only when asked for. */
  readonly every?: number
  /** Also when the sandbox has moved time, and once at the start. */
  readonly eager?: boolean
  run(): Promise<unknown>
}

export interface Rounds {
  /** Runs a round as soon as it is not running any more. */
  soon(round: Round): void
  /** None of what has begun goes on after this. */
  stop(): Promise<void>
}

/** Runs each round at its times, never beside itself. */
export function startRounds(rounds: readonly Round[], onMove: (listener: () => void) => void, log: Log): Rounds {
  const running = new Map<Round, Promise<void>>()
  const again = new Set<Round>()
  const told = new Set<string>()
  let over = false

  /** What only a newer process can read stays so, so it is said once. */
  function tell({ trouble }: Round, err: unknown): void {
    if (!(err instanceof Newer)) {
      log.warn({ err }, trouble)
      return
    }
    const why = err.message
    if (told.has(`${trouble}: ${why}`)) return
    told.add(`${trouble}: ${why}`)
    log.warn({ why }, trouble)
  }

  function begin(round: Round): void {
    if (over) return
    if (running.has(round)) return void again.add(round)
    const one = round
      .run()
      .then(
        () => undefined,
        (err: unknown) => tell(round, err),
      )
      .finally(() => {
        running.delete(round)
        if (again.delete(round)) begin(round)
      })
    running.set(round, one)
  }

  const timers = rounds.flatMap((round) =>
    round.every === undefined ? [] : [setInterval(() => begin(round), round.every)],
  )
  for (const round of rounds) if (round.eager === true) begin(round)
  onMove(() => {
    for (const round of rounds) if (round.eager === true) begin(round)
  })
  return {
    soon: begin,
    async stop() {
      over = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}
