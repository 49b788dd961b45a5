import { defineFamily } from './define.ts'

/** vLLM, by vllm/v1/metrics/loggers.py; without its cache's gauges, which keep values, and HTTP. */
export const vllm = defineFamily({
  title: 'vLLM',
  prefix: 'vllm',
  // Engines before V1 could swap requests out.
  open: ['num_requests_running', 'num_requests_waiting', 'num_requests_swapped'],
  requests: ['request_success'],
  work: [
    'prompt_tokens',
    'generation_tokens',
    'num_preemptions',
    'e2e_request_latency_seconds_count',
    'time_to_first_token_seconds_count',
  ],
  logs: true,
})
