import { causes, type Picture, type Savings, type Sum } from '../../core/model/answer.ts'
import { type Day, dateText, weekdayNames, weekdayOf } from '../../core/time/calendar.ts'
import { automaticIn } from './compute.ts'

/** "31 h", "1.5 h", "0 h": hours for people, never more than there are. */
export function hoursText(hours: number): string {
  const shown = hours < 10 ? Math.floor(hours * 10 + 1e-6) / 10 : Math.floor(hours + 1e-6)
  return `${shown.toLocaleString('en')} h`
}

/** "31 replica-hours": two replicas that are down for an hour are two. */
export function replicaHoursText(hours: number): string {
  const shown = hoursText(hours).replace(' h', '')
  return `${shown} ${shown === '1' ? 'replica-hour' : 'replica-hours'}`
}

/** "23.25 USD"; large amounts without their cents. */
function moneyText(money: number, currency: string): string {
  const digits = money < 1_000 ? 2 : 0
  const shown = money.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${shown} ${currency}`
}

/** "31 replica-hours, 23.25 USD"; where no hour has a price, the hours alone. */
export function sumText(currency: string): (sum: Sum) => string {
  return ({ hours, money, unpriced }) =>
    hours === unpriced ? replicaHoursText(hours) : `${replicaHoursText(hours)}, ${moneyText(money, currency)}`
}

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
