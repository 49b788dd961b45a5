import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { expect, onTestFinished, test } from 'vitest'
import { traced, tracedCall } from '../../../src/core/ports/traces.ts'

function collecting(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
  onTestFinished(() => {
    trace.disable()
    context.disable()
  })
  return exporter
}

const nothing = { attributes: {} }

test('without an SDK the work runs and there is no trace to store', async () => {
  expect(await traced('work', nothing, async (_, stored) => [stored])).toEqual([undefined])
  await expect(traced('work', nothing, () => Promise.reject(new TypeError('No.')))).rejects.toThrow('No.')
})

test('a stored trace continues, and an unreadable one is replaced by a new trace', async () => {
  const exporter = collecting()
  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  const first = await traced('work', { ...nothing, after: `00-${id}-00f067aa0ba902b7-01` }, async (_, stored) => stored)
  expect(first).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`))
  for (const after of ['', 'x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `00-${id}-00f067aa0ba902b7`])
    expect(await traced('work', { ...nothing, after }, async (_, stored) => stored)).toMatch(/^00-(?!4bf9)/)
  expect(exporter.getFinishedSpans()).toHaveLength(5)
})

test('a call outside a trace starts none, and a failure records only its error type', async () => {
  const exporter = collecting()
  await tracedCall('call', {}, async () => undefined)
  expect(exporter.getFinishedSpans()).toEqual([])
  const failing = tracedCall.bind(undefined, 'call', {}, () => Promise.reject(new TypeError('as typed')))
  await expect(traced('work', nothing, failing)).rejects.toThrow('as typed')
  expect(exporter.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events }))).toEqual([
    { name: 'call', attributes: { 'error.type': 'TypeError' }, events: [] },
    { name: 'work', attributes: { 'error.type': 'TypeError' }, events: [] },
  ])
})
