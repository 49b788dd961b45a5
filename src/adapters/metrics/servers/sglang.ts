import { defineFamily } from './define.ts'

/** SGLang with --enable-metrics; by srt/metrics/collector.py. `gen_throughput` is left out: it keeps its last value. */
export const sglang = defineFamily({
  title: 'SGLang',
  prefix: 'sglang',
  open: [
    'num_running_reqs',
    'num_queue_reqs',
    'num_grammar_queue_reqs',
    // A server with prefill and decode on different machines.
    'num_prefill_prealloc_queue_reqs',
    'num_prefill_inflight_queue_reqs',
    'num_decode_prealloc_queue_reqs',
    'num_decode_transfer_queue_reqs',
    'diffusion_num_queue_reqs',
  ],
  requests: ['num_requests'],
  work: ['prompt_tokens', 'generation_tokens', 'num_aborted_requests', 'e2e_request_latency_seconds_count'],
  logs: true,
})
