import { defineFamily } from './define.ts'

/** Text Generation Inference, by its docs/source/reference/metrics.md: no `_total`, and no counters before the first use. */
export const tgi = defineFamily({
  title: 'TGI',
  prefix: 'tgi',
  open: ['batch_current_size', 'queue_size'],
  requests: ['request_count'],
  work: ['request_success', 'request_failure', 'batch_inference_count', 'request_duration_count'],
  lazy: true,
  logs: true,
})
