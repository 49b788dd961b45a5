import { defineFamily } from './define.ts'

/** NVIDIA NIM, at /v1/metrics. Its names have no prefix, so three are needed. Not `num_request_max`, a limit. */
export const nim = defineFamily({
  title: 'NIM',
  open: ['num_requests_running', 'num_requests_waiting'],
  requests: ['request_finish'],
  work: [
    'prompt_tokens',
    'generation_tokens',
    'e2e_request_latency_seconds_count',
    'time_to_first_token_seconds_count',
  ],
  least: 3,
  logs: true,
})
