import { defineFamily, type Family, isProbePath, type Meaning, pathOf } from './family.ts'

const runtimes = /^(?:process|python|go|promhttp|nodejs|jvm|tokio)_/
const open: Meaning = { role: 'open', key: 'in_progress' }
const requests: Meaning = { role: 'requests', key: 'requests' }
const timed: Meaning = { role: 'work', key: 'timed' }

/**
 * Any web service that counts requests as the usual libraries do. A counter without a path is ignored, because our own
 * scrapes may move it. A gauge is not, because it may be the only sign of a long request. Names are summed under a few
 * keys, because anybody may choose them.
 */
const web: Family = {
  title: 'web',
  meaningOf,
  counts(labels, role) {
    const path = pathOf(labels)
    return path === undefined ? role === 'open' : !isProbePath(path)
  },
  lastResort: true,
}

function meaningOf(name: string): Meaning | undefined {
  if (runtimes.test(name)) return undefined
  if (name.endsWith('_in_progress') || name.endsWith('_inprogress')) return open
  if (name.endsWith('_requests_total')) return requests
  return name === 'http_request_duration_seconds_count' ? timed : undefined
}

const families: readonly Family[] = [
  // vLLM, by vllm/v1/metrics/loggers.py. Left out: the gauges of the cache, which keep their last values, and the HTTP
  // counters, because its own are exact.
  defineFamily({
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
  }),
  // SGLang with --enable-metrics; by srt/metrics/collector.py. `gen_throughput` is left out: it keeps its last value.
  defineFamily({
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
  }),
  // Text Generation Inference, by its docs/source/reference/metrics.md: no `_total`, and no counters before the first use.
  defineFamily({
    title: 'TGI',
    prefix: 'tgi',
    open: ['batch_current_size', 'queue_size'],
    requests: ['request_count'],
    work: ['request_success', 'request_failure', 'batch_inference_count', 'request_duration_count'],
    lazy: true,
    logs: true,
  }),
  // Text Embeddings Inference, by core/src/infer.rs and queue.rs. Its gauge counts waiting requests only.
  defineFamily({
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
  }),
  // llama.cpp's server, started with --metrics. It counts tokens and time, no requests. Left out: the averages
  // `prompt_tokens_seconds` and `predicted_tokens_seconds`, which keep their values, and `n_tokens_max`, a maximum called a
  // counter.
  defineFamily({
    title: 'llama.cpp',
    prefix: 'llamacpp',
    open: ['requests_processing', 'requests_deferred'],
    requests: [],
    work: ['prompt_tokens', 'tokens_predicted', 'prompt_seconds', 'tokens_predicted_seconds', 'n_decode'],
    logs: true,
  }),
  // NVIDIA NIM, at /v1/metrics. Its names have no prefix, so three are needed. Not `num_request_max`, a limit.
  defineFamily({
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
  }),
  // Triton, by docs/user_guide/metrics.md; on port 8002, so only seen if that is the endpoint's. Its gauge counts
  // waiting requests only. Left out: GPU utilization, which proves nothing.
  defineFamily({
    title: 'Triton',
    prefix: 'nv',
    open: ['inference_pending_request_count'],
    requests: ['inference_request_success'],
    work: ['inference_request_failure', 'inference_count', 'inference_exec_count', 'inference_request_duration_us'],
  }),
  // Ray Serve, by doc/source/serve/monitoring.md. It also counts probes through the proxy, whose routes are ignored.
  defineFamily({
    title: 'Ray Serve',
    prefix: 'ray_serve',
    open: [
      'num_ongoing_http_requests',
      'replica_processing_queries',
      'deployment_queued_queries',
      'num_ongoing_requests_at_replicas',
      'autoscaling_total_requests',
    ],
    requests: ['num_http_requests'],
    work: ['deployment_request_counter', 'handle_request_counter'],
    counts: (labels) => !isProbePath(pathOf(labels) ?? ''),
    logs: true,
  }),
  web,
]

export function familyOf(name: string): { readonly family: Family; readonly meaning: Meaning } | undefined {
  for (const family of families) {
    const meaning = family.meaningOf(name)
    if (meaning !== undefined) return { family, meaning }
  }
  return undefined
}

export function writesEveryRequest(titles: readonly string[]): boolean {
  return titles.length > 0 && titles.every((title) => families.some((one) => one.title === title && one.logs))
}
