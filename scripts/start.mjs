import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const entry = join(root, 'dist', 'main.js')
const sources = ['src', 'generated', 'package-lock.json', 'scripts/build.mjs'].map((name) => join(root, name))

/** `npm start [bot|worker|api|all]`: builds what is missing or out of date, then becomes the product. */
async function main() {
  readSettings()
  if (isStale()) build()
  // Hints begin with the command that started this.
  if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv[1] = 'npm start --'
  // In this very process: signals and the exit code need no one to pass them on.
  await import(pathToFileURL(entry).href)
}

/** `LAMPLIGHTER_ENV_FILE`, or else `.env` if there is one; an empty name means none. What is set already stays. */
function readSettings() {
  const named = process.env.LAMPLIGHTER_ENV_FILE
  if (named === '' || (named === undefined && !existsSync('.env'))) return
  try {
    process.loadEnvFile(named)
  } catch (error) {
    console.error(`${named ?? '.env'} cannot be read (${error.code}). Check LAMPLIGHTER_ENV_FILE.`)
    process.exit(1)
  }
}

/** Without sources, as in the image, there is nothing to be older than. */
function isStale() {
  return newest(join(root, 'src')) > 0 && Math.max(...sources.map(newest)) > newest(entry)
}

/** ms; when a file, or anything in a directory, was last changed (a deleted file changes its directory). 0 if it is not there. */
function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), found.mtimeMs)
}

/** In a process of its own, so that the compiler's memory is not the product's. Its words go to stderr: stdout is the product's log. */
function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] })
  if (status === 0) return
  console.error('The product could not be built. Install what it is built with by `npm ci`, then start again.')
  process.exit(1)
}

await main()
