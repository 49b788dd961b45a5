#!/usr/bin/env node
/** The command of the package. `start` may be left out, as in `npm start`; the help says what there is. */
const [command = 'help', ...more] = process.argv.slice(2)
process.title = 'lamplighter'
if (command === 'demo') {
  process.argv.splice(2, 1)
  await import('../dist/sandbox/demo.js')
} else {
  process.argv.splice(2, process.argv.length, ...(command === 'start' ? more : [command, ...more]))
  await import('./start.mjs')
}
