import { renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Preloaded into a program with --expose-gc. On SIGUSR2 it writes the heap size after a full collection, in bytes.
process.on('SIGUSR2', () => {
  globalThis.gc()
  const file = join(tmpdir(), `lamplighter-heap-${process.pid}`)
  writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed))
  renameSync(`${file}.new`, file)
})
