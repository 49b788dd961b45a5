import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const own = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  '.env.example',
  'manifest.yml',
  'workflow-steps.yml',
  'generated/lamplighter.schema.json',
]
const ofDemo = ['js-redis-server', 'lua-redis-wasm', 'node_modules/ws']
const scripts = ['scripts/lamplighter.mjs', 'scripts/start.mjs']

/**
 * `npm run package [-- FOLDER]`: writes lamplighter-VERSION.tgz with the bundle and the demo into the folder. It needs
 * Node and no other package. `npm pack` alone would pack the sources, because npm's lifecycle scripts are off here.
 */
async function main() {
  run(process.execPath, [join(root, 'scripts', 'build.mjs')], root)
  const stage = await mkdtemp(join(tmpdir(), 'lamplighter-package-'))
  try {
    for (const name of [...own, ...scripts]) await cp(join(root, name), join(stage, name))
    for (const name of ['docs', 'deploy']) await cp(join(root, name), join(stage, name), { recursive: true })
    await product(join(stage, 'dist'))
    await sandbox(join(stage, 'dist', 'sandbox'))
    await describe(stage)
    await writeFile(join(stage, 'LICENSES'), await licenses())
    run('npm', ['pack', '--silent', '--pack-destination', resolve(process.argv[2] ?? '.')], stage)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

/** Leaves out the compiled code, which another version of Node rejects, and the source map: four times the rest. */
async function product(into) {
  await mkdir(into, { recursive: true })
  const names = (await readdir(join(root, 'dist'))).filter((name) => name === 'main.js' || name.endsWith('.cjs'))
  for (const name of names) await cp(join(root, 'dist', name), join(into, name))
}

/** Keeps the demo two folders deep, as in the sources, so that it finds the manifest, the schema and the cache. */
async function sandbox(into) {
  await build({
    absWorkingDir: root,
    entryPoints: ['sandbox/demo.ts'],
    outfile: join(into, 'demo.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" },
    logLevel: 'warning',
  })
  await cp(join(root, 'sandbox/slack/page/assets'), join(into, 'assets'), { recursive: true })
  for (const name of ['redis_lua.mjs', 'redis_lua.wasm'])
    await cp(join(root, 'node_modules/lua-redis-wasm/dist', name), join(into, name))
}

async function describe(stage) {
  const { name, version, description, license, type, engines } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const bin = { [name]: scripts[0] }
  await writeFile(
    join(stage, 'package.json'),
    JSON.stringify({ name, version, description, license, type, engines, bin }, null, 2),
  )
}

/** Returns the licenses of all packages in the two bundles. */
async function licenses() {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const bundled = Object.entries(packages).filter(
    ([path, { dev, optional }]) => path !== '' && !optional && (!dev || ofDemo.some((name) => path.includes(name))),
  )
  const texts = bundled.map(async ([path, { version, license }]) => {
    const name = (await readdir(join(root, path))).find((file) => /^licen[cs]e/i.test(file))
    const text = name === undefined ? license : await readFile(join(root, path, name), 'utf8')
    return `${path.replace(/^.*node_modules\//, '')} ${version}\n\n${text.trim()}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}

function run(program, words, cwd) {
  const { status } = spawnSync(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(1)
}

await main()
