import { defineQuery } from '../../core/commands/define.ts'
import { type Field, labelled, optional } from '../../core/commands/fields.ts'
import { causes, type QueryAnswer, type Savings, type Sums } from '../../core/model/answer.ts'
import { historyLife } from '../../core/model/request.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { spanOf } from '../../core/time/format.ts'
import { automaticIn } from './compute.ts'
import { chartOf, hoursText, periodsOf, replicaHoursText, savingsText } from './format.ts'

const usualSpan = '30d'
const mostEndpoints = 10

export const savings = defineQuery({
  name: 'savings',
  also: ['절감'],
  examples: ['savings', 'savings 7d', 'savings 12w'],
  fields: { over: optional(span()) },
  own: 'savings',
  show: (saved, { values: { over } }) => savingsAnswer(saved, over),
})

export function savingsAnswer(saved: Savings, over?: string): QueryAnswer {
  const { total, endpoints, stops, regrets, currency } = saved
  const sumText = savingsText(currency)
  const chart = chartOf(saved)
  const days = daysIn(over)
  const span = days === 1 ? 'today' : `in the last ${days} days`
  // A start that nobody saw is counted at its earliest possible time.
  const least = saved.unseen > 0 ? 'at least ' : ''
  const regretText =
    regrets === 0
      ? ''
      : `, ${regrets} of them regretted: a person started it again within the hour; what they saved until then counts`
  const rows = [
    rowOf('By schedules', 'schedule'),
    rowOf('By the idle watch', 'idle', regretText),
    rowOf('Apart from that, by people', 'person'),
  ].flat()

  function rowOf(text: string, cause: keyof Sums, more = '') {
    if (total[cause].hours === 0 && stops[cause] === 0) return []
    return [{ text: `${text}: ${sumText(total[cause])}`, detail: `${stopsText(stops[cause])}${more}` }]
  }

  return {
    title: `Saved by schedules and the idle watch ${span}: ${least}${sumText(automaticIn(total))}`,
    items: [
      ...rows,
      ...(rows.length === 0 ? [{ text: 'Nothing was stopped in this time.' }] : []),
      ...periodItems(saved),
      ...endpoints.slice(0, mostEndpoints).map(({ name, sums }) => ({ text: name, detail: ownText(sums, currency) })),
      ...notesOn(saved),
    ],
    foot: 'A stop counts until the next start, at most 7 days, times its replicas, rounded down to 10 minutes.',
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
    hint: '<30d>',
    most: 10,
    read: (word) => {
      const ms = /[dw]$/i.test(word) ? spanOf(word.toLowerCase()) : null
      if (ms === null || ms === 0)
        return { wrong: `Time is a number of days or weeks such as 7d or 4w, not “${word}”.` }
      return ms <= historyLife ? { value: word.toLowerCase() } : { wrong: 'Savings reach back 90 days at most.' }
    },
  }
}

function ownText(sums: Sums, currency: string): string {
  const sumText = savingsText(currency)
  const parts = [
    [automaticIn(sums), 'stopped by rules'],
    [sums.person, 'stopped by people'],
  ] as const
  return parts.flatMap(([sum, by]) => (sum.hours === 0 ? [] : [`${sumText(sum)} ${by}`])).join(' · ')
}

function stopsText(count: number): string {
  return count === 1 ? '1 stop' : `${count.toLocaleString('en')} stops`
}

function notesOn({ endpoints, total, unseen }: Savings): QueryAnswer['items'] {
  const unpriced = total.schedule.unpriced + total.idle.unpriced + total.person.unpriced
  const rest = endpoints.length - mostEndpoints
  const notes = [
    rest > 0 && { text: `and ${rest} more ${rest === 1 ? 'endpoint' : 'endpoints'}` },
    unpriced > 0 && {
      text: `${replicaHoursText(unpriced)} have no price`,
      detail:
        'They count in hours only. Prices come from lamplighter.yaml or the platform’s list; what is reserved has none, since it costs the same when it is stopped.',
    },
    unseen > 0 && {
      text: `${stopsText(unseen)} may have saved more`,
      detail: 'Nobody here saw when the endpoint was started again, so only the time it was certainly stopped counts.',
    },
  ]
  return notes.filter((note) => note !== false)
}

/** The hours of each day or week in one row, for people who cannot see the chart. */
function periodItems(saved: Savings): QueryAnswer['items'] {
  const { by, periods } = periodsOf(saved)
  const texts = periods
    .map(({ label, hours }) => [label, causes.reduce((sum, cause) => sum + hours[cause], 0)] as const)
    .flatMap(([label, sum]) => (sum === 0 ? [] : [`${label}: ${hoursText(sum)}`]))
  if (texts.length === 0) return []
  const period = by === 'day' ? 'day' : 'week, from its Monday'
  return [{ text: `Replica-hours by ${period}, stops of people included`, detail: texts.join(' · ') }]
}
