import { context, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildProduct, type Child, startChild } from '../support/child.ts'
import { asks, presses } from '../support/ops.ts'
import { startTown, type Town } from '../support/town.ts'

async function begin(roles?: readonly 'bot'[]): Promise<Town> {
  const town = await startTown(roles === undefined ? {} : { roles: [] })
  onTestFinished(() => town.stop())
  return town
}

describe('With an SDK in the process,', () => {
  const exporter = new InMemorySpanExporter()

  beforeEach(() => {
    exporter.reset()
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
  })
  afterEach(() => {
    trace.disable()
    context.disable()
  })

  const called = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name)
  const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId
  const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId

  test('a command, its jobs, its calls and its messages form one trace', async () => {
    const town = await begin()
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'start my-tts', 'Started my-tts; it’s serving.')
    // A job's span ends only after the job has let its request go.
    await expect.poll(() => called('request start').at(-1)?.attributes).toMatchObject({ status: 'succeeded' })
    const [command, ...others] = called('command start')
    expect(others).toEqual([])
    expect(command?.parentSpanContext).toBeUndefined()
    const jobs = called('request start')
    for (const job of jobs) expect(job.parentSpanContext).toMatchObject({ spanId: idOf(command), isRemote: true })
    expect(jobs.at(-1)?.attributes).toMatchObject({ verb: 'start', kind: 'operation', status: 'succeeded' })
    const [call] = called('POST /endpoints/{endpoint_id}/start')
    expect(call?.attributes).toMatchObject({ method: 'POST', endpoint: 'ep-tts', outcome: 'answered' })
    const messages = [...called('slack post'), ...called('slack edit')]
    expect(messages).not.toEqual([])
    for (const one of [call, ...messages]) {
      expect(jobs.map(idOf)).toContain(one && parentOf(one))
      expect(one?.spanContext().traceId).toBe(command?.spanContext().traceId)
    }
    // A worker's own rounds begin no traces.
    expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId)).size).toBe(1)
  })

  test('an answer is linked to the job that takes it up, without typed words or names', async () => {
    const town = await begin()
    town.platform.faults.add('stopEndpoint', {
      kind: 'answer',
      status: 400,
      body: { message: 'The words of a stranger.' },
    })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm because="of my own"')
    await presses(ana, 'Stop my-llm', 'The words of a stranger.')
    await town.calm()
    await expect.poll(() => called('review').length).toBe(1)
    const [answer] = called('answer')
    const links = called('review').flatMap((job) => job.links.map((link) => link.context.spanId))
    expect(links).toEqual([idOf(answer)])
    expect(called('POST /endpoints/{endpoint_id}/stop').map(({ attributes }) => attributes)).toMatchObject([
      { outcome: 'refused', status: 400 },
    ])
    const told = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => JSON.stringify({ name, attributes, events, status }))
      .join()
    for (const secret of ['of my own', 'my-llm', 'ana', 'U0ANA', 'stranger', town.platform.apiKey, town.slack.botToken])
      expect(told).not.toContain(secret)
  })
})

describe('With an SDK loaded before the product,', () => {
  beforeAll(buildProduct)

  interface Span {
    readonly span: string
    readonly traceId: string
    readonly spanId: string
    readonly parent?: string
  }

  function spansOf(child: Child): readonly Span[] {
    const lines = child
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{"span"'))
    return lines.map((line): Span => JSON.parse(line))
  }

  test('bot and worker share a trace and work with a worker that has no SDK', async () => {
    const town = await begin([])
    const collector = new URL('../support/collector.mjs', import.meta.url).href
    const env = { NODE_OPTIONS: `--import ${collector}` }
    const bot = await startChild(town, 'bot', env)
    onTestFinished(() => bot.stop())
    const plain = await startChild(town, 'worker')
    onTestFinished(() => plain.stop())
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'start my-tts', 'Started my-tts; it’s serving.')
    expect(spansOf(plain)).toEqual([])
    await plain.stop()
    const worker = await startChild(town, 'worker', env)
    onTestFinished(() => worker.stop())
    await ana.types('ops', '/endpoint status my-tts')
    await expect.poll(() => spansOf(worker).map(({ span }) => span)).toContain('request status')
    const command = spansOf(bot).find(({ span }) => span === 'command status')
    const job = spansOf(worker).find(({ span }) => span === 'request status')
    expect(job).toMatchObject({ traceId: command?.traceId, parent: command?.spanId })
    expect(spansOf(worker).map(({ span }) => span)).toEqual(
      expect.arrayContaining(['GET /endpoints/{endpoint_id}', 'slack post']),
    )
  })
})
