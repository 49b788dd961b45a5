import { defineQuery } from '../../core/commands/define.ts'
import { type Field, labelled, optional, synonyms } from '../../core/commands/fields.ts'
import { inCurrency } from '../../core/model/automation.ts'
import { causes, type QueryAnswer, type Savings, type Sums } from '../../core/model/query-answer.ts'
import { historyLife } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { spanOf } from '../../core/time/format.ts'
import type { SentenceId } from '../../words/english.ts'
import { chartOf, hoursText, isLeast, periodsOf, replicaHoursText, savingsText, shownSum } from './format.ts'

const usualSpan = '30d'
/** Weeks and months of the calendar, unlike `7d`: those before this one, and this one up to now. */
const calendar: readonly string[] = ['last week', 'last month', 'this week', 'this month']
export const [lastWeek = '', lastMonth = '', thisWeek = '', thisMonth = ''] = calendar
const said = {
  ...synonyms('1d', 'today', '오늘'),
  ...synonyms(lastWeek, lastWeek, '지난주', '지난 주', '저번주'),
  ...synonyms(lastMonth, lastMonth, '지난달', '지난 달', '저번달'),
  ...synonyms(thisWeek, thisWeek, '이번주', '이번 주'),
  ...synonyms(thisMonth, thisMonth, '이번달', '이번 달'),
}
const spans = { week: '7d', month: usualSpan, ...said } as const
const mostEndpoints = 10

export const savings = defineQuery({
  name: 'savings',
  also: ['절감'],
  hints: 'much would,much did,what did cost,did spend,spent,money,save,saved,아꼈,절약,썼,얼마 아,얼마 절,얼마 썼',
  examples: ['savings', 'savings 7d', 'savings 12w'],
  fields: { over: optional(span()) },
  own: 'savings',
  show: (saved, { values: { over } }) => savingsAnswer(saved, over),
})

/** `over` is a span as typed, up to now, or one of the calendar. */
export function savingsAnswer(saved: Savings, over?: string): QueryAnswer {
  const { total, endpoints, stops, regrets, currency, running } = saved
  const sumText = savingsText(currency)
  const chart = chartOf(saved)
  const days = over !== undefined && calendar.includes(over) ? 0 - calendar.indexOf(over) : daysIn(over)
  // An unseen start counts from its earliest possible time.
  const rows = [
    rowOf('savings.bySchedule', 'schedule'),
    rowOf('savings.byIdle', 'idle', regrets),
    rowOf('savings.byPerson', 'person'),
  ].flat()

  /** A stop from before the time may still save, so a row can have hours without a stop. */
  function rowOf(id: SentenceId, cause: keyof Sums, early = 0): QueryAnswer['items'] {
    const count = stops[cause]
    if (total[cause].hours === 0 && count === 0) return []
    const text = say(id, { sum: sumText(total[cause]) })
    return [{ text, ...(count > 0 && { detail: say('savings.stops', { count, regrets: early }) }) }]
  }

  return {
    title: say('savings.title', {
      days,
      least: isLeast(saved) ? 'yes' : 'no',
      sum: sumText(shownSum([total.schedule, total.idle])),
    }),
    items: [
      ...(running === undefined ? [] : [{ text: say('savings.running', { money: inCurrency(running, currency) }) }]),
      ...rows,
      ...(rows.length === 0 ? [{ text: say('savings.none') }] : []),
      ...periodItems(saved),
      ...endpoints.slice(0, mostEndpoints).map(({ name, sums }) => ({
        text: name,
        strong: true as const,
        detail: ownText(sums, currency),
      })),
      ...notesOn(saved),
    ],
    foot: say('savings.counted'),
    ...(chart !== null && { chart }),
  }
}

export function daysIn(over = usualSpan): number {
  return Math.round((spanOf(over) ?? 0) / dayMs)
}

function span(): Field<string> {
  return {
    kind: 'text',
    label: labelled('timeSpan'),
    hint: '30d',
    most: 10,
    // Sentences name it too: "how much did we save last week?"
    also: said,
    span: ([first, second]) => (`${first} ${second}` in spans ? 2 : 1),
    read: (typed) => {
      const word = new Map(Object.entries(spans)).get(typed.toLowerCase()) ?? typed
      if (calendar.includes(word)) return { value: word }
      const ms = /[dw]$/i.test(word) ? spanOf(word.toLowerCase()) : null
      if (ms === null || ms === 0) return { wrong: say('savings.span', { field: labelled('timeSpan'), word }) }
      return ms <= historyLife
        ? { value: word.toLowerCase() }
        : { wrong: say('field.farBack', { field: labelled('timeSpan') }) }
    },
  }
}

function ownText(sums: Sums, currency: string): Words {
  const sumText = savingsText(currency)
  const rules = shownSum([sums.schedule, sums.idle])
  const who = rules.hours === 0 ? 'people' : sums.person.hours === 0 ? 'rules' : 'both'
  return say('savings.own', { who, rules: sumText(rules), people: sumText(sums.person) })
}

function notesOn({ endpoints, total, unseen, cut }: Savings): QueryAnswer['items'] {
  const unpriced = total.schedule.unpriced + total.idle.unpriced + total.person.unpriced
  const rest = endpoints.length - mostEndpoints
  const notes = [
    rest > 0 && { text: say('savings.moreEndpoints', { count: rest }) },
    unpriced > 0 && {
      text: say('savings.unpriced', { hours: replicaHoursText(unpriced) }),
      detail: say('savings.unpricedWhy'),
    },
    unseen > 0 && { text: say('savings.unseen', { count: unseen }), detail: say('savings.unseenWhy') },
    cut === true && { text: say('savings.cut') },
  ]
  return notes.filter((note) => note !== false)
}

/** Lists the hours of each day or week in one row, for people who can't see the chart. */
function periodItems(saved: Savings): QueryAnswer['items'] {
  const { by, periods } = periodsOf(saved)
  const texts = periods
    .map(({ label, hours }) => [label, causes.reduce((sum, cause) => sum + hours[cause], 0)] as const)
    .flatMap(([label, sum]) => (sum === 0 ? [] : ['·', say('savings.period', { label, hours: hoursText(sum) })]))
    .slice(1)
  if (texts.length === 0) return []
  return [{ text: say('savings.periods', { by }), detail: texts }]
}
