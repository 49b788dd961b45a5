import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { createMetrics } from '../../src/ops/metrics.ts'
import { english } from '../../src/words/english.ts'
import { projectRoot } from '../support/pages.ts'

const read = (name: string) => readFile(join(projectRoot, 'docs', name), 'utf8')

/** Our metrics by name, with their labels and types. */
const known = new Map(
  createMetrics()
    .registry.getMetricsAsArray()
    .map((metric) => [metric.name, z.object({ labelNames: z.array(z.string()), type: z.string() }).parse(metric)]),
)
const ours = [...known.keys()].filter((name) => name.startsWith('lamplighter_'))

/** Returns the metrics of a query that don't exist, and the labels that its metrics don't have. */
function missingIn(query: string): readonly string[] {
  const names = [...query.matchAll(/\b(?:lamplighter|nodejs|process)_\w+/g)].map(([name]) => baseOf(name))
  const labels = names.flatMap((name) => known.get(name)?.labelNames ?? [])
  const used = [...query.matchAll(/(\w+)=~?"|\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, label, list]) =>
    label === undefined ? (list ?? '').split(/,\s*/) : [label],
  )
  const everywhere = ['le', 'instance', 'job']
  return [
    ...names.filter((name) => !known.has(name)),
    ...used.filter((label) => !labels.includes(label) && !everywhere.includes(label)),
    ...(names.length === 0 ? [query] : []),
  ]
}

/** A histogram has series with three suffixes. */
function baseOf(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, '')
  return known.get(base)?.type === 'histogram' ? base : name
}

const alerts = z.object({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
})

async function rules() {
  return alerts.parse(parse(await read('alerts.yaml'))).groups.flatMap((group) => group.rules)
}

test('every metric and label of the alert rules exists', async () => {
  const found = await rules()
  expect(found.flatMap(({ expr }) => missingIn(expr))).toEqual([])
  const shown = found.flatMap(({ annotations, expr }) =>
    [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].filter(([, label = '']) => !expr.includes(label)),
  )
  expect(shown).toEqual([])
})

const target = z.object({ expr: z.string(), legendFormat: z.string(), refId: z.string() })
const panel = z.object({
  id: z.number(),
  title: z.string().min(1),
  type: z.enum(['stat', 'state-timeline', 'timeseries']),
  datasource: z.object({ type: z.literal('prometheus'), uid: z.literal('$' + '{datasource}') }),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(target).min(1),
})
const dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.number(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
  panels: z.array(panel),
})

test('every metric and label of the dashboard exists, and its panels do not overlap', async () => {
  const { panels, templating } = dashboard.parse(JSON.parse(await read('grafana.json')))
  const targets = panels.flatMap((one) => one.targets)
  expect(targets.flatMap(({ expr }) => missingIn(expr))).toEqual([])
  const variables = new Set(templating.list.map(({ name }) => name))
  const named = targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name))
  expect(named.filter((name) => !variables.has(name))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  const shown = new Set(targets.flatMap(({ expr }) => (expr.match(/lamplighter_\w+/g) ?? []).map(baseOf)))
  expect(ours.filter((name) => !shown.has(name))).toEqual([])
})

test('docs/troubleshooting.md says what to look at for every alert', async () => {
  const [, section = ''] = (await read('troubleshooting.md')).split('\n## When an alert fires\n')
  const told = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  expect(told.toSorted()).toEqual((await rules()).map(({ alert }) => alert).toSorted())
})

test('docs/operate.md lists every metric with its labels, every alert rule and every check', async () => {
  const text = await read('operate.md')
  const rows = [...text.matchAll(/^\| `(lamplighter_\w+)` \| ([\w, ]+) \|.*\| ([^|]*)\|$/gm)]
  const told = rows.map(([, name = '', labels = '']) => [name, labels.split(', ')])
  expect(new Map(told as [string, string[]][])).toEqual(
    new Map(ours.map((name) => [name, known.get(name)?.labelNames])),
  )
  const alertsTold = rows.flatMap(([, name = '', , alerts = '']) =>
    [...alerts.matchAll(/`(\w+)`/g)].map(([, alert = '']) => ({ alert, name })),
  )
  const found = await rules()
  expect(found.map(({ alert }) => alert).toSorted()).toEqual(alertsTold.map(({ alert }) => alert).toSorted())
  for (const { alert, name } of alertsTold) expect(found.find((rule) => rule.alert === alert)?.expr).toContain(name)
  const [, table = ''] = text.split('| check | fails when |')
  const checks = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  const own = Object.keys(english).flatMap((id) => (id.startsWith('check.') ? [id.replace('check.', '')] : []))
  // Others never fail or have their own metric; `slack` and `workers` are only in /readyz.
  const others = ['freeze', 'prices', 'queue', 'lockdown']
  expect(checks.toSorted()).toEqual(['slack', 'workers', ...own.filter((id) => !others.includes(id))].toSorted())
})
