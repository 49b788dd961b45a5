import { defineFamily } from './define.ts'

/**
 * Triton, by docs/user_guide/metrics.md. Its metrics have port 8002 to themselves, so they are seen only where that is
 * the endpoint's port. It shows what waits, never what runs, and utilisation of a GPU proves nothing.
 */
export const triton = defineFamily({
  title: 'Triton',
  prefix: 'nv',
  open: ['inference_pending_request_count'],
  requests: ['inference_request_success'],
  work: ['inference_request_failure', 'inference_count', 'inference_exec_count', 'inference_request_duration_us'],
})
