import { defineQuery } from '../../core/commands/define.ts'
import { type Field, optional } from '../../core/commands/fields.ts'
import { causes, type Savings, type Sums } from '../../core/model/answer.ts'
import { remembered } from '../../core/model/past.ts'
import { weekdayOf } from '../../core/time/calendar.ts'
import { spanOf } from '../../core/time/format.ts'
import { automaticIn } from './compute.ts'
import { fewDays, hoursText, labelOf, pictureOf, replicaHoursText, sumText } from './format.ts'

/** How far back it looks when nobody says. */
export const usualSpan = '30d'
const mostEndpoints = 10
const dayMs = 86_400_000

export const savings = defineQuery({
  name: 'savings',
  summary: 'Show the hours and the money that stops have saved.',
  examples: ['savings', 'savings 7d', 'savings 12w'],
  fields: { over: optional(span()) },
  own: 'savings',
  show: (saved, { values: { over = usualSpan } }) => {
    const { total, endpoints, stops, regrets, currency } = saved
    const told = sumText(currency)
    const picture = pictureOf(saved)
    const automatic = automaticIn(total)
    // A start that nobody saw counts as soon as it may have been.
    const least = saved.unseen > 0 ? 'at least ' : ''
    const sorry =
      regrets === 0
        ? ''
        : `, ${regrets} of them regretted: a person started it again within the hour; what they saved until then counts`
    const rows = [
      rowOf('By schedules', 'schedule'),
      rowOf('By the idle watch', 'idle', sorry),
      rowOf('Apart from that, by people', 'person'),
    ].flat()

    function rowOf(text: string, cause: keyof Sums, more = '') {
      if (total[cause].hours === 0 && stops[cause] === 0) return []
      return [{ text: `${text}: ${told(total[cause])}`, detail: `${stopsText(stops[cause])}${more}` }]
    }

    return {
      title: `Saved by schedules and the idle watch ${lengthText(over)}: ${least}${told(automatic)}`,
      items: [
        ...rows,
        ...(rows.length === 0 ? [{ text: 'Nothing was stopped in this time.' }] : []),
        ...daysText(saved),
        ...endpoints.slice(0, mostEndpoints).map(({ name, sums }) => ({ text: name, detail: ownText(sums, currency) })),
        ...notesOn(saved),
      ],
      foot: 'A stop counts until the next start, at most 7 days, times its replicas, rounded down to 10 minutes.',
      ...(picture !== null && { picture }),
    }
  },
})

/** Days or weeks, as far back as anything is remembered. */
function span(): Field<string> {
  return {
    kind: 'text',
    label: 'Time',
    hint: '<30d>',
    most: 10,
    optional: false,
    read: (word) => {
      const ms = /[dw]$/i.test(word) ? spanOf(word.toLowerCase()) : null
      if (ms === null || ms === 0)
        return { wrong: `Time is a number of days or weeks such as 7d or 4w, not “${word}”.` }
      return ms <= remembered ? { value: word.toLowerCase() } : { wrong: 'Savings reach back 90 days at most.' }
    },
  }
}

/** "in the last 7 days", "today": what was asked for as a word of days or weeks. */
function lengthText(over: string): string {
  const days = Math.round((spanOf(over) ?? 0) / dayMs)
  return days === 1 ? 'today' : `in the last ${days} days`
}

function ownText(sums: Sums, currency: string): string {
  const told = sumText(currency)
  const parts = [
    [automaticIn(sums), 'stopped by rules'],
    [sums.person, 'stopped by people'],
  ] as const
  return parts.flatMap(([sum, by]) => (sum.hours === 0 ? [] : [`${told(sum)} ${by}`])).join(' · ')
}

function stopsText(count: number): string {
  return count === 1 ? '1 stop' : `${count.toLocaleString('en')} stops`
}

/** What the numbers leave out. */
function notesOn({
  endpoints,
  total,
  unseen,
}: Savings): readonly { readonly text: string; readonly detail?: string }[] {
  const unpriced = total.schedule.unpriced + total.idle.unpriced + total.person.unpriced
  const rest = endpoints.length - mostEndpoints
  return [
    ...(rest > 0 ? [{ text: `and ${rest} more ${rest === 1 ? 'endpoint' : 'endpoints'}` }] : []),
    ...(unpriced > 0
      ? [
          {
            text: `${replicaHoursText(unpriced)} have no price`,
            detail:
              'They count in hours only. Prices come from lamplighter.yaml or the platform’s list; what is reserved has none, since it costs the same when it is stopped.',
          },
        ]
      : []),
    ...(unseen > 0
      ? [
          {
            text: `${stopsText(unseen)} may have saved more`,
            detail:
              'Nobody here saw when the endpoint was started again, so only the time it was certainly stopped counts.',
          },
        ]
      : []),
  ]
}

/** The hours of each day, or of each week where there are many, in one row: what the picture shows, for whoever reads. */
function daysText({ days }: Savings): readonly { readonly text: string; readonly detail: string }[] {
  const isFew = days.length <= fewDays
  const sums = new Map<number, number>()
  for (const { day, hours } of days) {
    const sum = causes.reduce((all, cause) => all + hours[cause], 0)
    const first = isFew ? day : day - weekdayOf(day)
    if (sum > 0) sums.set(first, (sums.get(first) ?? 0) + sum)
  }
  if (sums.size === 0) return []
  const told = [...sums].map(([day, sum]) => `${labelOf(day, days.length)}: ${hoursText(sum)}`)
  return [
    {
      text: isFew
        ? 'Replica-hours by day, stops of people included'
        : 'Replica-hours by week, from its Monday, stops of people included',
      detail: told.join(' · '),
    },
  ]
}
