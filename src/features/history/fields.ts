import {
  choice,
  count,
  endpointName,
  type Field,
  labelled,
  matching,
  optional,
  synonyms,
  type Values,
} from '../../core/commands/fields.ts'
import { historyLife } from '../../core/model/request.ts'
import type { Actor } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { spanOf } from '../../core/time/format.ts'
import { instantOf, localAt } from '../../core/time/zone.ts'

/** Each row takes two of a message's 50 blocks. */
export const pageSize = 10

const korean = { 오늘: 'today', 어제: 'yesterday' } as const
const days = {
  ...korean,
  ...synonyms('week', 'last week', 'this week', 'past week'),
  ...synonyms('week', '지난주', '지난 주', '저번주', '저번 주', '이번주', '이번 주'),
}

const own = synonyms('me', 'did i', 'have i', 'i did', '내가', '제가', '내 요청', 'my request', 'my requests')

/** Words people use to ask why: "why is it running?" */
const said = {
  ...synonyms('refused', '거부', '거부됨'),
  ...synonyms('stopped', '꺼졌', '꺼져', '껐', '중지', '중지됨'),
  ...synonyms('started', 'running', '켜졌', '켰', '켜져', '켜지', '돌고', '돌아', '시작', '시작됨'),
}

export const historyFields = {
  what: optional(choice('export', ['export', 'refused', 'stopped', 'started'], said)),
  /** An endpoint's id or name, present or past, or a request's id. It may be gone, so it is not looked up. */
  day: optional({
    ...choice('timeSpan', ['today', 'yesterday', 'week'], days),
    span: ([first, second]) => (`${first} ${second}` in days ? 2 : 1),
  }),
  on: optional(subject()),
  who: optional(person()),
  since: optional(span()),
  page: optional(count('page', 'page', [1, 1_000])),
}
export type HistoryValues = Values<typeof historyFields>

/** Any word that is not a value of an earlier field. */
function subject(): Field<string> {
  const named = endpointName()
  return {
    ...named,
    read: (word) =>
      /^(export|refused|stopped|started|today|yesterday|week|from|of|for|오늘|어제|(중지|시작|거부)됨?)$/i.test(word)
        ? { wrong: say('field.historyOf') }
        : named.read(word),
  }
}

/** A person picked in Slack, or a name that `historyOf` resolves. */
function person(): Field<string> {
  // "Stopped by a schedule" and "by mistake" name nobody.
  const named = matching(
    /^(?!(who|whom|what|an?|the|itself|mistake|accident)$)@?[\p{L}\d][\p{L}\d._-]{0,60}$/iu,
    (word) => say('field.personOrMe', { field: labelled('person'), word }),
  )
  const read: typeof named = (word) => (word.toLowerCase() === 'me' ? { value: 'me' } : named(word))
  return { kind: 'person', label: labelled('person'), key: 'who', lead: 'by', hint: 'who=@…', also: own, read }
}

function span(): Field<string> {
  return {
    kind: 'text',
    label: labelled('timeSpan'),
    key: 'since',
    lead: 'since',
    hint: 'since=7d',
    read: (word) => {
      const day = ['today', 'yesterday'].find(
        (one) => one === (korean[word as keyof typeof korean] ?? word.toLowerCase()),
      )
      if (day !== undefined) return { value: day }
      const ms = spanOf(word.toLowerCase())
      if (ms === null || ms === 0)
        return {
          wrong: say('field.length', { field: labelled('timeSpan'), examples: { any: ['12h', '7d', '4w'] }, word }),
        }
      return ms <= historyLife
        ? { value: word.toLowerCase() }
        : { wrong: say('field.farBack', { field: labelled('timeSpan') }) }
    },
  }
}

/** Returns the time range, ms. A day is in the reader's zone; a duration ends now. */
export async function timesOf({ clock, people, policy }: Services, { day, since }: HistoryValues, reader: Actor) {
  const now = clock.now()
  const named = day === 'week' ? '7d' : (day ?? since)
  if (named !== 'today' && named !== 'yesterday')
    return { from: now - ((named === undefined ? null : spanOf(named)) ?? historyLife), to: Infinity }
  const zone = (await people.zoneOf(reader)) ?? policy().automation.zone ?? 'UTC'
  const today = localAt(now, zone).day
  const midnight = instantOf(today, 0, zone)
  if (named === 'today') return { from: midnight, to: Infinity }
  return { from: instantOf(today - 1, 0, zone), to: day === undefined ? Infinity : midnight }
}
