import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Runs every test file that searches at random, with its full number of tries. Returns the exit code. */
export function searchLong(): number {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => readFileSync(join(root, path), 'utf8').includes('support/search.ts'))
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=1800000', ...files]
  const env = { ...process.env, SEARCH: 'long' }
  return spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1
}
