import { say } from '../model/words.ts'
import { spanOf } from '../time/format.ts'
import { in24Hours, whenWords } from '../time/parse-when.ts'
import { readWindow, weekdaysIn, windowText } from '../time/weekly-window.ts'
import { readZone } from '../time/zone.ts'
import { longest, type Word } from './field-of-word.ts'
import { type Field, labelled } from './fields.ts'

/** An instant or a length of time, stored as typed: "fri 18:00", "4h". */
export function when(label: Parameters<typeof labelled>[0], lead: string, hint: string): Field<string> {
  return {
    kind: 'when',
    moment: true,
    label: labelled(label),
    lead,
    led: true,
    hint: `${lead} ${hint}`,
    most: 40,
    span: (words) => Math.min(words.length, [4, 3, 2, 1].find((count) => whenIn(words.slice(0, count))) ?? 0),
    read: (typed) => {
      const value = whenIn([typed])
      return value === undefined ? { wrong: say('field.time', { field: labelled(label), word: typed }) } : { value }
    },
  }
}

/** Translates a time to the words of lines; undefined if it is none. */
function whenIn(typed: readonly string[]): string | undefined {
  const text = typed.join(' ').trim()
  // It may be the fifth or five days.
  if (/^\d{1,2} ?일$/.test(text)) return undefined
  const words = inFigures(inLength(inLineWords(withoutNight(text)).toLowerCase())).split(/\s+/)
  return whenWords(words) === words.length ? in24Hours(words.join(' ')) : undefined
}

/** Translates "noon" and "10 tonight" to "12:00" and "today 10 pm". "1 tonight" isn't read: whose night is it? */
function inFigures(text: string): string {
  return text
    .replace(/\btmrw?\b/, 'tomorrow')
    .replace(/\bnoon\b/, '12:00')
    .replace(/^midnight$/, '24:00')
    .replace(/^(.+) tonight$/, 'tonight $1')
    .replace(/^tonight (?:at )?((?:[6-9]|1[01])(?::\d\d)?)(?: ?pm)?$/, 'today $1 pm')
    .replace(/^tonight (?:at )?((?:1[89]|2[0-3]):\d\d)$/, 'today $1')
}

/** "오늘 밤 1시" is the coming 01:00, and "밤 12시" the end of today. */
function withoutNight(text: string): string {
  return text
    .replace(/^오늘 (?=밤 ?(?:[1-4]|12)시|자정)/, '')
    .replace(/^(?:밤 ?12시|자정)$/, 'midnight')
    .replace('정오', 'noon')
}

/** Puts the lead before the day: "tomorrow at 7pm" becomes "at" and "tomorrow at 7pm", unlike "until tomorrow at 7pm". */
export function withDay(words: readonly Word[]): readonly Word[] {
  const few = words.slice(0, longest).map(({ key, value }) => (key === undefined ? value.toLowerCase() : ''))
  const timeAt = (at: number) => [4, 3].find((count) => whenIn(few.slice(at, at + count)) !== undefined)
  const at = few.findIndex((_, at) => few[at + 1] === 'at' && timeAt(at) !== undefined)
  const before = few[at - 1] ?? ''
  if (at === -1 || /^(until|till?|by|for|from|after|next|every|each)$/.test(before)) return words
  const end = at + (timeAt(at) ?? 0)
  const time = { value: few.slice(at, end).join(' ') }
  return [...words.slice(0, /^(at|on|this)$/.test(before) ? at - 1 : at), { value: 'at' }, time, ...words.slice(end)]
}

const unitOf = /^(?:(m|h|d|w)(in|inute|our|r|ay|eek)?s?|시간|분|일|주)$/i
const spelt = 'zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve'.split(',')

/** "Two hours" becomes "2h", "2 hours 30 minutes" "2h30m", "half an hour" "30m". Anything else stays as it is. */
function inLength(text: string): string {
  return text
    .replace(/^half an hour$/, '30m')
    .replace(/^an? (?=[mhdw])/, '1 ')
    .replace(/^[a-z]+(?= .)/, (word) => (spelt.includes(word) ? String(spelt.indexOf(word)) : word))
    .replace(/^(?:\d{1,6} ?[mhdw](?:in|inute|our|r|ay|eek)?s? ?)+$/, (length) =>
      length.replaceAll(/(\d) ?([mhdw])[a-z]* ?/g, '$1$2'),
    )
}

