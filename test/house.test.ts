import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

// Checks the rules of src/README.md in the text of every source file. A failure lists the places to change.

interface Room {
  /** A folder of `src/` with its contents, or a file of `src/`. A file's room is the longest name that matches. */
  readonly name: string
  /** Packages it may import; `node:` is the whole standard library. If omitted: any. */
  readonly packages?: readonly string[]
}

/** A room may import the rooms of all floors above it in this list, but not the others of its own floor. */
const floors: readonly (readonly Room[])[] = [
  [{ name: 'words', packages: [] }],
  [
    { name: 'core/time', packages: [] },
    { name: 'core/text', packages: ['fuse.js'] },
  ],
  [{ name: 'core/model', packages: [] }],
  [{ name: 'core/words', packages: ['intl-messageformat'] }],
  [{ name: 'core/commands', packages: [] }],
  [{ name: 'core/ports', packages: ['@opentelemetry/api'] }],
  [{ name: 'core/policy', packages: ['node:crypto'] }],
  [{ name: 'core/requests', packages: ['node:crypto', 'node:timers'] }],
  [
    { name: 'features/savings', packages: [] },
    { name: 'features/safeguards', packages: [] },
    { name: 'features/logs', packages: [] },
    { name: 'features/programs', packages: [] },
  ],
  [
    { name: 'features/approvals', packages: [] },
    { name: 'features/history', packages: [] },
    { name: 'features/events', packages: [] },
  ],
  [{ name: 'features/schedules', packages: [] }],
  [{ name: 'features/idle', packages: [] }],
  [{ name: 'features/endpoints', packages: [] }],
  [{ name: 'features/command-table', packages: [] }],
  [{ name: 'features/undo', packages: [] }],
  [{ name: 'lifecycle', packages: [] }],
  [{ name: 'adapters/http', packages: ['node:', 'undici'] }],
  [
    { name: 'adapters/slack', packages: ['@slack/', 'node:', 'zod'] },
    { name: 'adapters/api', packages: ['@modelcontextprotocol/server', 'node:', 'zod'] },
    { name: 'adapters/metrics', packages: ['node:', 'undici', 'zod'] },
    { name: 'adapters/platform', packages: ['node:', 'openapi-fetch', 'zod'] },
    { name: 'adapters/queue', packages: ['bullmq', 'ioredis', 'node:'] },
    { name: 'adapters/redis', packages: ['ioredis', 'node:', 'zod'] },
    { name: 'config', packages: ['node:', 'yaml', 'zod'] },
    { name: 'log', packages: ['node:async_hooks', 'pino'] },
    { name: 'clock', packages: ['node:'] },
  ],
  [{ name: 'ops', packages: ['node:', 'prom-client'] }],
  // These assemble the processes; each process loads only its own half.
  [{ name: 'start' }, { name: 'project' }],
  [{ name: 'gateways' }],
  [
    { name: 'bot' },
    { name: 'api' },
    { name: 'worker' },
    { name: 'cli', packages: ['@clack/prompts', '@slack/web-api', 'ioredis', 'node:'] },
  ],
  [{ name: 'main' }],
]
const rooms = floors.flat()

/** Imports allowed in addition to the floors above. */
const alsoKnows: Readonly<Record<string, readonly string[]>> = {
  'core/commands': ['generated'],
  'features/endpoints': ['generated'],
  'adapters/platform': ['generated'],
  'adapters/api': ['package.json'],
  cli: ['package.json'],
}
/** Restricts imports from the floors above to these. */
const knowsOnly: Readonly<Record<string, readonly string[]>> = {
  config: ['core', 'features'],
  log: ['core'],
  ops: ['core', 'features', 'config', 'adapters/http'],
  cli: ['words', 'config', 'core', 'features', 'lifecycle', 'adapters', 'clock', 'log', 'start', 'project'],
  bot: ['adapters', 'config', 'core', 'features', 'clock', 'gateways', 'log', 'start'],
  api: ['adapters', 'config', 'core', 'features', 'clock', 'gateways', 'log', 'start'],
  worker: ['adapters', 'config', 'core', 'features', 'lifecycle', 'clock', 'log', 'start', 'project'],
  // It loads the rest on demand, depending on its role.
  main: ['api', 'bot', 'worker', 'cli', 'clock', 'config', 'core/ports', 'log', 'ops'],
}

