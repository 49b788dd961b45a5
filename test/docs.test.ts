import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readLine } from '../src/core/commands/parse.ts'
import { rows } from '../src/features/command-table.ts'
import { startTown } from './support/town.ts'

/* Every link, every line and every command in the pages for people. */

const root = fileURLToPath(new URL('..', import.meta.url))

/** Commands that a test or a script of their own runs. All others in a block of `sh` are run here. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/browser/week.test.ts',
  'npm ci && npm test': '.ci/run',
  'redis-cli -u "$REDIS_URL" --rdb lamplighter.rdb': 'test/stories/backup.test.ts',
  'rm -rf "$REDIS_DATA/appendonlydir" "$REDIS_DATA/appendonly.aof"': 'test/stories/backup.test.ts',
  'cp lamplighter.rdb "$REDIS_DATA/appendonly.aof"': 'test/stories/backup.test.ts',
}

interface Page {
  readonly path: string
  readonly text: string
  /** Outside of blocks of code. */
  readonly prose: string
}

const fence = /^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm

let pages: readonly Page[]
beforeAll(async () => {
  const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  const paths = ['README.md', 'CHANGELOG.md', 'src/README.md', ...docs].filter((path) => existsSync(join(root, path)))
  pages = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8')
      return { path, text, prose: text.replace(fence, '') }
    }),
  )
})

/** As GitHub names a heading. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.replace(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('Every link leads to a file, and to a heading of it', async () => {
  const broken: string[] = []
  for (const { path, prose } of pages) {
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = '', heading] = target.split('#')
      const there = file === '' ? path : join(dirname(path), file)
      const isThere = existsSync(join(root, there))
      const text = isThere && heading !== undefined ? await readFile(join(root, there), 'utf8') : ''
      if (!isThere || (heading !== undefined && !anchorsOf(text).includes(heading))) broken.push(`${path}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test('Every line of /endpoint is one that Lamplighter reads', () => {
  const wrong = pages.flatMap(({ path, text }) =>
    [...text.replace(/<!-- manual[\s\S]*?<!-- \/manual -->/, '').matchAll(/(?:^|`) *\/endpoint ([^`\n]+)/gm)].flatMap(
      ([, line = '']) => {
        const read = readLine(line.replaceAll(/@\w+/g, '@U0ANA'), rows)
        const isRead = read.kind === 'line' || (read.kind === 'incomplete' && read.nonsense === undefined)
        return isRead ? [] : [`${path}: ${line}`]
      },
    ),
  )
  expect(wrong).toEqual([])
})

test('Every claim of docs/security.md names tests that there are', async () => {
  const { text } = pages.find(({ path }) => path === 'docs/security.md')!
  const claims = text
    .split('## Who can do what')[1]
    ?.split('## What to do')[0]
    ?.matchAll(/^\| (?!---).* \| ([^|]+) \|$/gm)
  const shown = [...(claims ?? [])].slice(1).map(([, cell = '']) => cell.split(', '))
  expect(shown.length).toBeGreaterThan(10)
  const tests = [...text.matchAll(/^(\d+)\. `(test\/[^`]+)`: (.+)$/gm)]
  for (const [at, [, number, file = '', title]] of tests.entries()) {
    expect(Number(number)).toBe(at + 1)
    expect(await readFile(join(root, file), 'utf8'), file).toContain(`'${title}`)
  }
  const named = [...shown.flat(), ...[...text.matchAll(/\((\d+)\)/g)].map(([, number]) => number)]
  expect(new Set(named)).toEqual(new Set(['Slack', ...tests.map(([, number]) => number)]))
})

describe('Commands in blocks of sh', () => {
  const shells = ['sh', 'bash', 'shell', 'console', 'zsh']

  /** Without comments; `\` at the end of a line joins it with the next. */
  function commandsIn({ path, text }: Page): readonly string[] {
    return [...text.matchAll(fence)].flatMap(([, indent = '', info = '', code = '']) => {
      const [language = '', mark] = info.trim().split(/\s+/)
      if (!shells.includes(language)) return []
      if (mark === 'on-your-machine') return []
      if (mark !== undefined)
        throw new Error(`${path}: the mark “${mark}” means nothing; write on-your-machine or none.`)
      return code
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .map((line) =>
          line
            .slice(indent.length)
            .replace(/(^|\s+)# .*$/, '')
            .trim(),
        )
        .filter((line) => line !== '')
    })
  }

  test('are run by the test that is named for them, or else here', async () => {
    for (const file of Object.values(elsewhere)) expect(existsSync(join(root, file)), file).toBe(true)
    const every = new Set(pages.flatMap(commandsIn))
    expect(Object.keys(elsewhere).filter((command) => !every.has(command))).toEqual([])
    const audit = await mkdtemp(join(tmpdir(), 'docs-'))
    onTestFinished(() => rm(audit, { recursive: true, force: true }))
    const town = await startTown({
      env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64'), LAMPLIGHTER_AUDIT_DIR: audit },
    })
    onTestFinished(() => town.stop())
    const failed: string[] = []
    for (const command of every) {
      if (command in elsewhere) continue
      const { isWell, said } = await run(command, { ...town.env, LAMPLIGHTER_ENV_FILE: '' })
      if (!isWell) failed.push(`${command}\n${said}`)
    }
    expect(failed, 'A command that cannot be run here stands in a block of ```sh on-your-machine').toEqual([])
  })

  /** As a shell runs it in the project's folder; what goes on running is ended once it says that it is ready. */
  async function run(command: string, env: Readonly<Record<string, string>>) {
    const child = spawn('sh', ['-c', command], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        const wasReady = said.includes('"msg":"ready"')
        said += String(bytes)
        if (!wasReady && said.includes('"msg":"ready"')) process.kill(-(child.pid ?? 0), 'SIGTERM')
      })
    const [code] = (await once(child, 'close')) as [number | null]
    // The shell and npm end by the signal; the product says that it ended gently.
    return { isWell: code === 0 || said.includes('"msg":"stopped"'), said }
  }
})