/** A length of time with an optional lead: "2h", "two hours". */
export function lengthOfTime(label: Parameters<typeof labelled>[0], lead: string): Field<string> {
  return {
    kind: 'when',
    label: labelled(label),
    lead,
    hint: '<2h>',
    example: say('form.length'),
    most: 40,
    span: ([first, unit = '', more = '', last = '']) =>
      first === 'half' && more === 'hour' ? 3 : unitOf.test(unit) ? (/^\d/.test(more) && unitOf.test(last) ? 4 : 2) : 1,
    read: (typed) => {
      const value = inLength(inLineWords(typed.toLowerCase()))
      const wrong = () =>
        say('field.length', { field: labelled(label), examples: { any: ['30m', '2h', '1d'] }, word: typed })
      return spanOf(value) !== null ? { value } : { wrong: wrong() }
    },
  }
}

/** The words of "from 9 am to 오후 8시" are read as times of day, even if invalid. */
const ofTimes = /^(?:\d|[-–~]|(?:from|to|until)$|[ap]m(?![a-z/])|(?:오[전후]|아침|새벽|낮|저녁|밤)$)/

/** Days of the week, with times of day unless whole days are meant. */
export function window(): Field<string> {
  return {
    kind: 'window',
    label: labelled('times'),
    hint: '<weekdays 09:00-20:00>',
    most: 200,
    span: (words) => {
      const days = words.findIndex((word) => !/^(on|every|each)$/.test(word)) + 1
      return days + [...words.slice(days), ''].findIndex((word) => !ofTimes.test(word))
    },
    read: (typed) => {
      const read = readWindow(
        inClockTimes(typed)
          .replace(/^(on )?((every|each) )?/i, '')
          .replace(/ from (?=\d)/i, ' ')
          .replaceAll(/부터 ?| (?:to|until) (?=\d)/gi, '-')
          .replaceAll(/까지만?/g, ''),
      )
      return 'wrong' in read ? read : { value: windowText(read.window) }
    },
  }
}

export function zone(): Field<string> {
  return {
    kind: 'zone',
    label: labelled('zone'),
    hint: '<Asia/Seoul>',
    most: 60,
    span: (words) => (words[0] === 'in' ? 2 : 1) + (words[1] === 'time' || words[2] === 'time' ? 1 : 0),
    read: (typed) => {
      const read = readZone(typed.replace(/^in /i, '').replace(/ time$/i, ''))
      return 'wrong' in read ? read : { value: read.zone }
    },
  }
}

const koreanUnits: Readonly<Record<string, string>> = { 분: 'm', 시간: 'h', 일: 'd', 주: 'w' }

/** Translates a Korean time to the words of lines: "내일 오후 7시" to "tomorrow 7:00 pm", "2시간 30분" to "2h30m". */
function inLineWords(typed: string): string {
  const times = inClockTimes(typed).replace(
    /(\d+) ?(시간|분|일|주)(?: ?(?=\d)|$)/g,
    (_, count, unit) => `${count}${koreanUnits[unit]}`,
  )
  return weekdaysIn(times.replace(/^오늘(?= |$)/, 'today').replace(/^내일(?= |$)/, 'tomorrow'))
}

/**
 * Words before a Korean hour that tell its half of the day. "내일 밤 1시" is left: whose night is it? So is "낮 11시", which
 * is no 23:00.
 */
const halves =
  '(오전|오후|아침|새벽|(?<!\\S )밤(?= ?[1-4](?:시|:))|낮(?= ?(?:[1-5]|12)(?:시|:))|(?:저녁|밤)(?= ?(?:[5-9]|1[01])(?:시|:)))'

/** Translates "오후 7시" to "7:00 pm" and "19시 30분" to "19:30". An hour without its half of the day stays as it is: "9". */
function inClockTimes(typed: string): string {
  const clock = new RegExp(`(?:${halves} ?)?(\\d{1,2})(?::(\\d{2})|시(?!간)(?: ?(\\d{1,2})분)?)`, 'g')
  return typed.replace(clock, (_, half, hour, minutes, spelt: string | undefined) => {
    const exact = minutes ?? spelt?.padStart(2, '0')
    const time = exact === undefined && half === undefined && hour <= 12 ? hour : `${hour}:${exact ?? '00'}`
    const isMorning = /오전|아침|새벽/.test(half) || (half === '밤' && hour < 5)
    return half === undefined ? time : `${time} ${isMorning ? 'am' : 'pm'}`
  })
}
