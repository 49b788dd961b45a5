import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { endpoints } from '../sandbox/demo/cast.ts'
import { readLine } from '../src/core/commands/parse.ts'
import { shapes } from '../src/core/model/formats.ts'
import { rows } from '../src/features/command-table.ts'
import { english } from '../src/words/english.ts'
import { fence, type Page, readPages, projectRoot as root } from './support/pages.ts'

/* Checks the links, the command lines and the claims of the documentation. */

let pages: readonly Page[]
beforeAll(async () => {
  pages = await readPages()
})

/** Returns the anchors that GitHub gives to the headings. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.replace(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('Every link leads to an existing file and heading', async () => {
  const broken: string[] = []
  for (const { path, text } of pages) {
    for (const [, target = ''] of text.replace(fence, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = '', heading] = target.split('#')
      const there = file === '' ? path : join(dirname(path), file)
      const isThere = existsSync(join(root, there))
      const other = isThere && heading !== undefined ? await readFile(join(root, there), 'utf8') : ''
      if (!isThere || (heading !== undefined && !anchorsOf(other).includes(heading))) broken.push(`${path}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

/** Returns a page's command lines, except those of the manual, which show usages. */
function linesIn(text: string): readonly string[] {
  const found = text.replace(/<!-- manual[\s\S]*?<!-- \/manual -->/, '').matchAll(/(?:^|`) *\/endpoint ([^`\n]+)/gm)
  return [...found].map(([, line = '']) => line.replaceAll(/@\w+/g, '@U0ANA'))
}

test('Every /endpoint line can be parsed', () => {
  const wrong = pages.flatMap(({ path, text }) =>
    linesIn(text).flatMap((line) => {
      const read = readLine(line, rows)
      const isRead = read.kind === 'line' || (read.kind === 'incomplete' && read.wrong === undefined)
      return isRead ? [] : [`${path}: ${line}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('The first pages use the demo’s endpoints, so that their lines can be pasted there', () => {
  const named = pages.flatMap(({ path, text }) =>
    /^(README|docs\/(commands|demo|policy|faq)\.md)/.test(path)
      ? linesIn(text).flatMap((line) => {
          const read = readLine(line, rows)
          return read.kind === 'line' ? [read.read.values['endpoint'] ?? 'chat-llm'] : []
        })
      : [],
  )
  expect(endpoints.map(({ name }) => name)).toEqual(expect.arrayContaining(named))
  expect(named.length).toBeGreaterThan(5)
})

test('The version is in the changelog, and its formats are in docs/upgrade.md', async () => {
  const textOf = (name: string) => pages.find(({ path }) => path === name)?.text ?? ''
  expect(textOf('CHANGELOG.md')).toContain(`\n## [${packageJson.version}] - `)
  const [, table = ''] = textOf('docs/upgrade.md').split(`\n## Formats of ${packageJson.version}\n`)
  const [[, names = '', written] = [], [, , usual] = []] = [...table.matchAll(/^\| ([^|]+) \| (\d) \| 1 to \2 \|$/gm)]
  const own = [...names.matchAll(/`(\w+)`/g)].map(([, shape]) => shape)
  const formats = Object.entries(shapes).map(([shape, { format }]) => [shape, format])
  const told = Object.keys(shapes).map((shape) => [shape, Number(own.includes(shape) ? written : usual)])
  expect(told).toEqual(formats)
})

test('docs/troubleshooting.md quotes Lamplighter’s sentences exactly', async () => {
  const { text } = pages.find(({ path }) => path === 'docs/troubleshooting.md')!
  const quotes = [...text.matchAll(/(?<!Slack: )“([^”]+)”/g)].map(([, quote = '']) => quote)
  expect(quotes.length).toBeGreaterThan(20)
  const sentences = Object.values(english)
  expect(quotes.filter((quote) => !sentences.some((one) => one.includes(quote)))).toEqual([])
})

test('Every claim of docs/security.md names existing tests', async () => {
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
    expect(await hasTest(file, title), `${file}: ${title}`).toBe(true)
  }
  const named = [...shown.flat(), ...[...text.matchAll(/\((\d+)\)/g)].map(([, number]) => number)]
  expect(new Set(named)).toEqual(new Set(['Slack', ...tests.map(([, number]) => number)]))
})

/** Whether a file has a test with this title, alone or after the title of its `describe`. */
async function hasTest(file: string, title = ''): Promise<boolean> {
  const text = await readFile(join(root, file), 'utf8')
  const has = (part: string) => part === '' || text.includes(`'${part}'`)
  const words = title.split(' ')
  return words.some((_, at) => has(words.slice(0, at).join(' ')) && has(words.slice(at).join(' ')))
}
