import { defineFamily } from './define.ts'

/**
 * Triton, by docs/user_guide/metrics.md; on port 8002, so only seen if that is the endpoint's. Its gauge counts waiting
 * requests only. Left out: GPU utilisation, which proves nothing.
 */
export const triton = defineFamily({
  title: 'Triton',
  prefix: 'nv',
  open: ['inference_pending_request_count'],
  requests: ['inference_request_success'],
  work: ['inference_request_failure', 'inference_count', 'inference_exec_count', 'inference_request_duration_us'],
})
