import type { Sum } from '../domain/savings.ts'

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
export function moneyText(money: number, currency: string): string {
  const digits = money < 1_000 ? 2 : 0
  const shown = money.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${shown} ${currency}`
}

/** "31 replica-hours, 23.25 USD"; where no hour has a price, the hours alone. */
export function sumText(currency: string): (sum: Sum) => string {
  return ({ hours, money, unpriced }) =>
    hours === unpriced ? replicaHoursText(hours) : `${replicaHoursText(hours)}, ${moneyText(money, currency)}`
}
