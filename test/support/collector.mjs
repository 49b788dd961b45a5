// An OpenTelemetry SDK, loaded with --import as operators do. It writes each span as a line of JSON.
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext()
      const line = { span: span.name, traceId, spanId, parent: span.parentSpanContext?.spanId }
      process.stdout.write(`${JSON.stringify(line)}\n`)
    }
    done({ code: 0 })
  },
  shutdown: async () => undefined,
}
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
