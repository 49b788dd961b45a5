import { renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Loaded into a program that started with --expose-gc. On SIGUSR2 it writes the bytes that a whole collection leaves.
process.on('SIGUSR2', () => {
  globalThis.gc()
  const file = join(tmpdir(), `lamplighter-heap-${process.pid}`)
  writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed))
  renameSync(`${file}.new`, file)
})
