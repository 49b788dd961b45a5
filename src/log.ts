import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino'
import { type Mask, maskOf } from './core/text/redact.ts'

/** `log.info({ endpoint: id }, 'words')` or `log.info('words')`; an error goes in as `{ err: error }`. */
export interface Log {
  readonly debug: LogFn
  readonly info: LogFn
  readonly warn: LogFn
  readonly error: LogFn
  /** The same log with these fields on every line. */
  child(fields: Record<string, unknown>): Log
}

/** Puts `[masked]` in place of the given values and of whatever looks like a token. */
export function createMask(values: readonly string[]): Mask {
  return maskOf({ values })
}

export interface LogOptions {
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly mask?: Mask
  /** Where the lines go; stdout when left out. */
  readonly stream?: DestinationStream
}

/**
 * The process's log: one JSON object a line. Only plain values are written. Of an error its type, message, code and
 * stack (ioredis hangs a command's arguments on its errors), of any other object its class (a Slack client holds the
 * token). The mask goes over whole lines, so no field can slip past it.
 */
export function createLog({
  level = 'info',
  mask = createMask([]),
  stream = pino.destination(1),
}: LogOptions = {}): Log {
  const logger = pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }), log: plainFields },
      // Errors are plain by then; the serializer that pino brings would read them again and lose their type.
      mixin() {
        const request = requestAtWork.getStore()
        return request === undefined ? {} : { request }
      },
      serializers: { err: (plainly: unknown) => plainly },
      hooks: { streamWrite: mask },
    },
    stream,
  )
  return over(logger)
}

/** pino's own child would write its fields past the formatter. */
function over(logger: Logger): Log {
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    child: (fields) => over(logger.child(plainFields(fields))),
  }
}

const requestAtWork = new AsyncLocalStorage<string>()

/** Does the work for a request: each line that is logged meanwhile carries its id, whoever logs it. */
export function workingOn<Done>(request: string, work: () => Done): Done {
  return requestAtWork.run(request, work)
}

function plainFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value, 3)]))
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

function plainError(error: Error): Record<string, unknown> {
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : undefined
  return { type: error.name, message: error.message, ...(code !== undefined && { code }), stack: error.stack }
}