interface Import {
  readonly name: string
  readonly typeOnly: boolean
  readonly onDemand: boolean
}

interface Source {
  /** Such as `src/core/model/plan.ts`. */
  readonly path: string
  /** Such as `core/model`, `sandbox` or `generated`; '' for a file in no room. */
  readonly room: string
  readonly text: string
  /** The text without comments. */
  readonly code: string
  readonly imports: readonly Import[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['src', 'sandbox', 'generated'].flatMap(filesIn).map(read)
const product = sources.filter(({ path }) => path.startsWith('src/'))
const table = 'src/features/command-table.ts'

describe('The floors', () => {
  test('every source file is in a room', () => {
    expect(sources.filter(({ room }) => room === '').map(({ path }) => path)).toEqual([])
  })

  test.each(rooms.map(({ name }) => name))('%s imports only the rooms it may know', (name) => {
    const above = floors.slice(
      0,
      floors.findIndex((floor) => floor.some((room) => room.name === name)),
    )
    const only = knowsOnly[name]
    const known = above
      .flat()
      .map((room) => room.name)
      .filter((room) => only === undefined || only.some((one) => room === one || room.startsWith(`${one}/`)))
    expect(strangers(name, [name, ...known, ...(alsoKnows[name] ?? [])])).toEqual([])
  })

  test('the sandbox imports nothing from the product', () => {
    expect(strangers('sandbox', ['sandbox', 'generated'])).toEqual([])
  })

  test.each(rooms.map(({ name }) => name))('%s imports only the packages it may know', (name) => {
    const known = rooms.find((room) => room.name === name)?.packages
    expect(
      findings(inRoom(name), ({ imports }) =>
        imports
          .filter((one) => !isRelative(one) && known && !known.some((it) => fits(one.name, it)))
          .map((one) => one.name),
      ),
    ).toEqual([])
  })

  test('no file is in an import circle, types included', () => {
    expect(circlesIn(new Map(sources.map((one) => [one.path, targetsOf(one)])))).toEqual([])
  })

  test.each([2, 3, 4])('no folder is in an import circle at depth %i', (depth) => {
    const folderOf = (path: string) => dirname(path).split('/').slice(0, depth).join('/')
    const holds = (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}/`)
    const edges = new Map<string, Set<string>>()
    for (const one of product) {
      const own = folderOf(one.path)
      const others = targetsOf(one)
        .map(folderOf)
        .filter((other) => !holds(own, other) && !holds(other, own))
      edges.set(own, new Set([...(edges.get(own) ?? []), ...others]))
    }
    expect(circlesIn(edges)).toEqual([])
  })

  test('only types are imported from the specification', () => {
    expect(
      findings(sources, ({ imports }) =>
        imports.filter(({ name, typeOnly }) => name.includes('/generated/') && !typeOnly).map(({ name }) => name),
      ),
    ).toEqual([])
  })

  test('only the files that assemble a process import the command table', () => {
    const parts = ['src/api.ts', 'src/bot.ts', 'src/cli/mcp.ts', 'src/gateways.ts', 'src/project.ts']
    const importers = product.filter((one) => targetsOf(one).includes(table))
    expect(importers.map(({ path }) => path).toSorted()).toEqual(parts.toSorted())
  })

  test('Slack’s listeners use only the door, and no part of a project directly', () => {
    const inbound = product.filter(({ path }) => path.startsWith('src/adapters/slack/inbound/'))
    expect(matches(inbound, /\.(store|queue|home|sealer|foresee)\b|\b(receive|receivePress)\(/g)).toEqual([])
    const parts = ['accept', 'accept-form', 'accept-program', 'gateway', 'overview'].map(
      (name) => `src/core/requests/${name}.ts`,
    )
    const past = /^src\/(lifecycle|core\/requests|adapters\/(?!slack\/))/
    expect(
      findings(inbound, (one) => targetsOf(one).filter((path) => past.test(path) && !parts.includes(path))),
    ).toEqual([])
  })

  test('every imported package is listed as a dependency', () => {
    const listed = Object.keys(packageJson.dependencies)
    expect(
      findings(product, ({ imports }) =>
        imports
          .filter((one) => !isRelative(one) && !one.name.startsWith('node:') && !listed.includes(packageOf(one.name)))
          .map(({ name }) => name),
      ),
    ).toEqual([])
  })

  test('only our own modules are imported on demand, because a bundled CommonJS package loses its names', () => {
    expect(
      findings(product, ({ imports }) =>
        imports
          .filter((one) => one.onDemand && !isRelative(one) && !one.name.startsWith('node:'))
          .map(({ name }) => name),
      ),
    ).toEqual([])
  })
})

describe('The code', () => {
  test('has no default exports and no re-exports', () => {
    expect(matches(sources, /^export (default\b.*|(type )?(\*|\{[^}]*\})[^;\n]* from .*)/gm)).toEqual([])
  })

  test('has no file called index.ts', () => {
    expect(sources.map(({ path }) => path).filter((path) => basename(path) === 'index.ts')).toEqual([])
  })

  test('reads the environment in one place', () => {
    const others = product.filter(({ path }) => path !== 'src/config/config.ts')
    expect(matches(others, /\bprocess\.env\b/g)).toEqual([])
  })

  test('gets the time from the clock port', () => {
    const inner = product.filter(({ path }) => /^src\/(core|features|lifecycle)\//.test(path))
    expect(matches(inner, /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bprocess\.hrtime\b/g)).toEqual([])
  })

  test('does not use the type any', () => {
    expect(
      matches(
        sources.filter(({ room }) => room !== 'generated'),
        /[:<|&(,=]\s*any\b(?!['\w])|\bas any\b/g,
      ),
    ).toEqual([])
  })

  test('has no classes other than errors', () => {
    expect(matches(sources, /^\s*(export )?(abstract )?class (?!\w+ extends \w*Error\b).*/gm)).toEqual([])
  })
})

describe('Sizes', () => {
  test('no file is longer than 300 lines', () => {
    const long = sources.filter((one) => one.room !== 'generated' && linesOf(one) > 300)
    expect(long.map((one) => `${one.path}: ${linesOf(one)} lines`)).toEqual([])
  })

  test('nine files in ten have at most 170 lines', () => {
    const lengths = product.map(linesOf).toSorted((a, b) => a - b)
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(170)
  })

  test('a file under 25 lines has at least two importers, unless it is a row', () => {
    const small = product.filter((one) => linesOf(one) < 25 && !isRow(one))
    const usersOf = (path: string) => product.filter((one) => targetsOf(one).includes(path)).length
    expect(small.map(({ path }) => path).filter((path) => usersOf(path) < 2)).toEqual([])
  })

  test('no folder has more than 16 files, not counting rows', () => {
    const counted = product.filter((one) => !isRow(one))
    const counts = new Map<string, number>()
    for (const { path } of counted) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 16)).toEqual([])
  })
})

describe('Names', () => {
  test('no exported name is used twice', () => {
    const exported = product.flatMap(({ path, code }) =>
      [...code.matchAll(/^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm)].map(
        ([, name = '']) => ({
          name,
          path,
        }),
      ),
    )
    const several = exported.filter(({ name, path }) => exported.some((one) => one.name === name && one.path !== path))
    expect([...new Set(several.map(({ name }) => name))].toSorted()).toEqual([])
  })

  test('no code compares a row’s name: differences between commands are columns of the table', () => {
    expect(
      findings(product, ({ code }) => [...code.matchAll(/\brow\??\.name\s*[!=]==.*/g)].map(([found]) => found)),
    ).toEqual([])
  })
})

describe('The listings', () => {
  test('every row is in the command table', () => {
    const listed = product.filter(({ path }) => path === table).flatMap(targetsOf)
    const rows = product.filter(isRow).map(({ path }) => path)
    expect(rows.filter((path) => !listed.includes(path))).toEqual([])
  })

  test('only the table imports a row; all other code writes its lines by name', () => {
    const others = product.filter(({ path }) => path !== table)
    const rowsAt = new Map(product.map((one) => [one.path, rowsOf(one)]))
    expect(
      findings(others, ({ path, code }) =>
        [...code.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)].flatMap(([, what = '', name = '']) => {
          const rows = rowsAt.get(target(path, name)) ?? []
          return what.split(/[\s,]+/).filter((one) => rows.includes(one))
        }),
      ),
    ).toEqual([])
  })

  const map = join(root, 'src/README.md')
  const guide = existsSync(map) ? readFileSync(map, 'utf8') : ''

  test('every folder has a line in src/README.md that describes its contents', () => {
    const holding = product.filter(({ path }) => dirname(path) !== 'src').map(({ path }) => dirname(path).slice(4))
    expect([...new Set(holding)].filter((folder) => !guide.includes(`| \`${folder}/\` |`))).toEqual([])
  })

