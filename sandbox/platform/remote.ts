import type { Control } from './types.ts'

/** The sandbox's controls from another process: the same names and arguments, every answer by promise. */
export type RemoteControl = {
  readonly [Name in keyof Control]: (...args: Parameters<Control[Name]>) => Promise<Awaited<ReturnType<Control[Name]>>>
}

/** `controlUrl` and `controlToken` as the sandbox tells them. Each call throws what the sandbox answers but a 200. */
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
  // The names are those of `Control`; a wrong one does not compile, and is answered with a sentence.
  return new Proxy({} as RemoteControl, {
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => run(name, args) : undefined,
  })
}
