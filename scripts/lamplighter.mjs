#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'

/** The command of the package. `start` may be left out, as in `npm start`; before an endpoint it is a line. */
const [command = 'help', ...more] = process.argv.slice(2)
const isStart = command === 'start' && /^(bot|worker|api|all)?$/.test(more.join(' '))
process.title = 'lamplighter'
process.argv[1] = startedAs()

// Whoever ends npx by a signal leaves this process to another parent: npx does not pass it on.
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

/** `npx ./lamplighter-….tgz` runs a copy in a folder of npm's own, whose package.json names the file. */
function startedAs() {
  if (process.env.npm_lifecycle_event !== 'npx') return 'lamplighter'
  const around = new URL('../../../package.json', import.meta.url)
  const { _npx } = existsSync(around) ? JSON.parse(readFileSync(around)) : {}
  return _npx ? `npx --yes ${_npx.packages[0]}` : 'npx lamplighter'
}
