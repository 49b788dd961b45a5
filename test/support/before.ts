import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The last commit whose requests have format 1. */
const before = 'bf684a34f6eb2d96f16f5bea0fa2010af04ae6ca'

/** A built version of the product: a folder with `dist/main.js`. */
export interface Built {
  readonly folder: string
  remove(): Promise<void>
}

/** Builds the product from before the newest request format with today's packages. Returns why if it cannot. */
export async function buildBefore(): Promise<Built | string> {
  const isHere = await run('git', ['cat-file', '-e', `${before}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )
  if (!isHere) return `Commit ${before} is not here: this is a shallow clone, or has no history at all.`
  const folder = await mkdtemp(join(tmpdir(), 'before-'))
  const archive = join(folder, 'before.tar')
  await run('git', ['archive', '-o', archive, before, 'src', 'generated', 'scripts', 'package.json'], { cwd: root })
  await run('tar', ['-xf', archive, '-C', folder])
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
