import { logTime, type Metric, metric, quoted, started } from './exposition.ts'
import type { Server } from './server.ts'

/** What servers behind uvicorn have in common. */
const behindUvicorn = {
  path: '/metrics',
  float: true,
  access: (method: string, path: string, status: number) =>
    `INFO:     127.0.0.1:52020 - "${method} ${path} HTTP/1.1" ${status}${status === 200 ? ' OK' : ''}`,
  writesScrapes: true,
} as const

/** vLLM, which logs the state of its engine at intervals. */
export const vllm: Server = {
  ...behindUvicorn,
  work: '/v1/chat/completions',
  metrics({ model, running, waiting, finished, processAt }) {
    const labels = `engine="0",model_name=${quoted(model)}`
    const ended = `${labels},finished_reason="stop"`
    return [
      metric('gauge', 'vllm:num_requests_running', 'Requests being executed.', running, labels),
      metric('gauge', 'vllm:num_requests_waiting', 'Requests in the queue.', waiting, labels),
      metric('gauge', 'vllm:kv_cache_usage_perc', 'How full the cache is.', finished > 0 ? 0.41 : 0, labels),
      metric('counter', 'vllm:request_success_total', 'Requests that ended well.', finished, ended),
      metric('counter', 'vllm:prompt_tokens_total', 'Tokens read.', finished * 120, labels),
      metric('counter', 'vllm:generation_tokens_total', 'Tokens written.', finished * 80, labels),
      metric('histogram', 'vllm:e2e_request_latency_seconds', 'Seconds of a request.', finished, labels),
      started(processAt),
    ]
  },
  interval: ({ running, waiting }, at) =>
    `INFO ${logTime(at).slice(5)} [loggers.py:116] Engine 000: Avg prompt throughput: ${running * 64}.0 tokens/s, Avg generation throughput: ${running * 43}.0 tokens/s, Running: ${running} reqs, Waiting: ${waiting} reqs, GPU KV cache usage: 3.1%`,
}

/** SGLang. A counter with labels is declared from the start, but has no series until it counts. */
export const sglang: Server = {
  ...behindUvicorn,
  work: '/v1/chat/completions',
  metrics: ({ model, running, waiting, finished, processAt }) => {
    const labels = `model_name=${quoted(model)}`
    const rank = `${labels},tp_rank="0"`
    return [
      metric('gauge', 'sglang:num_running_reqs', 'Running requests.', running, rank),
      metric('gauge', 'sglang:num_queue_reqs', 'Requests in the queue.', waiting, rank),
      metric('gauge', 'sglang:num_grammar_queue_reqs', 'Requests that wait for a grammar.', 0, rank),
      metric('gauge', 'sglang:gen_throughput', 'Tokens a second.', finished > 0 ? 86.5 : 0, rank),
      counted('sglang:prompt_tokens_total', 'Tokens read.', finished * 120, labels),
      counted('sglang:generation_tokens_total', 'Tokens written.', finished * 80, labels),
      counted('sglang:num_requests_total', 'Requests.', finished, labels),
      started(processAt),
    ]
  },
  interval: ({ running, waiting }, at) =>
    `[${logTime(at)}] Decode batch. #running-req: ${running}, token usage: 0.02, gen throughput (token/s): ${running * 43}.00, #queue-req: ${waiting}`,
}

/** NVIDIA NIM, whose names have no prefix. */
export const nim: Server = {
  ...behindUvicorn,
  work: '/v1/chat/completions',
  path: '/v1/metrics',
  metrics: ({ model, running, waiting, finished, processAt }) => {
    const labels = `model_name=${quoted(model)}`
    return [
      metric('gauge', 'num_requests_running', 'Requests being worked on.', running, labels),
      metric('gauge', 'num_requests_waiting', 'Requests in the queue.', waiting, labels),
      metric('gauge', 'num_request_max', 'The most requests at once.', 2048, labels),
      metric('counter', 'prompt_tokens_total', 'Tokens read.', finished * 120, labels),
      metric('counter', 'generation_tokens_total', 'Tokens written.', finished * 80, labels),
      metric('counter', 'request_finish_total', 'Requests that ended.', finished, `finished_reason="stop",${labels}`),
      started(processAt),
    ]
  },
}

/** A custom web service. */
export const web: Server = {
  ...behindUvicorn,
  work: '/generate',
  metrics: ({ running, finished, scrapes, processAt }) => [
    {
      ...metric('counter', 'http_requests_total', 'Requests.', 0),
      series: [
        ['handler="/generate",method="POST",status="2xx"', finished],
        ['handler="/metrics",method="GET",status="2xx"', scrapes],
      ],
    },
    metric('gauge', 'http_requests_inprogress', 'Requests in progress.', running, 'handler="/generate",method="POST"'),
    metric('counter', 'process_cpu_seconds_total', 'Seconds of processor time.', scrapes / 8),
    started(processAt),
  ],
}

function counted(name: string, help: string, value: number, labels: string): Metric {
  return { name, type: 'counter', help, series: value > 0 ? [[labels, value]] : [] }
}
