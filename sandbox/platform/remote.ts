import type { Control } from './types.ts'

/** The sandbox's controls from another process: the same names and arguments, but each returns a promise. */
export type RemoteControl = {
  readonly [Name in keyof Control]: (...args: Parameters<Control[Name]>) => Promise<Awaited<ReturnType<Control[Name]>>>
}

/** Takes the sandbox's `controlUrl` and `controlToken`. Each call throws the sandbox's message if it is refused. */
export function remoteControl(controlUrl: string, controlToken: string): RemoteControl {
  async function run(name: string, args: readonly unknown[]): Promise<unknown> {
    const answer = await fetch(`${controlUrl}/${name}`, {
      method: 'POST',
      headers: { 'x-sandbox-token': controlToken },
      body: JSON.stringify(args),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
  // The names are those of `Control`: a wrong one does not compile, and the sandbox answers it with a sentence.
  return new Proxy({} as RemoteControl, {
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => run(name, args) : undefined,
  })
}
