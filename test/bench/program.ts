import { type ChildProcess, fork, spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { onMeasuredCore } from './machine.ts'

export interface Program {
  readonly pid: number
  /** ms from the spawn to the log line "ready". */
  readonly readyMs: number
  stop(): Promise<void>
}

/** Starts a program on the measured core, or beside it. Throws with its output if it is not ready within 60 s. */
export async function startProgram(
  command: readonly string[],
  env: Record<string, string>,
  place: 'measured' | 'beside' = 'measured',
): Promise<Program> {
  const [word, ...words] = place === 'measured' ? onMeasuredCore(...command) : ([process.execPath, ...command] as const)
  const begin = performance.now()
  const child = spawn(word, words, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  const readyMs = await new Promise<number>((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${command.join(' ')} ${what}:\n${said.slice(-20).join('\n')}`))
    const late = setTimeout(() => fail('was not ready in time'), 60_000)
    child.once('exit', (code) => fail(`ended with ${code}`))
    createInterface(child.stderr).on('line', (line) => said.push(line))
    createInterface(child.stdout).on('line', (line) => {
      if (!line.includes('"msg":"ready"')) return void said.push(line)
      clearTimeout(late)
      resolve(performance.now() - begin)
    })
  }).catch(async (error: unknown) => {
    await end(child)
    throw error
  })
  if (child.pid === undefined) throw new Error(`${command.join(' ')} has no process.`)
  return { pid: child.pid, readyMs, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(force)
}

/** A helper process of the bench that replies once to each message. */
export interface Assistant {
  ask<Answer>(message: object): Promise<Answer>
  stop(): Promise<void>
}

export async function startAssistant(file: string): Promise<Assistant> {
  const child = fork(file, { stdio: 'inherit' })
  await next(child)
  return {
    async ask<Answer>(message: object) {
      const answer = next(child)
      child.send(message)
      return (await answer) as Answer
    },
    stop: () => end(child),
  }
}

function next(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('A program of the bench ended early.'))
    child.once('exit', gone)
    child.once('message', (message: { error?: string }) => {
      child.off('exit', gone)
      if (message.error === undefined) resolve(message)
      else reject(new Error(message.error))
    })
  })
}
