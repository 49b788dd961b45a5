import { say } from '../model/words.ts'
import { spanOf } from '../time/format.ts'
import { koreanSpan, koreanTimes } from '../time/korean-when.ts'
import { in24Hours, whenWords } from '../time/parse-when.ts'
import { readWindow, windowText } from '../time/weekly-window.ts'
import { readZone } from '../time/zone.ts'
import { type Field, labelled } from './fields.ts'

/** An instant or a length of time, kept as it was written: "fri 18:00", "4h". */
export function when(label: Parameters<typeof labelled>[0], lead: string, hint: string): Field<string> {
  return {
    kind: 'when',
    moment: true,
    label: labelled(label),
    lead,
    led: true,
    hint: `${lead} ${hint}`,
    most: 40,
    span: whenWords,
    read: (typed) => {
      const words = typed.trim().toLowerCase().split(/\s+/)
      if (words.length > 0 && whenWords(words) === words.length) return { value: in24Hours(words.join(' ')) }
      if (typed.trim() === '내일') return { value: 'tomorrow' }
      // Of "6시" nobody knows which half of the day it is of.
      const [one, ...others] = koreanTimes(`${typed.trim().replace(/(?<=시간|분|일|주|이틀|사흘)$/, ' 동안')}까지`)
      return one !== undefined && others.length === 0
        ? { value: one.replace(/^\w+ /, '') }
        : { wrong: say('field.time', { field: labelled(label), word: typed }) }
    },
  }
}

const unitOf = /^(?:(m|h|d|w)(in|inute|our|r|ay|eek)?s?|시간|분|일|주)$/i
/** "2 hours". */
const inWords = /^(\d{1,4}) ?(m|h|d|w)(?:in|inute|our|r|ay|eek)?s?$/

/** A length of time, whose lead is optional: "2h". */
export function lengthOfTime(label: Parameters<typeof labelled>[0], lead: string): Field<string> {
  return {
    kind: 'when',
    label: labelled(label),
    lead,
    hint: '<2h>',
    example: say('form.length'),
    most: 10,
    span: ([, unit = '']) => (unitOf.test(unit) ? 2 : 1),
    read: (typed) => {
      const value = typed
        .toLowerCase()
        .replace(/^an? (?=.)/, '1 ')
        .replace(inWords, '$1$2')
        .replace(/^\S* ?(?:시간|분|일|주일?)(?: ?반| ?\d+ ?분)?$/, (korean) => koreanSpan(korean) || korean)
      const wrong = () =>
        say('field.length', { field: labelled(label), examples: { any: ['30m', '2h', '1d'] }, word: typed })
      return spanOf(value) !== null ? { value } : { wrong: wrong() }
    },
  }
}

/** Days of the week, with times of the day unless whole days are meant. */
export function window(): Field<string> {
  return {
    kind: 'window',
    label: labelled('times'),
    hint: '<weekdays 09:00-20:00>',
    most: 200,
    // A word that begins with a digit is meant as times of the day, valid or not.
    span: ([, second = '']) => (/^\d/.test(second) ? 2 : 1),
    read: (typed) => {
      const read = readWindow(typed)
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
    read: (typed) => {
      const read = readZone(typed)
      return 'wrong' in read ? read : { value: read.zone }
    },
  }
}
