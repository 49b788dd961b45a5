import { backtestWords } from '../domain/backtest.ts'
import type { Change } from '../domain/records.ts'
import type { House } from './ports.ts'
import { pricesNow } from './prices.ts'

/** What a change of the idle watch would have done lately, as far as anybody looked; empty for any other change. */
export async function hindsight(house: House, { put = [] }: Change): Promise<string> {
  const rule = put.find(({ kind }) => kind === 'idle')
  if (rule?.kind !== 'idle' || rule.mode === 'off') return ''
  const [watched, listed] = await Promise.all([house.store.watchedOf(rule.endpoint), house.store.names()])
  const { segments = [] } = watched ?? {}
  const prices = await pricesNow(house)
  const gpu = listed?.endpoints.find(({ id }) => id === rule.endpoint)?.gpu ?? ''
  return backtestWords(segments, rule, house.clock.now(), {
    replicas: Math.max(1, segments.at(-1)?.evidence.replicas ?? 1),
    perHour: prices.perHour.get(gpu),
    currency: prices.currency,
  })
}
