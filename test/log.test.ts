import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { LogLevel, WebClient } from '@slack/web-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { slackLogger } from '../src/adapters/slack/web/client.ts'
import { maskOf } from '../src/core/text/redact.ts'
import { createLog, type LogOptions, workingOn } from '../src/log.ts'

type Line = Record<string, unknown> & { err?: Record<string, unknown> }

function logged(options: Omit<LogOptions, 'stream'> = {}) {
  const lines: string[] = []
  const log = createLog({ ...options, stream: { write: (line: string) => lines.push(line) } })
  const text = () => lines.join('')
  return { log, text, last: (): Line => JSON.parse(lines.at(-1) ?? 'null') }
}

describe('The log', () => {
  test('writes each line as one JSON object with time, level and message', () => {
    const { log, text, last } = logged()
    log.info({ port: 3000 }, 'ready')
    expect(last()).toMatchObject({ level: 'info', msg: 'ready', port: 3000, pid: process.pid })
    expect(new Date(String(last()['time'])).toISOString()).toBe(last()['time'])
    expect(text().split('\n')).toHaveLength(2)
  })

  test('adds the request’s id to lines written while a request is processed', async () => {
    const { log, last } = logged()
    await workingOn('r-1', async () => {
      await Promise.resolve()
      log.warn('slow')
      expect(last()).toMatchObject({ request: 'r-1', msg: 'slow' })
      // As for a count of many requests.
      log.warn({ request: undefined }, 'slow')
      expect(last()).not.toHaveProperty('request')
    })
    log.warn('slow')
    expect(last()).not.toHaveProperty('request')
  })

  test('does not write lines below its level', () => {
    const { log, text } = logged({ level: 'warn' })
    log.info('quiet')
    expect(text()).toBe('')
  })
})

describe('A logged object', () => {
  test('has no stack if Redis refused, because it would only show where the answer is read', () => {
    const { log, last } = logged()
    const error = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' })
    log.info({ err: error }, 'full')
    expect(last().err).toEqual({ type: 'ReplyError', message: 'OOM command not allowed' })
  })

  test('shows only type, message, code and stack if it is an error', () => {
    const { log, text, last } = logged()
    const error = Object.assign(new TypeError('WRONGTYPE'), { code: 'ERR', command: { args: ['canary'] } })
    error.cause = new Error('canary')
    log.error({ err: error }, 'failed')
    expect(last().err).toEqual({ type: 'TypeError', message: 'WRONGTYPE', code: 'ERR', stack: error.stack })
    log.error(error)
    expect(last()).toMatchObject({ msg: 'WRONGTYPE', err: { type: 'TypeError' } })
    log.error({ failures: [error] }, 'two')
    expect(text()).not.toContain('canary')
  })

  test('shows only its class if it is a client', () => {
    const { log, text, last } = logged()
    const client = new WebClient('token-canary')
    log.info({ client, deep: { clients: [client] } }, 'here')
    expect(last()).toMatchObject({ client: '[WebClient]', deep: { clients: ['[WebClient]'] } })
    expect(text()).not.toContain('canary')
  })

  test('is written in full to a depth of three if it is a plain value', () => {
    const { log, last } = logged()
    log.info({ count: 1, none: null, steps: [{ call: 'stop' }], a: { b: { c: { d: { e: 1 } } } }, big: 2n }, 'plan')
    expect(last()).toMatchObject({
      count: 1,
      none: null,
      steps: [{ call: 'stop' }],
      a: { b: { c: { d: '[deeper]' } } },
      big: '2',
    })
  })
})

describe('Masking', () => {
  test.each([
    'xoxb-1234567890-abcdefghij',
    'xoxe.xoxb-1-Mi0yLTEyMzQ1',
    'xapp-1-A0123-456-abcdef',
    'sk-abcdefghijklmnop',
    'Bearer abc.def-ghi',
    'https://hooks.slack.com/commands/T1/2/canary',
    'wss://example.com/link?ticket=canary-1&app_id=a',
  ])('hides %s in every part of a line', (value) => {
    const { log, text, last } = logged()
    log.info({ note: `got ${value}`, [value]: 1, list: [value] }, `with ${value}`)
    log.error(new Error(`sent ${value}`))
    expect(text()).not.toContain(value)
    expect(text()).toContain('[masked]')
    expect(last()['level']).toBe('error')
  })

  test('hides secrets of the configuration, including their JSON-escaped form', () => {
    const { log, text, last } = logged({ secrets: ['pass"word\\1', 'a.b*c+d', 'pin'] })
    log.info({ url: 'redis://:pass"word\\1@h' }, 'a.b*c+d, axb*c+d, spinning')
    expect(text()).not.toContain('word')
    expect(last()).toMatchObject({ url: 'redis://:[masked]@h', msg: '[masked], axb*c+d, spinning' })
  })

  test('replaces the longer of two overlapping secrets first', () => {
    expect(maskOf({ values: ['secret', 'redis://:secret@host'] })('at redis://:secret@host')).toBe('at [masked]')
  })

  test('leaves ordinary words alone', () => {
    const text = 'task-force desk-lamp my-sk-endpoint bearer of news, risk-assessment'
    expect(maskOf()(text.replace('bearer of', 'carrier of'))).toBe(text.replace('bearer of', 'carrier of'))
  })
})

