import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

// Bolt and others are CommonJS: inside an ES module they find no `require` and no `__dirname` unless they are given one.
const banner = [
  `import { createRequire as createRequire_ } from 'node:module';`,
  `import { dirname as dirname_ } from 'node:path';`,
  `import { fileURLToPath as fileURLToPath_ } from 'node:url';`,
  `const require = createRequire_(import.meta.url);`,
  `const __filename = fileURLToPath_(import.meta.url);`,
  `const __dirname = dirname_(__filename);`,
].join(' ')

/** Bolt loads these for receivers and installers that are not used here; loading them would take a third of a start. */
const unused = {
  name: 'unused',
  setup(bundler) {
    bundler.onResolve({ filter: /^(express|@slack\/oauth)$/ }, ({ path }) => ({ path, namespace: 'unused' }))
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}', loader: 'js' }))
  },
}

/** Bundles src/main.ts and all it needs into dist/. What is imported on demand stays apart, so that a worker never loads Bolt. */
async function main() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    banner: { js: banner },
    plugins: [unused],
    metafile: true,
    write: false,
  })
  refuseSandbox(metafile)
  await replace(outputFiles)
}

function refuseSandbox(metafile) {
  const strays = Object.keys(metafile.inputs).filter((file) => file.startsWith('sandbox/'))
  if (strays.length === 0) return
  throw new Error(`The product must not contain the sandbox, but something imports ${strays.join(', ')}.`)
}

/** Each file appears at once and whole, main.js last: another process may be building or starting at this moment. */
async function replace(files) {
  await mkdir(dist, { recursive: true })
  const entryLast = [...files].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
  for (const file of entryLast) {
    const unfinished = `${file.path}.${process.pid}.tmp`
    await writeFile(unfinished, file.contents)
    await rename(unfinished, file.path)
  }
  const kept = new Set(files.map((file) => basename(file.path)))
  const stale = (await readdir(dist)).filter((name) => !kept.has(name) && !name.endsWith('.tmp'))
  for (const name of stale) await rm(join(dist, name), { recursive: true, force: true })
}

function isEntry(file) {
  return basename(file.path) === 'main.js'
}

try {
  await main()
} catch (error) {
  // esbuild has printed its own findings already.
  if (!('errors' in error)) console.error(error.message)
  process.exitCode = 1
}
