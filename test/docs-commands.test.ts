import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fence, type Page, readPages, projectRoot as root } from './support/pages.ts'
import { startTown } from './support/town.ts'

/* Runs every command in the `sh` blocks of the documentation. */

/** Commands that the named test or script runs. All other commands in `sh` blocks run here. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/browser/week.test.ts',
  'npm ci && npm test': '.ci/run',
  'npm ci && npm start': 'test/repository.test.ts',
  'npm ci && npm run package': 'test/package.test.ts',
  'npx --yes ./lamplighter-0.1.0.tgz demo': 'test/package.test.ts',
  'npm install --global ./lamplighter-0.1.0.tgz': 'test/package.test.ts',
  'lamplighter check': 'test/package.test.ts',
  'lamplighter start': 'test/package.test.ts',
  'redis-cli -u "$REDIS_URL" --rdb lamplighter.rdb': 'test/stories/backup.test.ts',
  'rm -rf "$REDIS_DATA/appendonlydir" "$REDIS_DATA/appendonly.aof"': 'test/stories/backup.test.ts',
  'cp lamplighter.rdb "$REDIS_DATA/appendonly.aof"': 'test/stories/backup.test.ts',
}

const shells = ['sh', 'bash', 'shell', 'console', 'zsh']

/** Returns a page's commands without comments; `\` at the end of a line joins it with the next. */
function commandsIn({ path, text }: Page): readonly string[] {
  return [...text.matchAll(fence)].flatMap(([, indent = '', info = '', code = '']) => {
    const [language = '', mark] = info.trim().split(/\s+/)
    if (!shells.includes(language)) return []
    if (mark === 'on-your-machine') return []
    if (mark !== undefined) throw new Error(`${path}: the mark “${mark}” means nothing; write on-your-machine or none.`)
    return code
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) =>
        line
          .slice(indent.length)
          .replace(/(^|\s+)# .*$/, '')
          .trim(),
      )
      .filter((line) => line !== '')
  })
}

test('Every command in an sh block is run here or by the test listed for it', async () => {
  for (const file of Object.values(elsewhere)) expect(existsSync(join(root, file)), file).toBe(true)
  const every = new Set((await readPages()).flatMap(commandsIn))
  expect(Object.keys(elsewhere).filter((command) => !every.has(command))).toEqual([])
  const audit = await mkdtemp(join(tmpdir(), 'docs-'))
  onTestFinished(() => rm(audit, { recursive: true, force: true }))
  const town = await startTown({
    env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64'), LAMPLIGHTER_AUDIT_DIR: audit },
  })
  onTestFinished(() => town.stop())
  const failed: string[] = []
  for (const command of every) {
    if (command in elsewhere) continue
    const { isWell, said } = await run(command, { ...town.env, LAMPLIGHTER_ENV_FILE: '' })
    if (!isWell) failed.push(`${command}\n${said}`)
  }
  expect(failed, 'A command that cannot be run here stands in a block of ```sh on-your-machine').toEqual([])
})

/** Runs a command with a shell in the project's folder, and stops it once it logs that it is ready. */
async function run(command: string, env: Readonly<Record<string, string>>) {
  const child = spawn('sh', ['-c', command], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      const wasReady = said.includes('"msg":"ready"')
      said += String(bytes)
      if (!wasReady && said.includes('"msg":"ready"')) process.kill(-(child.pid ?? 0), 'SIGTERM')
    })
  const [code] = (await once(child, 'close')) as [number | null]
  // The signal ends the shell and npm, but the product logs that it stopped gracefully.
  return { isWell: code === 0 || said.includes('"msg":"stopped"'), said }
}
