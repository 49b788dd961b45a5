import { defineFamily } from './define.ts'

/** Text Embeddings Inference, by core/src/infer.rs and queue.rs. Its gauge counts waiting requests only. */
export const tei = defineFamily({
  title: 'TEI',
  prefix: 'te',
  open: ['queue_size'],
  requests: ['request_count'],
  work: [
    'request_success',
    'request_failure',
    'embed_count',
    'embed_success',
    'predict_count',
    'predict_success',
    'embed_duration_count',
    'batch_next_size_count',
  ],
  lazy: true,
  logs: true,
})
