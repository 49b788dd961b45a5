import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const entry = join(root, 'dist', 'main.js')
const sources = ['src', 'generated', 'package-lock.json', 'scripts/build.mjs'].map((name) => join(root, name))

/** `npm start [bot|worker|api|all]`: builds a missing or outdated bundle, then runs the product. */
async function main() {
  readSettings()
  if (isStale()) build()
  // Hints begin with the command that started the product.
  if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv[1] = 'npm start --'
  // The product runs in this process, so signals and the exit code need no forwarding.
  await import(pathToFileURL(entry).href)
}

/** Loads `LAMPLIGHTER_ENV_FILE`, by default `.env` if present; an empty name means none. Set variables stay. */
function readSettings() {
  const named = process.env.LAMPLIGHTER_ENV_FILE
  if (named === '' || (named === undefined && !existsSync('.env'))) return
  try {
    // A byte order mark, as editors on Windows write it, would be part of the first name.
    const settings = parseEnv(readFileSync(named ?? '.env', 'utf8').replace(/^\uFEFF/, ''))
    for (const [name, value] of Object.entries(settings)) process.env[name] ??= value
  } catch (error) {
    console.error(`${named ?? '.env'} cannot be read (${error.code}). Check LAMPLIGHTER_ENV_FILE.`)
    process.exit(1)
  }
}

/** Without sources, as in the image, the bundle is never stale. */
function isStale() {
  return newest(join(root, 'src')) > 0 && Math.max(...sources.map(newest)) > newest(entry)
}

/** When a file or anything in a directory last changed, ms; 0 if missing. A deleted file changes its directory. */
function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), found.mtimeMs)
}

/** Builds in a separate process to free the compiler's memory. Its output goes to stderr because stdout is the log. */
function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] })
  if (status === 0) return
  console.error('The product could not be built. Install what it is built with by `npm ci`, then start again.')
  process.exit(1)
}

await main()
