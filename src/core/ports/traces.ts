import { type Attributes, context, isSpanContextValid, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** Adds attributes to a span when more is known. */
type Note = (attributes: Attributes) => void

interface Beginning {
  readonly kind?: SpanKind
  readonly attributes: Attributes
  /** The `traceparent` of the trace to continue. */
  readonly after?: string | undefined
  /** The `traceparent` of other traces that led here. */
  readonly because?: readonly (string | undefined)[]
}

/**
 * Runs work as a span and passes it the `traceparent` to store, which later work continues. There is none without an
 * OpenTelemetry SDK, which only the operator can load at the start. Attributes contain no person's name and no secret,
 * and of typed text only the verb and ids.
 */
export function traced<Done>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes, after, because = [] }: Beginning,
  work: (note: Note, traceparent: string | undefined) => Promise<Done>,
): Promise<Done> {
  const parent = contextIn(after)
  const from = parent === undefined ? context.active() : trace.setSpanContext(context.active(), parent)
  const links = because.flatMap((one) => contextIn(one) ?? []).map((other) => ({ context: other }))
  return trace.getTracer('lamplighter').startActiveSpan(name, { kind, attributes, links }, from, async (span) => {
    const own = span.spanContext()
    const text = `00-${own.traceId}-${own.spanId}-${own.traceFlags.toString(16).padStart(2, '0')}`
    try {
      return await work((more) => void span.setAttributes(more), isSpanContextValid(own) ? text : undefined)
    } catch (error) {
      // The message may quote typed text.
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Runs a call to another service as a span of the current trace. Outside a trace it starts none. */
export function tracedCall<Done>(name: string, attributes: Attributes, call: (note: Note) => Promise<Done>) {
  if (trace.getActiveSpan() === undefined) return call(() => undefined)
  return traced(name, { kind: SpanKind.CLIENT, attributes }, call)
}

/** Reads a W3C `traceparent`. */
function contextIn(traceparent = '') {
  const [, traceId = '', spanId = '', flags = ''] = /^00-(\w{32})-(\w{16})-(\w{2})$/.exec(traceparent) ?? []
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(span) ? span : undefined
}
