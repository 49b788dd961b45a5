import { english, type SentenceId } from '../../words/english.ts'
import type { NamedEndpoint } from '../model/endpoint.ts'
import type { Offer } from '../model/query-answer.ts'
import { type Change, onceIn } from '../model/records.ts'
import { type Sentence, type SentenceValues, say, type Words } from '../model/words.ts'
import { absoluteIn, instant, spanOf } from '../time/format.ts'
import type { Command } from './commands.ts'
import type { Operation, Phrase, PhraseKey, Row } from './define.ts'
import { readLine } from './parse.ts'
import { writeWord } from './quoting.ts'

/** Names an operation: "Stop my-llm", "Scaling my-llm to 3". `name`: its endpoint's, or ''. */
export function phrase({ row, values }: Command<Operation>, name: string, form: Form, change?: Change): Sentence {
  const found = row.phrase?.(values, change) ?? (row.name as PhraseKey)
  const { key, with: more }: Phrase = typeof found === 'string' ? { key: found } : found
  const said = (one: Form) => maybeSay(`${key}.${one}`, { name, ...more })
  const usual = form === 'press' || form === 'noun' ? said('ask') : undefined
  // Declining changes nothing, unless the command says more.
  return said(form) ?? usual ?? say('other.leave')
}

/** Returns a sentence that only some commands have. */
export function maybeSay(id: string, values?: SentenceValues): Sentence | undefined {
  return id in english ? say(id as SentenceId, values) : undefined
}

/** Returns a button for an endpoint; by id, so that a rename cannot redirect it. */
export function buttonTo(verb: 'start' | 'stop' | 'restart', { id, name }: NamedEndpoint): Offer {
  return { label: say(`endpoint.${verb}`, { name }), line: `${verb} ${writeWord(id)}` }
}

/** `press`, `leave`: the buttons that agree and decline. `noun`: before a verb, if `ask` reads badly there. */
type Form = 'ask' | 'doing' | 'done' | 'press' | 'leave' | 'noun'

/** A line's time as sentence values: an instant, which each reader sees in their own time zone, or the typed words. */
export function timeIn(typed: string): SentenceValues {
  const at = absoluteIn(typed)
  const kind = spanOf(typed) === null ? 'typed' : 'length'
  // People do not say 24:00, and "tomorrow midnight" is ambiguous.
  return at === null
    ? { at: typed.replace(/(?<!tomorrow )24:00/, 'midnight').replace('overnight', '09:00'), kind }
    : { at: { at }, kind: 'instant' }
}

/** When a one-off stops its endpoint, as an instant, whatever was typed. */
export function oneOffIn(change: Change | undefined): SentenceValues | undefined {
  const once = onceIn(change)
  return once && { at: { at: once.until ?? once.at }, kind: 'instant' }
}

/** Until when a pause lasts; `none` if there is none yet. */
export function endIn(change: Change | undefined): SentenceValues {
  const pause = change?.put?.find(({ kind }) => kind === 'hold' || kind === 'freeze')
  if (pause === undefined || !('until' in pause)) return { end: 'none' }
  return pause.until == null ? { end: 'open' } : { end: 'set', until: { at: pause.until } }
}

/** Writes a line with mentions, of people in their fields only, and with instants. Any other text stays unchanged. */
export function lineInWords(text: string, rows: readonly Row[]): Words {
  const read = /@|\dt\d/i.test(text) ? readLine(text, rows) : undefined
  if (read?.kind !== 'line') return text
  const { row, values } = read.read
  const fields = Object.entries(row.fields)
  const people = fields.flatMap(([name, { kind }]) => (kind === 'person' ? [values[name]] : []))
  const timed = (part: string) =>
    fields.reduce((shown, [name, { kind, lead }]) => {
      const at = kind === 'when' ? absoluteIn(String(values[name])) : null
      return at === null ? shown : shown.replace(`${lead} ${values[name]}`, `${lead} ${instant(at)}`)
    }, part)
  const [first = '', ...more] = text.split(/(?<=^|[ =])(@[UW][A-Z0-9]+)(?= |$)/)
  return more.reduce<Words>((said, part, at) => {
    const isPerson = at % 2 === 0 && people.includes(part)
    return say('line.goesOn', { said, part: isPerson ? { kind: 'user', id: part.slice(1) } : timed(part) })
  }, timed(first))
}
