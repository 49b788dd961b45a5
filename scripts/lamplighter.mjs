#!/usr/bin/env node
/** The command of the package. `start` may be left out, as in `npm start`; the help says what there is. */
const [command = 'help', ...more] = process.argv.slice(2)
process.title = 'lamplighter'

// Whoever ends npx by a signal leaves this process to another parent: npx does not pass it on.
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'npx')
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref()

if (command === 'demo') {
  process.argv.splice(2, 1)
  await import('../dist/sandbox/demo.js')
} else {
  process.argv.splice(2, process.argv.length, ...(command === 'start' ? more : [command, ...more]))
  await import('./start.mjs')
}
