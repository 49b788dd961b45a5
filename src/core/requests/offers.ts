import type { Commands } from '../commands/commands.ts'
import type { Row } from '../commands/define.ts'
import { exampleAbout, exampleName, isExample } from '../commands/examples.ts'
import { titleOf } from '../commands/help.ts'
import { writeWord } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import type { Offer } from '../model/answer.ts'
import { type Sentence, say, type Words } from '../model/words.ts'
import { inDigits } from '../time/korean-when.ts'

/** A line about this endpoint; the settings of an example are nobody's wish. */
export function aboutOne(row: Row | undefined, line: string, name: string): string {
  const isSetting = row !== undefined && Object.values(row.fields).some(({ kind }) => kind === 'secrets')
  return exampleAbout(writeWord(name), isSetting && isExample(line) ? `${row.name} ${exampleName}` : line)
}

const onceAhead =
  /(?:내일|모레|글피|요일|다음 ?[주달]|(?:\d ?[시분]|\d:\d\d|시 ?반) ?(?:쯤|경|정각)?에|[뒤후]에|있다가).*(?:켜|(?<!재)시작해|실행해|돌려) ?[줘주둬두놔놓]/
const lastingOrWeekly = /매주|매일|마다|평일|주말|까지|동안|부터/

/** Whether something is to be started once, at some later time. */
function isStartAt(typed: string): boolean {
  const text = inDigits(typed)
  return onceAhead.test(text) && !lastingOrWeekly.test(text)
}

/** "내일 9시에 켜 줘" is no schedule of every week, and a start has no time of its own: a form, and why. */
export function withoutStartAt(lines: readonly string[], typed: string): { lines: readonly string[]; note: Words } {
  if (!isStartAt(typed)) return { lines, note: '' }
  const asForm = (line: string) =>
    line.replace(/^(schedule .+) up .*/, '$1').replace(/^start (?!.* (?:until|for) )/, 'schedule ')
  return { lines: [...new Set(lines.map(asForm))], note: say('line.startAt') }
}

/** What a Korean sentence names by Latin letters that is neither a command nor on the list. */
export function strangerIn(typed: string, find: (verb: string) => Row | undefined): string | undefined {
  const names = /[가-힣]/.test(typed) ? (typed.match(/(?<![\w.@-])[a-z][\w.-]{2,60}/gi) ?? []) : []
  return names.find((name) => find(name.toLowerCase()) === undefined)
}

type Named = { readonly name: string; readonly active: boolean | null } | undefined

/** What may be meant as a button; a change opens its form. */
export function offerOf(commands: Commands, line: string, named: Named): readonly Offer[] {
  const row = commands.find(line.split(' ')[0] ?? '')
  if (row === undefined) return []
  return [{ label: labelOf(commands, row, line, named), line, ...(row.kind === 'operation' && { opens: 'form' }) }]
}

/** "Stop my-llm" where the line says which, else "Stop an endpoint". */
function labelOf({ stored }: Commands, row: Row, line: string, named: Named): Sentence {
  const { values } = stored(line) ?? {}
  const name = values?.['endpoint']
  if (row.kind !== 'operation') return titleOf(row)
  if (values === undefined && named !== undefined && line.includes(named.name))
    return say('endpoint.offer', { verb: `${row.name.charAt(0).toUpperCase()}${row.name.slice(1)}`, name: named.name })
  if (values === undefined || name === undefined) return titleOf(row)
  const { until } = values
  // Whoever wants it on reads until when, and not that something is paused.
  if (row.wants === undefined && typeof until === 'string' && named?.active === true)
    return say('choice.keepUntil', { name: String(name), at: until })
  return phrase({ row, values }, String(name), 'ask')
}
