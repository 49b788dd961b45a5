import { backtestWords } from '../domain/backtest.ts'
import type { Change } from '../domain/records.ts'
import type { House } from './ports.ts'

/** What a change of the idle watch would have done lately, as far as anybody looked; empty for any other change. */
export async function hindsight(house: House, { put = [] }: Change): Promise<string> {
  const rule = put.find(({ kind }) => kind === 'idle')
  if (rule?.kind !== 'idle' || rule.mode === 'off') return ''
  const watched = await house.store.watchedOf(rule.endpoint)
  return backtestWords(watched?.segments ?? [], rule.after, house.clock.now())
}