  test('every folder named in src/README.md exists', () => {
    const named = [...guide.matchAll(/^\| `([a-z/-]+)\/` \|/gm)].map(([, folder = '']) => folder)
    expect(named.filter((folder) => !existsSync(join(root, 'src', folder)))).toEqual([])
  })

  test('the MCP server is loaded on demand, not when a bot or a worker starts', () => {
    const mcp = 'src/adapters/api/mcp.ts'
    const atStart = findings(product, ({ path, imports }) =>
      imports.flatMap(({ name, typeOnly, onDemand }) => {
        const isMcp = name.startsWith('@modelcontextprotocol') || target(path, name) === mcp
        return isMcp && !typeOnly && !onDemand ? [name] : []
      }),
    )
    expect(atStart.filter((found) => !found.startsWith(mcp))).toEqual([])
    expect(atStart).not.toEqual([])
  })

  test('the folders of tests mirror those of the code', () => {
    const folders = ['adapters', 'config', 'core', 'features', 'lifecycle'].flatMap((room) => filesIn(`test/${room}`))
    const others = folders
      .map((path) => dirname(path))
      .filter((folder) => !existsSync(join(root, folder.replace('test', 'src'))))
    expect(others).toEqual([])
  })

  test('every dependency has a line in src/README.md that explains it', () => {
    const lines = guide.split('\n')
    const silent = Object.keys(packageJson.dependencies).filter(
      (name) => !lines.some((line) => line.includes(`\`${name}\``)),
    )
    expect(silent).toEqual([])
  })
})