describe('The logger for Slack’s libraries', () => {
  test('turns their messages and errors into our log lines', () => {
    const { log, last } = logged()
    slackLogger(log).error('Failed to retrieve', new Error('invalid_auth'))
    expect(last()).toMatchObject({
      level: 'error',
      msg: 'Failed to retrieve invalid_auth',
      err: { message: 'invalid_auth' },
    })
    slackLogger(log).warn('A pong', 5, { token: 'canary' }, null)
    expect(last()).toMatchObject({ level: 'warn', msg: 'A pong 5 [Object] null' })
    slackLogger(log).info('connected')
    expect(last()).toMatchObject({ level: 'info', msg: 'connected' })
  })

  test('logs only the first of several equal failures at once, and logs a different one again', () => {
    const { log, text } = logged()
    const logger = slackLogger(log)
    for (let n = 0; n < 9; n += 1) {
      logger.warn('http request failed', 'connect ECONNREFUSED 127.0.0.1:443')
      logger.error(`The answer to 0a1b2c3d-${n}000 did not reach Slack:`, new Error('gone'))
    }
    logger.warn('http request failed', 'statusCode = 503')
    logger.warn('http request failed', 'statusCode = 500')
    expect(text().trim().split('\n')).toHaveLength(4)
  })

  test('drops their debug lines, which contain whole payloads, even at level debug', () => {
    const { log, text } = logged({ level: 'info' })
    const logger = slackLogger(log)
    logger.setLevel(LogLevel.DEBUG)
    logger.debug('Received a message on the WebSocket: {"payload":"canary"}')
    expect(logger.getLevel()).toBe(LogLevel.INFO)
    expect(text()).toBe('')
  })
})

describe('A separate process', () => {
  const begin = `import { createLog } from './src/log.ts'; const log = createLog(); log.info('first'); log.info('last');`

  const running = (script: string) => ['--import', 'tsx', '--input-type=module', '-e', `${begin} ${script}`]

  function linesOf(script: string, onLine?: (child: ChildProcess) => void): Promise<readonly unknown[]> {
    const child = spawn(process.execPath, running(script), { stdio: ['ignore', 'pipe', 'ignore'] })
    return new Promise((resolve) => {
      const lines: unknown[] = []
      createInterface(child.stdout)
        .on('line', (line) => {
          lines.push(JSON.parse(line).msg)
          onLine?.(child)
        })
        .once('close', () => resolve(lines))
    })
  }

  test.each([
    ['returns', ''],
    ['exits', 'process.exit(1)'],
    ['throws', "throw new Error('fault')"],
  ])('writes its last lines when it %s', async (_, script) => {
    expect(await linesOf(script)).toEqual(['first', 'last'])
  })

  test('writes lines delayed by a slow reader, even if nothing more is logged', async () => {
    const many = "for (let n = 0; n < 300; n += 1) log.info('x'.repeat(200)); log.info('end')"
    const staying = "process.stdin.resume().once('end', () => process.kill(process.pid, 'SIGKILL'))"
    // A pipe holds 64 KB, which is less than the output.
    const words = ['-c', '"$@" | (sleep 1; exec cat)', 'sh', process.execPath, ...running(`${many}; ${staying}`)]
    const child = spawn('sh', words, { stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void child.stdin.end())
    let last: unknown
    createInterface(child.stdout).on('line', (line) => {
      last = JSON.parse(line).msg
    })
    await expect.poll(() => last).toBe('end')
  })

  test('writes lines soon while it keeps running', async () => {
    expect(await linesOf('setInterval(() => {}, 1_000)', (child) => child.kill())).toEqual(['first', 'last'])
  })
})
