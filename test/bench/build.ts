import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')
const out = join(root, '.cache/bench')

/** Compiles every program, so that no compiler is measured. The peers import their packages like any bot. */
export async function buildPrograms() {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (built.status !== 0) throw new Error('The product could not be built.')
  await build({
    absWorkingDir: join(root, 'test/bench'),
    entryPoints: ['peers/bare.ts', 'peers/queueing.ts', 'peers/naive.ts', 'peers/floor.ts', 'load.ts', 'world.ts'],
    outdir: out,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  const program = (name: string) => join(out, `${name}.js`)
  return {
    bare: program('peers/bare'),
    queueing: program('peers/queueing'),
    naive: program('peers/naive'),
    floor: program('peers/floor'),
    load: program('load'),
    world: program('world'),
    ours: join(root, 'dist/main.js'),
  }
}

export type Programs = Awaited<ReturnType<typeof buildPrograms>>
