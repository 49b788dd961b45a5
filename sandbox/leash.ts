import { spawn } from 'node:child_process'

// Reads until this process is gone, however it went: only then does the pipe end. `$1` pid, `$2` directory or nothing.
const script = 'cat >/dev/null; kill -9 "$1"; if [ -n "$2" ]; then rm -rf -- "$2"; fi'

/**
 * Ties a process to the life of this one: when we die, even by SIGKILL, it is killed and its data directory removed. A
 * negative `pid` is a whole group.
 * The answer lets go of it again, and resolves when nothing is left of the leash.
 */
export function holdLeash(pid: number, directory: string | null): () => Promise<void> {
  const keeper = spawn('/bin/sh', ['-c', script, 'leash', String(pid), directory ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell the server lives on after a SIGKILL of this process; stop() works all the same.
  const gone = new Promise<void>((resolve) => {
    keeper.once('exit', () => resolve())
    keeper.once('error', () => resolve())
  })
  keeper.unref()
  return async () => {
    // Its end is waited for, so it must keep this process alive until then.
    keeper.ref()
    keeper.kill('SIGKILL')
    await gone
  }
}
