import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

/** V8 checks only the source's length against compiled code, so a hash in both names pairs them. Packages have none. */
const entryOf = (bundle) => `import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
const filename = fileURLToPath(new URL('${bundle}', import.meta.url))
const code = filename.replace(/cjs$/, 'v8')
const cachedData = existsSync(code) ? readFileSync(code) : undefined
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData })
script.runInThisContext()(createRequire(filename), { exports: {} }, filename)
`

/**
 * What packages load for uses that the product does not have: Bolt for receivers and installers, raw-body for other
 * encodings, BullMQ for cron patterns and PostgreSQL, undici for cookies, event sources and mocks.
 */
const unused = {
  name: 'unused',
  setup(bundler) {
    bundler.onResolve(
      {
        filter:
          /^(express|iconv-lite|@slack\/oauth|cron-parser|\.\/postgres|\.\/lib\/(web\/(cookies|eventsource\/eventsource)|mock\/[\w-]+))$/,
      },
      ({ path }) => ({ path, namespace: 'unused' }),
    )
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}', loader: 'js' }))
  },
}

const shared = {
  absWorkingDir: root,
  entryNames: '[name]-[hash]',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  metafile: true,
  write: false,
}
const isBundle = ({ path }) => path.endsWith('.cjs')

/** MCP is a separate bundle, because few processes serve it and all others would read it at each start. */
function apart() {
  let made
  return {
    files: async () => (await made)?.outputFiles ?? [],
    plugin: {
      name: 'apart',
      setup(bundler) {
        bundler.onResolve({ filter: /\/mcp\.ts$/ }, async ({ path, kind, resolveDir }) => {
          const file = join(resolveDir, path)
          if (kind !== 'dynamic-import' || !file.endsWith(join('adapters', 'api', 'mcp.ts'))) return undefined
          made ??= build({ ...shared, entryPoints: [file] })
          return { path: `./${basename((await made).outputFiles.find(isBundle).path)}`, external: true }
        })
      },
    },
  }
}

/**
 * Bundles src/main.ts into dist/ and compiles it, because compilation takes a third of a start. Dynamic imports still
 * run on demand, so a worker never runs Bolt. V8 rejects the compiled code under another version of Node or with V8
 * options; a start then compiles the bundle itself.
 */
async function main() {
  const mcp = apart()
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: ['src/main.ts'],
    banner: { js: '(function (require, module, __filename) {' },
    footer: { js: '})' },
    plugins: [unused, mcp.plugin],
    // The bundle runs as a script, and scripts have only `require`.
    supported: { 'dynamic-import': false },
  })
  refuseSandbox(metafile)
  const made = outputFiles.find(isBundle)
  const bundle = { path: made.path, contents: Buffer.from(inAscii(made.text)) }
  const code = { path: bundle.path.replace(/cjs$/, 'v8'), contents: compiled(bundle) }
  const entry = { path: join(dist, 'main.js'), contents: entryOf(basename(bundle.path)) }
  await replace([...(await mcp.files()), ...outputFiles.filter((file) => file !== made), bundle, code, entry])
}

/** A start reads the bundle as Latin-1, which is fastest, but esbuild keeps other letters in regular expressions. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Compiles every function, including those that no start calls. */
function compiled({ path, contents }) {
  setFlagsFromString('--no-lazy')
  const script = new Script(Buffer.from(contents).toString('latin1'), { filename: path })
  setFlagsFromString('--lazy')
  return script.createCachedData()
}

function refuseSandbox(metafile) {
  const strays = Object.keys(metafile.inputs).filter((file) => file.startsWith('sandbox/'))
  if (strays.length === 0) return
  throw new Error(`The product must not contain the sandbox, but something imports ${strays.join(', ')}.`)
}

/** Writes each file atomically and in this order, because another process may be building or starting meanwhile. */
async function replace(files) {
  await mkdir(dist, { recursive: true })
  for (const file of files) {
    const unfinished = `${file.path}.${process.pid}.tmp`
    await writeFile(unfinished, file.contents)
    await rename(unfinished, file.path)
  }
  const kept = new Set(files.map((file) => basename(file.path)))
  const stale = (await readdir(dist)).filter((name) => !kept.has(name) && !name.endsWith('.tmp'))
  for (const name of stale) await rm(join(dist, name), { recursive: true, force: true })
}

try {
  await main()
} catch (error) {
  // esbuild has already printed its own errors.
  if (!('errors' in error)) console.error(error.message)
  process.exitCode = 1
}
