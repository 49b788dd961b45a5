import { spanOf } from '../domain/duration.ts'
import type { Head } from '../lifecycle/audit.ts'

/** What follows the word of `npm start -- audit …`. */
export interface Options {
  readonly file?: string
  /** ms */
  readonly since?: number
  readonly anchors: readonly Head[]
}

/** `wrong`: a sentence about a word that cannot be read. */
export function readOptions(words: readonly string[]): Options | { readonly wrong: string } {
  const [word, value = '', ...more] = words
  if (word === undefined) return { anchors: [] }
  if (!word.startsWith('--')) return { ...readOptions(words.slice(1)), file: word }
  const rest = readOptions(more)
  if (word === '--since') {
    const since = spanOf(value)
    return since === null ? { wrong: `--since takes a length, for example 30d, not “${value}”.` } : { ...rest, since }
  }
  if (word !== '--anchor') return { wrong: `There is no ${word}.` }
  const [, seq, mac] = /^(\d{1,15}):([\w-]{43})$/.exec(value) ?? []
  if (seq === undefined || mac === undefined)
    return {
      wrong: `--anchor takes the number of an entry and its MAC of 43 characters with a colon between, as the operations channel has them, not “${value}”.`,
    }
  return 'wrong' in rest ? rest : { ...rest, anchors: [...rest.anchors, { seq: Number(seq), mac }] }
}
