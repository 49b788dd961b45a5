import type { Reading } from './meter.ts'

/** Metrics as a vLLM server shows them, in the Prometheus text format. `startedAt` in ms since 1970. */
export function exposition(model: string, reading: Reading, startedAt: number): string {
  const name = model.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  const labels = `engine="0",model_name="${name}"`
  const { running, waiting, finished } = reading
  return [
    ...family('vllm:num_requests_running', 'gauge', 'Requests being executed.', `{${labels}} ${running}.0`),
    ...family('vllm:num_requests_waiting', 'gauge', 'Requests in the queue.', `{${labels}} ${waiting}.0`),
    ...family(
      'vllm:request_success',
      'counter',
      'Requests that ended well.',
      `_total{${labels},finished_reason="stop"} ${finished}.0`,
    ),
    ...family('vllm:prompt_tokens', 'counter', 'Tokens read.', `_total{${labels}} ${finished * 120}.0`),
    ...family('vllm:generation_tokens', 'counter', 'Tokens written.', `_total{${labels}} ${finished * 80}.0`),
    ...family('process_start_time_seconds', 'gauge', 'When the process started.', ` ${startedAt / 1000}`),
    '',
  ].join('\n')
}

function family(name: string, type: 'gauge' | 'counter', help: string, sample: string): string[] {
  const shown = type === 'counter' ? `${name}_total` : name
  return [`# HELP ${shown} ${help}`, `# TYPE ${shown} ${type}`, `${name}${sample}`]
}
