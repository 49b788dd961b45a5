import { defineFamily } from './define.ts'

/**
 * vLLM, by vllm/v1/metrics/loggers.py. Left out: the gauges of the cache, which keep their last values, and the HTTP
 * counters, since its own are exact.
 */
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
