import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readWords } from '../../src/cli/command-line.ts'
import { auditLine, runCommand } from '../../src/cli/terminal.ts'
import { buildProduct } from '../support/child.ts'

const [out, err]: [string[], string[]] = [[], []]
beforeEach(() => {
  // Nobody is logged in here.
  for (const name of ['XDG_CONFIG_HOME', 'APPDATA']) vi.stubEnv(name, '/nowhere')
  for (const said of [out, err]) said.length = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('help lists every command, and each command has its own help', async () => {
  for (const words of [['--help'], ['-h'], ['help']]) expect(await runCommand(words)).toBe(0)
  const commands = out.join('').matchAll(/^ {2}(?!help )([a-z]+) /gm)
  const names = new Set([...commands].map(([, name = '']) => name))
  expect(names).toEqual(
    new Set(['all', 'bot', 'api', 'worker', 'init', 'check', 'mcp', 'doctor', 'audit', 'login', 'logout']),
  )
  for (const name of names)
    for (const words of [
      [name, '--help'],
      ['help', name],
    ]) {
      out.length = 0
      expect(await runCommand(words)).toBe(0)
      expect(out.join('')).toMatch(new RegExp(`^npm start -- ${name}\\b.*\\n\\n[A-Z].*\\.\\n`))
    }
  expect(err).toEqual([])
})

test('a command whose output nobody reads ends quietly, with its own exit code', async () => {
  await buildProduct()
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
  for (const [words, code] of [
    [['--help'], 0],
    [['check', '/nowhere/lamplighter.yaml'], 1],
  ] as const) {
    const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += String(bytes)
    })
    const [left] = await once(child, 'close')
    expect([left, said]).toEqual([code, ''])
  }
})

test('help after a login is Slack’s, except for commands that only the terminal has', async () => {
  const asked: string[] = []
  vi.stubEnv('LAMPLIGHTER_API_URL', 'http://127.0.0.1:1')
  vi.stubEnv('LAMPLIGHTER_TOKEN', 'lamp_x')
  vi.spyOn(globalThis, 'fetch').mockImplementation((url) => {
    asked.push(url instanceof URL ? (url.searchParams.get('line') ?? '') : '')
    return Promise.resolve(Response.json({ answer: { en: { title: 'Commands', items: [] } } }))
  })
  for (const words of [['help'], ['help', 'stop'], ['help', 'doctor'], ['/endpoint', 'help']]) await runCommand(words)
  expect(asked).toEqual(['help', 'help stop', 'help doctor', 'help'])
  out.length = 0
  for (const words of [[], ['--help'], ['help', 'login'], ['login', 'help'], ['stop', '--help']])
    expect(await runCommand(words)).toBe(0)
  expect(asked).toHaveLength(4)
  expect(out.map((text) => text.split('\n', 1)[0])).toEqual([
    'npm start -- [COMMAND]',
    'npm start -- [COMMAND]',
    'npm start -- login [OPTIONS]',
    'npm start -- login [OPTIONS]',
    'npm start -- LINE [OPTIONS]',
  ])
})

test('the help of a command names each of its options', async () => {
  await runCommand(['audit', '--help'])
  for (const name of Object.keys(auditLine.flags)) expect(out.join('')).toContain(`--${name} `)
})

test('an unknown command, an unknown option and an extra word are reported with near misses', async () => {
  expect(await runCommand(['docter'])).toBe(2)
  expect(await runCommand(['doctor', 'now'])).toBe(2)
  expect(await runCommand(['bot', 'twice'])).toBe(2)
  expect(await runCommand(['check', '--strict'])).toBe(2)
  expect(err).toEqual([
    '“docter” isn’t a terminal command. Did you mean doctor? To use /endpoint commands here, log in: npm start -- login --url URL. npm start -- --help lists all commands.\n',
    'Unexpected argument “now”. npm start -- doctor --help shows its usage.\n',
    'Unexpected argument “twice”. npm start -- bot --help shows its usage.\n',
    'Unknown option --strict. npm start -- check --help shows its usage.\n',
  ])
  expect(out).toEqual([])
})

test('options are read in any position, and a typo is reported', () => {
  expect(readWords(auditLine, ['verify', '--anchor', '1:a', 'kept.jsonl', '--anchor=2:b'])).toEqual({
    words: ['verify', 'kept.jsonl'],
    flags: { anchor: ['1:a', '2:b'] },
  })
  expect(readWords(auditLine, ['export', '--sinse', '30d'])).toEqual({
    wrong: 'Unknown option --sinse. Did you mean --since?',
  })
  expect(readWords(auditLine, ['export', '--since'])).toEqual({
    wrong: "Option '--since <value>' argument missing.",
  })
})
