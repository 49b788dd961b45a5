import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** A terminal with somebody at it who waits for each question before they type. */
export function openScreen() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  let shown = ''
  let read = 0
  const listeners = new Set<() => void>()
  const output = new Writable({
    write(bytes, _, done) {
      shown += stripVTControlCharacters(String(bytes))
      for (const listener of listeners) listener()
      done()
    },
  })
  Object.assign(output, { columns: 200, rows: 50, isTTY: true })

  /** Resolves once something is shown that was not shown when the last answer was typed. */
  async function sees(text: string): Promise<void> {
    while (!shown.slice(read).includes(text))
      await new Promise<void>((resolve) => {
        const once = () => {
          listeners.delete(once)
          resolve()
        }
        listeners.add(once)
      })
  }

  async function types(...keys: readonly string[]): Promise<void> {
    read = shown.length
    for (const key of keys) {
      input.write(key)
      // Each key is one press: what comes together would be read as pasted.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    input,
    output,
    shown: () => shown,
    sees,
    async answers(question: string, ...keys: readonly string[]): Promise<void> {
      await sees(question)
      await types(...keys)
    },
  }
}

export const keys = { enter: '\r', tab: '\t', down: '\u001b[B', interrupt: '\u0003' } as const
