import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** With two cores and taskset, the measured program has core 0 to itself; everything else shares core 1. */
const pinned =
  availableParallelism() >= 2 && existsSync('/proc/stat') && spawnSync('taskset', ['--version']).status === 0

/** Moves this process and all its later children off the measured core. */
export function stepAside(): void {
  if (pinned) spawnSync('taskset', ['-cp', '1', String(process.pid)])
}

/** Returns the command line that starts a program on the measured core. */
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

/** Returns the resident memory of a process, MB. */
export function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024
}

/** Returns the processor time of a process, ms, in steps of 10 ms; NaN if the kernel does not report it. */
export function processorTimeOf(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return Number.NaN
  // The name in parentheses may contain spaces. utime and stime are fields 14 and 15 of the whole line.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the processor time of all processes on core 0, ms; NaN if the kernel does not report it. */
export function measuredCoreTime(): number {
  if (!pinned) return Number.NaN
  const line =
    readFileSync('/proc/stat', 'utf8')
      .split('\n')
      .find((each) => each.startsWith('cpu0 ')) ?? ''
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) * 10
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
