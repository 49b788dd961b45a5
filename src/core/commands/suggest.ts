import type { FieldValues } from '../model/request.ts'
import { say, type Words } from '../model/words.ts'
import { withoutMoments } from '../text/usual-words.ts'
import { isGuessed, isTimed } from '../time/korean-when.ts'
import { partOfDay, whenWords } from '../time/parse-when.ts'
import type { Row } from './define.ts'
import { exampleAbout, exampleLike } from './examples.ts'
import { saidFor, spoken, withPairs } from './field-of-word.ts'
import { beyond, courtesy, longest, pointing } from './sentence.ts'

/** Said by whoever wants no stop. */
export const unstopped = [
  'nothing',
  'nobody',
  'never',
  'not',
  'dont',
  "don't",
  '끄지',
  '멈추지',
  '중지하지',
  '꺼지지',
  '안 꺼지게',
  '안 꺼지도록',
  '안 끄',
  '안 멈추',
]

/** Why a verb is none, or the lines that may be meant. */
export function unknownVerb(verb: string, lines: readonly string[]): Words {
  if (lines.length > 0) return nearText(lines)
  return [say(beyond.test(verb) ? 'line.beyond' : 'line.unknownVerb', { verb }), say('line.allVerbs')]
}

/** "Did you mean /endpoint stop my-llm?"; empty without lines. */
export function nearText(lines: readonly string[]): Words {
  if (lines.length === 0) return ''
  const of = lines.some((line) => line.includes(' ')) ? 'line' : 'name'
  return say('line.near', { of, near: { any: lines.map((line) => say('line.typed', { line })) } })
}

/** That a time was said which no line has: nothing is left out in silence. */
export function unreadTime(typed: string, lines: readonly string[], rows: readonly (Row | undefined)[]): Words {
  const [guess, ...others] = lines.flatMap((line) => /^stop .* at (\d\d:\d\d)$/.exec(line)?.slice(1) ?? [])
  const isAlone = guess !== undefined && others.length === 0 && /[가-힣]/.test(typed)
  if (isAlone && isGuessed(guess, typed)) return say('line.suggestedStop', { time: guess })
  const isRead = lines.some((line) => / (?:at|until|for|after) |\d:\d\d| (?:daily|weekdays|weekends)\b/.test(line))
  if (isRead || !isTimed(typed) || !rows.every((row) => row?.kind === 'operation')) return ''
  const isAsked = rows.some((row) => row !== undefined && ('until' in row.fields || 'at' in row.fields))
  return say('line.timeUnread', { form: isAsked ? 'yes' : 'no' })
}

/** What may be meant by a line about a line: a question is answered, and what would change something is told about. */
export function nearAbout(lines: readonly string[] = [], rows: readonly Row[], about: (line: string) => string) {
  const queries = lines.filter((line) => rows.find(({ name }) => name === line.split(' ')[0])?.kind === 'query')
  const meant = queries.length > 0 ? queries : lines.slice(0, 1).map(about)
  return meant.length > 0 && { near: { says: '', lines: meant } }
}

/** What was said of a line about no endpoint, for its form: "away until friday". */
export function begun({ row, values }: Pick<Unread, 'row' | 'values'>, write: Unread['write']): readonly string[] {
  return 'endpoint' in row.fields || Object.keys(values).length === 0 ? [] : [write(row, values)]
}

/** Said beside the offer to stop what is stopped, which only a later stop is for. */
export function stoppedNow(
  named: { readonly name: string; readonly active: boolean | null } | undefined,
  offered: readonly (Row | undefined)[],
): Words {
  const isStop = offered.some((row) => row?.kind === 'operation' && row.wants === 'down')
  return named?.active === false && isStop ? say('line.stoppedNow', { name: named.name }) : ''
}

/** Said by whoever asks what comes next. */
export const upcoming = [
  'next',
  'upcoming',
  'what happens',
  'happens',
  'when will',
  'when does',
  'when is',
  '다음',
  '언제 꺼져',
  '언제 꺼지',
  '언제 꺼질',
  '언제 켜져',
  '언제 켜지',
  '언제 켜질',
  '몇 시',
  '일정 보',
  '일정 알',
  '스케줄 보',
  '스케줄 알',
]

