import { type Metric, metric } from './exposition.ts'
import type { Server } from './server.ts'

/** Text Generation Inference, which exposes its counters only after the first request. */
export const tgi: Server = {
  path: '/metrics',
  float: false,
  work: '/generate',
  metrics: ({ running, waiting, finished }) => [
    metric('gauge', 'tgi_batch_current_size', 'Requests in the batch.', running),
    metric('gauge', 'tgi_queue_size', 'Requests in the queue.', waiting),
    ...onceUsed(finished, [
      metric('counter', 'tgi_request_count', 'Requests.', finished),
      metric('counter', 'tgi_request_success', 'Requests that ended well.', finished),
      metric('counter', 'tgi_batch_inference_count', 'Batches.', finished * 80, 'method="decode"'),
      metric('histogram', 'tgi_request_duration', 'Seconds of a request.', finished),
    ]),
  ],
  access: (_, path, status, at) =>
    `${new Date(at).toISOString()}  INFO ${path.slice(1)}{total_time="812ms"}: text_generation_router::server: ${status === 200 ? 'Success' : status}`,
  writesScrapes: false,
}

/** Text Embeddings Inference, which exposes the requests that wait but not those that run. */
export const tei: Server = {
  path: '/metrics',
  float: false,
  work: '/embed',
  metrics: ({ waiting, finished }) => [
    metric('gauge', 'te_queue_size', 'Requests in the queue.', waiting),
    ...onceUsed(finished, [
      metric('counter', 'te_request_count', 'Requests.', finished, 'method="single"'),
      metric('counter', 'te_request_success', 'Requests that ended well.', finished, 'method="single"'),
      metric('counter', 'te_embed_count', 'Texts.', finished),
      metric('histogram', 'te_embed_duration', 'Seconds of a text.', finished),
    ]),
  ],
  access: (_, path, status, at) =>
    `${new Date(at).toISOString()}  INFO ${path.slice(1)}{total_time="4ms"}: text_embeddings_router::http::server: ${status === 200 ? 'Success' : status}`,
  writesScrapes: false,
}

function onceUsed(finished: number, metrics: readonly Metric[]): readonly Metric[] {
  return finished > 0 ? metrics : []
}
