import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

// The rules of src/README.md, held by reading the text of every source file. What is listed in a failure is what to change.

interface Floor {
  /** Floors it may import, besides itself. */
  readonly floors: readonly string[]
  /** Packages it may import; `node:` is the whole standard library. Left out: any. */
  readonly packages?: readonly string[]
}

const adapter = ['lifecycle', 'operations', 'domain']
const outside = ['config', 'log', 'clock', 'slack', 'signals', 'api', 'queue', 'store', ...adapter]
const floors: Readonly<Record<string, Floor>> = {
  generated: { floors: [], packages: [] },
  domain: { floors: [], packages: [] },
  operations: { floors: ['domain', 'generated'], packages: ['fuse.js', 'zod'] },
  // Ids are random; nothing else of the outside is known here.
  lifecycle: { floors: ['operations', 'domain'], packages: ['node:crypto'] },
  // Draws what it is given, wherever it is to be seen.
  chart: { floors: ['domain'], packages: ['node:zlib'] },
  slack: { floors: [...adapter, 'chart'], packages: ['@slack/', 'node:', 'undici', 'zod'] },
  signals: { floors: adapter, packages: ['node:', 'undici', 'zod'] },
  api: { floors: [...adapter, 'generated'], packages: ['node:', 'openapi-fetch', 'undici', 'zod'] },
  queue: { floors: adapter, packages: ['bullmq', 'ioredis', 'node:'] },
  store: { floors: adapter, packages: ['ioredis', 'node:', 'zod'] },
  config: { floors: ['domain'], packages: ['node:', 'yaml', 'zod'] },
  log: { floors: ['domain'], packages: ['node:async_hooks', 'pino'] },
  clock: { floors: adapter, packages: ['node:'] },
  // Where things are constructed, in three files: each process loads only its own half.
  main: { floors: ['audit', 'bot', 'worker', 'check', 'clock', 'config', 'log'] },
  check: { floors: ['clock', 'config', 'domain', 'slack'], packages: [] },
  audit: { floors: ['config', 'domain', 'lifecycle', 'store'], packages: ['node:'] },
  start: { floors: outside },
  bot: { floors: [...outside, 'start'] },
  worker: { floors: [...outside, 'start', 'house', 'rounds'] },
  house: { floors: outside },
  rounds: { floors: adapter },
  sandbox: { floors: ['generated'] },
}

interface Import {
  readonly name: string
  readonly typeOnly: boolean
  readonly onDemand: boolean
}

