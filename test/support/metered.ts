import { expect } from 'vitest'
import { readExposition } from '../../src/adapters/metrics/exposition.ts'
import type { startOps } from '../../src/ops/metrics.ts'

export type Ops = Awaited<ReturnType<typeof startOps>>

interface Measured {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Returns our own series of /metrics as Prometheus parses them, without the prefix of their names. */
export async function metricsOf({ port }: Pick<Ops, 'port'>): Promise<readonly Measured[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  const page = readExposition(await answer.text(), (name) => name.startsWith('lamplighter_'))
  expect([answer.status, page]).toEqual([200, expect.anything()])
  return (page?.series ?? []).map(({ name, labels, value }) => ({
    name: name.replace('lamplighter_', ''),
    labels: Object.fromEntries(labels),
    value,
  }))
}

/** Returns the value of the only series with these labels, whatever its other labels; undefined if there is none. */
export function measuredAs(
  series: readonly Measured[],
  name: string,
  labels: Measured['labels'] = {},
): number | undefined {
  const wanted = Object.entries(labels)
  const found = series.filter((one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value))
  expect(found.length).toBeLessThan(2)
  return found[0]?.value
}
