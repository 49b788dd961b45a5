#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'

/** The command of the package. `start` is optional, as in `npm start`; `start ENDPOINT` is a line for Lamplighter. */
const [command = 'help', ...more] = process.argv.slice(2)
const isStart = command === 'start' && /^(bot|worker|api|all)?$/.test(more.join(' '))
process.title = 'lamplighter'
process.argv[1] = startedAs()

// npx does not pass on a signal that ends it, so this process stops when its parent changes.
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'npx')
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref()

if (command === 'demo') {
  process.argv.splice(2, 1)
  await import('../dist/sandbox/demo.js')
} else {
  process.argv.splice(2, process.argv.length, ...(isStart ? more : [command, ...more]))
  await import('./start.mjs')
}

/** `npx ./lamplighter-….tgz` runs a copy in one of npm's folders, whose package.json names the file. */
function startedAs() {
  if (process.env.npm_lifecycle_event !== 'npx') return 'lamplighter'
  const around = new URL('../../../package.json', import.meta.url)
  const { _npx } = existsSync(around) ? JSON.parse(readFileSync(around)) : {}
  return _npx ? `npx --yes ${_npx.packages[0]}` : 'npx lamplighter'
}
