import { spawn } from 'node:child_process'

// `cat` reads until this process is gone, whatever ended it: only that closes the pipe. `$1` pid, `$2` directory.
const script = 'cat >/dev/null; kill -9 "$1"; if [ -n "$2" ]; then rm -rf -- "$2"; fi'

/**
 * Ties a process to the life of this one: when this one dies, even by SIGKILL, the other is killed and its data
 * directory removed. A negative `pid` is a process group. Returns a function that releases it, and resolves when the
 * leash is gone.
 */
export function holdLeash(pid: number, directory: string | null): () => Promise<void> {
  const keeper = spawn('/bin/sh', ['-c', script, 'leash', String(pid), directory ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell, the process survives a SIGKILL of this one; stop() still works.
  const gone = new Promise<void>((resolve) => {
    keeper.once('exit', () => resolve())
    keeper.once('error', () => resolve())
  })
  keeper.unref()
  return async () => {
    // The caller waits for its end, so it must keep this process alive until then.
    keeper.ref()
    keeper.kill('SIGKILL')
    await gone
  }
}
