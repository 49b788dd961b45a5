import { weekdayOf } from '../domain/civil.ts'
import { causes, type Savings } from '../domain/savings.ts'
import { fewDays, labelOf } from './savings-picture.ts'
import { hoursText } from './sums.ts'

/** The hours of each day, or of each week where there are many, in one row: what the picture shows, for whoever reads. */
export function daysText({ days }: Savings): readonly { readonly text: string; readonly detail: string }[] {
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
