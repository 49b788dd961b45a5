import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const quick = ['-o', 'Acquire::http::Timeout=5', '-o', 'Acquire::https::Timeout=5', '-o', 'Acquire::Retries=0']

/**
 * Downloads packages and the dependencies that this machine lacks, and unpacks them under `root`, without root rights
 * or an installation. apt checks the archive's signatures. Throws apt's message; leaves no half-filled `root`.
 */
export async function unpackPackages(names: readonly string[], root: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(root), { recursive: true })
  const scratch = await mkdtemp(`${root}-`)
  try {
    const files = await fetchPackages(names, scratch, signal)
    const unpacked = join(scratch, 'root')
    for (const file of files) await run('dpkg', ['-x', file, unpacked], { signal })
    await moveIntoPlace(unpacked, root)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Downloads with temporary lists of its own if the machine's package lists are missing (containers) or stale (404). */
async function fetchPackages(names: readonly string[], scratch: string, signal: AbortSignal): Promise<string[]> {
  try {
    return await download(names, join(scratch, 'first'), [], signal)
  } catch {
    signal.throwIfAborted()
    return await download(names, join(scratch, 'second'), await freshLists(scratch, signal), signal)
  }
}

async function freshLists(scratch: string, signal: AbortSignal): Promise<string[]> {
  const [lists, cache] = [join(scratch, 'lists'), join(scratch, 'cache')]
  await mkdir(join(lists, 'partial'), { recursive: true })
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true })
  const own = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'Acquire::Languages=none']
  await apt(['update', ...own], scratch, signal)
  return own
}

async function download(
  names: readonly string[],
  into: string,
  lists: string[],
  signal: AbortSignal,
): Promise<string[]> {
  await mkdir(into)
  // A dry run of the installation names every library that this machine lacks, whatever its release calls them.
  const rehearsal = await apt(['-s', 'install', '--no-install-recommends', ...lists, ...names], into, signal)
  const missing = [...rehearsal.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '')
  await apt(['download', ...lists, ...new Set([...names, ...missing])], into, signal)
  return (await readdir(into)).map((file) => join(into, file))
}

async function apt(words: string[], cwd: string, signal: AbortSignal): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
  const { stdout } = await run('apt-get', [...quick, ...words], { cwd, env, signal, killSignal: 'SIGKILL' })
  return stdout
}

async function moveIntoPlace(from: string, root: string): Promise<void> {
  try {
    await rename(from, root)
  } catch (error) {
    // If another process was quicker, that is fine; any other error is not.
    await access(join(root, 'usr')).catch(() => {
      throw error
    })
  }
}