interface Unread {
  readonly row: Row
  readonly values: FieldValues
  /** The field whose lead was typed. */
  readonly lead: string | undefined
  /** What follows, none of which could be read. */
  readonly typed: readonly string[]
  readonly write: (row: Row, values: FieldValues) => string
}

/**
 * Lines that may be meant by words for which a start, a stop or a pause has no place: "this afternoon", "tonight", "at
 * night", a start "at 14:00". None of these says for certain what is wanted, so none is carried out.
 */
export function linesMeant({ row, values, lead, typed, write }: Unread, rows: readonly Row[]) {
  if (row.kind !== 'operation' || values['endpoint'] === undefined) return null
  const said = typed.slice(0, longest).map(spoken)
  const own = write(row, { endpoint: values['endpoint'] })
  const name = own.slice(row.name.length + 1)
  const rule = withPairs(withoutMoments(said))
    .flatMap((word) => saidFor(rows, word))
    .find((one) => one.kind === 'operation' && one.wants === undefined && 'endpoint' in one.fields)
  const inverted = row.meant?.(values, said.join(' ')) ?? []
  const isKept = inverted.length > 0 || /^(up|on|running|alive)$/.test(said[0] ?? '')
  // "keep it on at night" is neither a pause nor its end.
  if (rule !== undefined && 'window' in rule.fields && row.wants === undefined && isKept)
    return {
      says: '',
      lines: [exampleAbout(name, exampleLike(rule, [inverted.length > 0 ? 'off' : '', ...said], rows) ?? '')],
    }
  if (inverted.length > 0) return { says: '', lines: inverted }
  // "stop my-llm 19:00".
  if (lead === undefined && row.fields['at']?.kind === 'when' && /^\d{1,2}:\d\d$/.test(said.join(' ')))
    return { says: '', lines: [write(row, { ...values, at: said.join(' ') })] }
  // A stop has no end.
  if (row.wants === 'down' && /^(for|until)$/.test(said[0] ?? '') && whenWords(said.slice(1)) > 0)
    return { says: '', lines: [own] }
  const part = lead === undefined && 'until' in row.fields && values['until'] === undefined ? partOfDay(said) : null
  if (part !== null) return { says: '', lines: [[write(row, values), 'for', ...said.slice(0, part.count)].join(' ')] }
  // "keep my-llm on" has no end.
  if (
    row.wants === undefined &&
    'until' in row.fields &&
    /^(up|on|running|alive)$/.test(said.filter((word) => !courtesy.has(word)).join(' '))
  )
    return {
      says: '',
      lines: saidFor(rows, 'never').flatMap(({ examples: [one] }) => (one ? [exampleAbout(name, one)] : [])),
    }
  // "stop my endpoints", "stop everything of mine".
  const isOfMany = pointing.test(String(values['endpoint']))
  const moment = lead ?? ('at' in row.fields ? 'at' : '')
  const tonight = isOfMany ? /\b(tonight|evening)$/ : /^((this|the) )?(tonight|evening)/
  if (row.fields[moment]?.kind === 'when' && tonight.test(said.join(' ')))
    return {
      says: '',
      // Midnight is ahead at any hour.
      lines: ['18:00', '22:00', '24:00'].map((time) => write(row, { ...values, [moment]: time })),
    }
  const weekly = rows.find(({ fields }) => Object.values(fields).some(({ kind }) => kind === 'window'))
  if (row.wants === undefined || weekly === undefined) return isOfMany ? { says: '', lines: [own] } : null
  const isStartAt = row.wants === 'up' && lead === undefined && said[0] === 'at'
  if (!isStartAt && rule === undefined) return isOfMany ? { says: '', lines: [own] } : null
  const like = exampleLike(rule ?? weekly, [row.name, ...said], rows) ?? ''
  const [, clock] = isStartAt ? (/^(\d{1,2}:\d{2})$/.exec(said[1] ?? '') ?? []) : []
  const line = exampleAbout(name, like)
  return {
    says: isStartAt ? say('line.startAt') : '',
    lines: [clock === undefined ? line : line.replace('09:00', clock)],
  }
}
