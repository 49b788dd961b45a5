import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** With two cores and taskset, what is measured has core 0 to itself and everything else shares core 1. */
const pinned =
  availableParallelism() >= 2 && existsSync('/proc/stat') && spawnSync('taskset', ['--version']).status === 0

/** Moves this process, and with it all that it starts from now on, off the measured core. */
export function stepAside(): void {
  if (pinned) spawnSync('taskset', ['-cp', '1', String(process.pid)])
}

/** The words that start a program on the measured core. */
export function onMeasuredCore(...command: readonly string[]): readonly [string, ...string[]] {
  return pinned ? ['taskset', '-c', '0', process.execPath, ...command] : [process.execPath, ...command]
}

export function machine(): Record<string, string | number | boolean> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    pinned,
  }
}

/** MB that a process holds in memory. */
export function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024
}

/** ms of processor time that a process used so far; NaN where the kernel does not tell. In steps of 10 ms. */
export function processorTimeOf(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return Number.NaN
  // The name in brackets may hold blanks; what follows is utime and stime at places 14 and 15 of the whole line.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** ms of processor time that everybody together used of core 0; NaN where the kernel does not tell. */
export function measuredCoreTime(): number {
  if (!pinned) return Number.NaN
  const line =
    readFileSync('/proc/stat', 'utf8')
      .split('\n')
      .find((each) => each.startsWith('cpu0 ')) ?? ''
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) * 10
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
