import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** A terminal with a person who waits for each question before they type. */
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

  /** Resolves once the text is shown after the last typed answer. */
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
      // One press at a time: keys that arrive together would be read as pasted.
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

export const keys = { enter: '\r', tab: '\t', down: '\u001b[B', interrupt: '\u0003', end: '\u0004' } as const
