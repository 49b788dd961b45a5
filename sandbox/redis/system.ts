import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { RedisOptions, RunningRedis } from './rung.ts'
import { startServer } from './server.ts'

const run = promisify(execFile)

/** Starts the machine's own server as a child process. Throws if PATH has none, or none that BullMQ supports. */
export async function startSystem(options: RedisOptions): Promise<RunningRedis> {
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (!binary) throw new Error('no redis-server or valkey-server on PATH')
  const version = await versionOf(binary)
  const server = await startServer({ ...options, binary })
  return { url: server.url, kind: 'system', note: `${binary} ${version}`, server, stop: server.stop }
}

async function findOnPath(names: readonly string[]): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    for (const name of names) {
      const file = join(directory, name)
      const usable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (usable) return file
    }
  }
  return undefined
}

/** Returns a server's version, such as `7.0.15`. Throws if it doesn't run or is older than BullMQ requires (6.2). */
export async function versionOf(binary: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { stdout } = await run(binary, ['--version'], { env, timeout: 5_000 })
  const version = /v=(\d+)\.(\d+)\S*/.exec(stdout)
  if (!version) throw new Error(`${binary} does not tell its version`)
  const [said, major, minor] = version
  if (Number(major) * 100 + Number(minor) < 602) throw new Error(`${binary} is ${said.slice(2)}, older than 6.2`)
  return said.slice(2)
}
