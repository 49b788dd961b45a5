import { type Day, dateText, weekdayNames, weekdayOf } from '../domain/civil.ts'
import type { Picture } from '../domain/picture.ts'
import { automaticIn, causes, type Savings } from '../domain/savings.ts'
import { hoursText, moneyText } from './sums.ts'

const named = { schedule: 'schedules', idle: 'idle watch', person: 'people' } as const
/** Fewer days are told by their weekday as well. */
export const fewDays = 14

/** A bar for each day; null where there is nothing to be seen. */
export function pictureOf({ total, days, zone, currency }: Savings): Picture | null {
  const all = causes.reduce((sum, cause) => sum + total[cause].hours, 0)
  if (all === 0) return null
  const { hours, money, unpriced } = automaticIn(total)
  const worth = hours === unpriced ? '' : ` · ${moneyText(money, currency)}`
  const bars = days.map(({ day, hours: of }) => ({
    label: labelOf(day, days.length),
    values: causes.map((cause) => of[cause]),
  }))
  const parts = causes.map((cause) => `${named[cause]} ${hoursText(total[cause].hours)}`)
  const told = days
    .map(
      ({ hours: of }, at) =>
        [labelOf(days[at]?.day ?? 0, 0), causes.reduce((sum, cause) => sum + of[cause], 0)] as const,
    )
    .flatMap(([label, sum]) => (sum === 0 ? [] : [`${label} ${hoursText(sum)}`]))
  return {
    name: 'savings.png',
    title: 'Hours of replicas saved each day',
    says: `${hoursText(hours)} by schedules and the idle watch${worth} · days in ${zone}`,
    alt: `Hours of replicas saved each day. In all: ${parts.join(', ')}. By day: ${told.join(', ')}; on other days nothing.`,
    unit: 'h',
    parts,
    bars,
  }
}

/** "Mon 16", or "16 Nov" where there are many (`count`; 0: also then). */
export function labelOf(day: Day, count: number): string {
  const [, month = '', date = ''] = dateText(day).split('-')
  const name = months[Number(month) - 1] ?? ''
  const weekday = weekdayNames[weekdayOf(day)] ?? ''
  const shown = `${Number(date)} ${name}`
  return count > fewDays || count === 0
    ? shown
    : `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${Number(date)}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