function filesIn(directory: string): string[] {
  const names = readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(directory, name))
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const code = withoutComments(text)
  return { path, room: roomOf(path), text, code, imports: importsOf(code) }
}

function roomOf(path: string): string {
  const [first = ''] = path.split('/')
  if (first !== 'src') return first
  const inside = path.slice('src/'.length).replace(/\.ts$/, '')
  const around = rooms.map(({ name }) => name).filter((name) => inside === name || inside.startsWith(`${name}/`))
  return around.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

/** Approximate: a quote inside a regular expression can hide the rest of its line. Good enough for our own files. */
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

function inRoom(name: string): Source[] {
  return sources.filter(({ room }) => room === name)
}

function isRelative({ name }: Import): boolean {
  return name.startsWith('.')
}

/** Returns the paths of the imported files of our own. */
function targetsOf({ path, imports }: Source): string[] {
  return imports.filter(isRelative).map(({ name }) => target(path, name))
}

function target(path: string, name: string): string {
  return relative(root, join(root, dirname(path), name))
}

function strangers(name: string, known: readonly string[]): string[] {
  return findings(inRoom(name), (source) => targetsOf(source).filter((target) => !known.includes(roomOf(target))))
}

function isRow(source: Source): boolean {
  return rowsOf(source).length > 0
}

/** Returns the names of the rows that a file declares. */
function rowsOf({ code }: Source): string[] {
  return [...code.matchAll(/^export const (\w+) = define(?:Query|Operation|Change|Deed)\(/gm)].map(
    ([, name = '']) => name,
  )
}

function linesOf({ text }: Source): number {
  return text.split('\n').length - 1
}

/** Returns each circle as one line. */
function circlesIn(edges: ReadonlyMap<string, Iterable<string>>): string[] {
  const reached = new Map([...edges.keys()].map((from) => [from, reachedFrom(from, edges)]))
  const inCircles = [...edges.keys()].filter((one) => reached.get(one)?.has(one))
  const circles = inCircles.map((one) =>
    inCircles.filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one)),
  )
  return [...new Set(circles.map((names) => names.toSorted().join(' ')))]
}

function reachedFrom(from: string, edges: ReadonlyMap<string, Iterable<string>>): Set<string> {
  const reached = new Set<string>()
  const left = [...(edges.get(from) ?? [])]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    left.push(...(edges.get(next) ?? []))
  }
  return reached
}

/** `@slack/` and `node:` match every name with that prefix. */
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