interface Source {
  /** Such as `src/domain/plan.ts`. */
  readonly path: string
  /** Such as `domain`; for `src/main.ts` it is `main`. */
  readonly floor: string
  readonly text: string
  /** The text without its comments. */
  readonly code: string
  readonly imports: readonly Import[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['src', 'sandbox', 'generated'].flatMap(filesIn).map(read)
const product = sources.filter(({ floor }) => floor !== 'sandbox' && floor !== 'generated')

describe('floors', () => {
  test('every source file stands on a floor', () => {
    expect(sources.filter(({ floor }) => !(floor in floors)).map(({ path }) => path)).toEqual([])
  })

  test.each(Object.keys(floors))('%s imports only the floors it may know', (name) => {
    const known = [name, ...(floors[name]?.floors ?? [])]
    expect(
      findings(on(name), ({ imports, path }) => {
        const strangers = imports.filter((one) => isRelative(one) && !known.includes(floorOf(target(path, one))))
        return strangers.map((one) => one.name)
      }),
    ).toEqual([])
  })

  test.each(Object.keys(floors))('%s imports only the packages it may know', (name) => {
    const known = floors[name]?.packages
    expect(
      findings(on(name), ({ imports }) => {
        const strangers = imports.filter((one) => !isRelative(one) && known && !known.some((it) => fits(one.name, it)))
        return strangers.map((one) => one.name)
      }),
    ).toEqual([])
  })

  test('of the specification only types are imported', () => {
    expect(
      findings(sources, ({ imports }) =>
        imports.filter(({ name, typeOnly }) => name.includes('/generated/') && !typeOnly).map(({ name }) => name),
      ),
    ).toEqual([])
  })

  test('the table of commands is handed in: whoever puts things together imports it, and nobody else', () => {
    const parts = ['src/house.ts', 'src/bot.ts']
    // What people read is still searched for lines with people in them.
    const others = ['src/slack/people-in-lines.ts']
    const importers = product.filter(({ path, imports }) =>
      imports.some((one) => isRelative(one) && target(path, one) === 'src/operations/index.ts'),
    )
    expect(importers.map(({ path }) => path).toSorted()).toEqual([...parts, ...others].toSorted())
  })

  test('what the product imports is listed as its dependency', () => {
    const listed = Object.keys(packageJson.dependencies)
    expect(
      findings(product, ({ imports }) =>
        imports
          .filter((one) => !isRelative(one) && !one.name.startsWith('node:') && !listed.includes(packageOf(one.name)))
          .map(({ name }) => name),
      ),
    ).toEqual([])
  })

  test('only our own modules are imported on demand: in the bundle a CommonJS package would come without its names', () => {
    expect(
      findings(product, ({ imports }) =>
        imports
          .filter((one) => one.onDemand && !isRelative(one) && !one.name.startsWith('node:'))
          .map(({ name }) => name),
      ),
    ).toEqual([])
  })
})

describe('the way things are written', () => {
  const tables = ['src/operations/index.ts', 'src/signals/index.ts', 'sandbox/index.ts']

  test('nothing is exported by default or passed on from elsewhere', () => {
    expect(matches(sources, /^export (default\b.*|(type )?(\*|\{[^}]*\})[^;\n]* from .*)/gm)).toEqual([])
  })

  test('index.ts is the name of a table', () => {
    expect(
      sources.map(({ path }) => path).filter((path) => basename(path) === 'index.ts' && !tables.includes(path)),
    ).toEqual([])
  })

  test('the environment is read in one place', () => {
    const others = product.filter(({ path }) => path !== 'src/config.ts')
    expect(matches(others, /\bprocess\.env\b/g)).toEqual([])
  })

  test('time comes from the clock port', () => {
    const inner = [...on('domain'), ...on('operations'), ...on('lifecycle')]
    expect(matches(inner, /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b/g)).toEqual([])
  })

  test('nothing is of any type', () => {
    expect(
      matches(
        sources.filter(({ floor }) => floor !== 'generated'),
        /[:<|&(,=]\s*any\b(?!['\w])|\bas any\b/g,
      ),
    ).toEqual([])
  })

  test('only errors are classes', () => {
    expect(matches(sources, /^\s*(export )?(abstract )?class (?!\w+ extends \w*Error\b).*/gm)).toEqual([])
  })

  test('no file is longer than 300 lines', () => {
    const long = sources.filter(({ floor, text }) => floor !== 'generated' && text.split('\n').length > 301)
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length - 1} lines`)).toEqual([])
  })
})

describe('what is listed', () => {
  test('every row stands in the table', () => {
    const table = sources.find(({ path }) => path === 'src/operations/index.ts')
    const rows = on('operations').filter(({ code }) =>
      /^export const \w+ = define(Query|Operation|Change|Deed)\(/m.test(code),
    )
    expect(rows.map(({ path }) => basename(path, '.ts')).toSorted()).toEqual(
      table?.imports
        .map(({ name }) => basename(name, '.ts'))
        .filter((name) => name !== 'commands' && name !== 'define')
        .toSorted(),
    )
  })

  test('a row is imported by the table alone: everybody else writes its lines by its name', () => {
    const names = new Map(
      on('operations').flatMap(({ path, code }) => {
        const [, name] = /^export const (\w+) = define(?:Query|Operation|Change|Deed)\(/m.exec(code) ?? []
        return name === undefined ? [] : [[path, name] as const]
      }),
    )
    const others = product.filter(({ path }) => path !== 'src/operations/index.ts')
    expect(
      findings(others, ({ path, code }) =>
        [...code.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)].flatMap(([, what = '', name = '']) => {
          const row = names.get(target(path, { name }))
          return row !== undefined && what.split(/[\s,]+/).includes(row) ? [row] : []
        }),
      ),
    ).toEqual([])
  })

  const map = join(root, 'src/README.md')
  test.skipIf(!existsSync(map))(
    'every dependency has a line in src/README.md that says what it is for (once there is one)',
    () => {
      const lines = readFileSync(map, 'utf8').split('\n')
      const silent = Object.keys(packageJson.dependencies).filter(
        (name) => !lines.some((line) => line.includes(`\`${name}\``)),
      )
      expect(silent).toEqual([])
    },
  )
})

function filesIn(directory: string): string[] {
  const names = readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(directory, name))
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const code = withoutComments(text)
  return { path, floor: floorOf(path), text, code, imports: importsOf(code) }
}

function floorOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'src' ? basename(second, '.ts') : first
}

/** A quote inside a regular expression may hide the rest of its line; good enough for our own files. */
function withoutComments(text: string): string {
  return text.replace(/('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
}

function importsOf(code: string): Import[] {
  const fixed = [...code.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s*)?'([^']+)'/gm)]
  const onDemand = [...code.matchAll(/(?<!typeof )\bimport\(\s*'([^']+)'/g)]
  return [
    ...fixed.map(([, type, name = '']) => ({ name, typeOnly: type !== undefined, onDemand: false })),
    ...onDemand.map(([, name = '']) => ({ name, typeOnly: false, onDemand: true })),
  ]
}

function on(floor: string): Source[] {
  return sources.filter((source) => source.floor === floor)
}

function isRelative({ name }: Import): boolean {
  return name.startsWith('.')
}

function target(path: string, { name }: Pick<Import, 'name'>): string {
  return relative(root, join(root, dirname(path), name))
}

/** `@slack/` and `node:` stand for all that begins so. */
function fits(name: string, known: string): boolean {
  return /[/:]$/.test(known) ? name.startsWith(known) : packageOf(name) === known
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

function findings(files: readonly Source[], find: (source: Source) => readonly string[]): string[] {
  return files.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`))
}

function matches(files: readonly Source[], pattern: RegExp): string[] {
  return findings(files, ({ code }) => [...code.matchAll(pattern)].map(([text]) => text.trim()))
}
