import { logTime, metric, quoted, started } from './exposition.ts'
import type { Server } from './server.ts'

/** llama.cpp’s server, which counts no requests. */
export const llamacpp: Server = {
  path: '/metrics',
  float: false,
  work: '/completion',
  metrics: ({ running, waiting, finished }) => [
    metric('counter', 'llamacpp:prompt_tokens_total', 'Tokens read.', finished * 120),
    metric('counter', 'llamacpp:tokens_predicted_total', 'Tokens written.', finished * 80),
    metric('counter', 'llamacpp:n_decode_total', 'Calls to decode.', finished * 81),
    metric('counter', 'llamacpp:n_tokens_max', 'The most tokens there were.', finished > 0 ? 2048 : 0),
    metric('gauge', 'llamacpp:predicted_tokens_seconds', 'Tokens a second, on average.', finished > 0 ? 83.2 : 0),
    metric('gauge', 'llamacpp:requests_processing', 'Requests being worked on.', running),
    metric('gauge', 'llamacpp:requests_deferred', 'Requests put off.', waiting),
  ],
  access: (method, path, status) => `srv  log_server_r: request: ${method} ${path} 127.0.0.1 ${status}`,
  writesScrapes: false,
}

/** Triton, which logs no requests. */
export const triton: Server = {
  path: '/metrics',
  float: false,
  work: '/v2/models/model/infer',
  metrics: ({ model, waiting, finished }) => {
    const labels = `model=${quoted(model)},version="1"`
    return [
      metric('counter', 'nv_inference_request_success', 'Requests that ended well.', finished, labels),
      metric('counter', 'nv_inference_count', 'Inferences.', finished, labels),
      metric('counter', 'nv_inference_exec_count', 'Batches.', finished, labels),
      metric('gauge', 'nv_inference_pending_request_count', 'Requests in the queue.', waiting, labels),
      metric('gauge', 'nv_gpu_utilization', 'How busy the GPU is.', 1, 'gpu_uuid="GPU-1"'),
    ]
  },
  access: () => null,
  writesScrapes: false,
}

/** Ray Serve, whose counters include reads of the metrics. */
export const ray: Server = {
  path: '/metrics',
  float: true,
  work: '/chat',
  metrics: ({ running, waiting, finished, scrapes, processAt }) => {
    const app = 'application="app",deployment="Chat"'
    const route = (path: string, method: string) => `method="${method}",route="${path}",status_code="200"`
    return [
      metric('gauge', 'ray_serve_num_ongoing_http_requests', 'Requests being answered.', running, 'NodeId="a1"'),
      metric('gauge', 'ray_serve_deployment_queued_queries', 'Requests in the queue.', waiting, app),
      {
        ...metric('counter', 'ray_serve_num_http_requests_total', 'Requests.', finished, route('/chat', 'POST')),
        series: [
          [route('/chat', 'POST'), finished],
          [route('/metrics', 'GET'), scrapes],
        ],
      },
      metric('counter', 'ray_serve_deployment_request_counter_total', 'Requests.', finished, `${app},route="/chat"`),
      started(processAt),
    ]
  },
  access: (method, path, status, at) => `INFO ${logTime(at)},000 app_Chat a1b2c3 -- ${method} ${path} ${status} 12.3ms`,
  writesScrapes: true,
}
