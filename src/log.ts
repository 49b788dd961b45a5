import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import { maskOf } from './core/text/redact.ts'

/** `log.info({ endpoint: id }, 'words')` or `log.info('words')`; an error is passed as `{ err: error }`. */
export type ProcessLog = Pick<Logger, 'info' | 'warn' | 'error' | 'flush'>

export interface LogOptions {
  readonly level?: 'info' | 'warn' | 'error' | 'silent'
  /** Masked in addition to everything that looks like a token. */
  readonly secrets?: readonly string[]
  /** Stdout by default. */
  readonly stream?: DestinationStream
}

/**
 * Makes the log of a process, one JSON object per line. An error is written with its type, message, code and stack
 * only, because ioredis attaches a command's arguments; another object with its class only, because a Slack client
 * holds the token. Whole lines are masked, so no field escapes.
 */
export function createLog({ level = 'info', secrets = [], stream = stdoutOfProcess() }: LogOptions = {}): ProcessLog {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }), log: (fields) => plain(fields, 4) as typeof fields },
      mixin() {
        const request = requestAtWork.getStore()
        return request === undefined ? {} : { request }
      },
      // Errors are already plain objects here; pino's own serializer would lose their type.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: maskOf({ values: secrets }) },
    },
    stream,
  )
}

let ofProcess: DestinationStream | undefined

/**
 * Returns the stdout that all logs of a process share, so that their lines stay in order. It writes every 0.1 s and at
 * exit, because one write per line takes a tenth of a busy bot's time. A kill loses 0.1 s, and a reader that stops
 * reading loses lines beyond 16 MB.
 */
function stdoutOfProcess(): DestinationStream {
  const maxLength = 16 * 1024 * 1024
  ofProcess ??= pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100, maxLength })
  return ofProcess
}

const requestAtWork = new AsyncLocalStorage<string>()

/** Runs work for a request, whose id is added to every line that the work logs. */
export function workingOn<Done>(request: string, work: () => Done): Done {
  return requestAtWork.run(request, work)
}

function plain(value: unknown, depth: number): unknown {
  if (value instanceof Error) return plainError(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => plain(item, depth - 1))
  const kind: unknown = Object.getPrototypeOf(value)
  if (kind !== Object.prototype && kind !== null) return `[${value.constructor.name}]`
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, depth - 1)]))
}

/** Redis refused, or gave no answer. A stack would only show where its answer is read. */
const ofRedis = /^(ReplyError|LeaseLost)$/

function plainError(error: Error): Record<string, unknown> {
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined
  const about = { type: error.name, message: error.message, ...(code !== undefined && { code }) }
  return ofRedis.test(error.name) ? about : { ...about, stack: error.stack }
}
