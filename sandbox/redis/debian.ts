import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackPackages } from './packages.ts'
import type { RedisOptions, RunningRedis } from './rung.ts'
import { startServer } from './server.ts'
import { versionOf } from './system.ts'

const projectCache = fileURLToPath(new URL('../../.cache/redis', import.meta.url))

// The program itself is in redis-tools; redis-server only links to it.
const packages = ['redis-server', 'redis-tools']

/**
 * Starts the server from Debian's package, unpacked into the project's cache by an ordinary user: about 1.4 MB, once.
 * Throws if there is no apt-get, no archive in reach within 20 s, or nothing that runs.
 */
export async function startDebian(options: RedisOptions): Promise<RunningRedis> {
  const root = options.cacheDir ?? projectCache
  const binary = join(root, 'usr', 'bin', 'redis-server')
  const unpacked = await access(binary).then(
    () => true,
    () => false,
  )
  if (!unpacked) await unpackPackages(packages, root, AbortSignal.timeout(20_000))
  const libraryPath = (await libraryDirectories(root)).join(':')
  const version = await versionOf(binary, { ...process.env, LD_LIBRARY_PATH: libraryPath })
  const server = await startServer({ ...options, binary, libraryPath })
  const note = `redis-server ${version} from Debian's package, unpacked into ${root}`
  return { url: server.url, kind: 'debian', note, server, stop: server.stop }
}

/** Returns the library directories, such as `usr/lib/x86_64-linux-gnu`. */
async function libraryDirectories(root: string): Promise<string[]> {
  const found: string[] = []
  for (const base of [join(root, 'usr', 'lib'), join(root, 'lib')]) {
    const names = await readdir(base).catch(() => [])
    found.push(...names.filter((name) => name.includes('-linux-')).map((name) => join(base, name)))
  }
  return found
}
