import { isProbePath } from './access-logs.ts'
import type { Labels } from './exposition.ts'

/** The meaning of a metric name. Counters with one `key` are added up. */
interface Meaning {
  /** Open requests, ended requests, other work done, or the creation of a counter (Unix seconds). */
  readonly role: 'open' | 'requests' | 'work' | 'born'
  readonly key: string
}

/** A kind of server, recognized by the names of its metrics. */
export interface Family {
  readonly title: string
  /** Undefined for names that do not show use. */
  readonly meaningOf: (name: string) => Meaning | undefined
  /** How many of its names a page needs to be recognized; 1 by default. */
  readonly least?: number
  /** Whether a series counts; by default each does. Requests for health or metrics do not. */
  readonly counts?: (labels: Labels, role: Meaning['role']) => boolean
  /** Its counters appear only once they have counted something. */
  readonly lazy?: true
  /** By default it logs every request, or writes regular lines while it works. */
  readonly logs?: false
  /** Used only if no other family is recognized. */
  readonly lastResort?: true
}

/** Names with commas between them, without prefix, and counters without `_total`, which only some clients append. */
interface Names extends Omit<Family, 'meaningOf'> {
  /** Precedes each name with `:` or `_`, because gateways rewrite colons (smg pull 813). */
  readonly prefix?: string
  readonly open: string
  readonly requests?: string
  readonly work: string
}

function defineFamily({ prefix, open, requests, work, ...family }: Names): Family {
  const ended = requests?.split(',') ?? []
  const meanings = new Map<string, Meaning>()
  const starts = prefix === undefined ? [''] : [`${prefix}:`, `${prefix}_`]
  for (const start of starts) {
    for (const key of open.split(',')) meanings.set(start + key, { role: 'open', key })
    for (const key of [...ended, ...work.split(',')]) {
      const role = ended.includes(key) ? 'requests' : 'work'
      meanings.set(start + key, { role, key })
      meanings.set(`${start}${key}_total`, { role, key })
      meanings.set(`${start}${key.replace(/_count$/, '')}_created`, { role: 'born', key })
    }
  }
  return { ...family, meaningOf: (name) => meanings.get(name) }
}

const pathLabels = ['handler', 'path', 'route', 'endpoint', 'uri', 'url', 'http_route', 'http_target']

/** The path of the requests that a series counts, if it has one. */
function pathOf(labels: Labels): string | undefined {
  return pathLabels.map((name) => labels.get(name)).find((path) => path !== undefined)
}

const families: readonly Family[] = [
  // vLLM, by vllm/v1/metrics/loggers.py. Left out: the gauges of the cache, which keep their last values, and the HTTP
  // counters, because its own are exact.
  defineFamily({
    title: 'vLLM',
    prefix: 'vllm',
    // Engines before V1 could swap requests out.
    open: 'num_requests_running,num_requests_waiting,num_requests_swapped',
    requests: 'request_success',
    work: 'prompt_tokens,generation_tokens,num_preemptions,e2e_request_latency_seconds_count,time_to_first_token_seconds_count',
  }),
  // SGLang with --enable-metrics; by srt/metrics/collector.py. `gen_throughput` is left out: it keeps its last value.
  defineFamily({
    title: 'SGLang',
    prefix: 'sglang',
    open:
      'num_running_reqs,num_queue_reqs,num_grammar_queue_reqs,diffusion_num_queue_reqs,' +
      // A server with prefill and decode on different machines.
      'num_prefill_prealloc_queue_reqs,num_prefill_inflight_queue_reqs,num_decode_prealloc_queue_reqs,num_decode_transfer_queue_reqs',
    requests: 'num_requests',
    work: 'prompt_tokens,generation_tokens,num_aborted_requests,e2e_request_latency_seconds_count',
  }),
  // Text Generation Inference, by its docs/source/reference/metrics.md: no `_total`, and no counters before the first use.
  defineFamily({
    title: 'TGI',
    prefix: 'tgi',
    open: 'batch_current_size,queue_size',
    requests: 'request_count',
    work: 'request_success,request_failure,batch_inference_count,request_duration_count',
    lazy: true,
  }),
  // Text Embeddings Inference, by core/src/infer.rs and queue.rs. Its gauge counts waiting requests only.
  defineFamily({
    title: 'TEI',
    prefix: 'te',
    open: 'queue_size',
    requests: 'request_count',
    work: 'request_success,request_failure,embed_count,embed_success,predict_count,predict_success,embed_duration_count,batch_next_size_count',
    lazy: true,
  }),
  // llama.cpp's server, started with --metrics. It counts tokens and time, no requests. Left out: the averages
  // `prompt_tokens_seconds` and `predicted_tokens_seconds`, which keep their values, and `n_tokens_max`, a maximum called a
  // counter.
  defineFamily({
    title: 'llama.cpp',
    prefix: 'llamacpp',
    open: 'requests_processing,requests_deferred',
    work: 'prompt_tokens,tokens_predicted,prompt_seconds,tokens_predicted_seconds,n_decode',
  }),
  // NVIDIA NIM, at /v1/metrics. Its names have no prefix, so three are needed. Not `num_request_max`, a limit.
  defineFamily({
    title: 'NIM',
    open: 'num_requests_running,num_requests_waiting',
    requests: 'request_finish',
    work: 'prompt_tokens,generation_tokens,e2e_request_latency_seconds_count,time_to_first_token_seconds_count',
    least: 3,
  }),
  // Triton, by docs/user_guide/metrics.md; on port 8002, so only seen if that is the endpoint's. Its gauge counts
  // waiting requests only. Left out: GPU utilization, which proves nothing.
  defineFamily({
    title: 'Triton',
    prefix: 'nv',
    open: 'inference_pending_request_count',
    requests: 'inference_request_success',
    work: 'inference_request_failure,inference_count,inference_exec_count,inference_request_duration_us',
    logs: false,
  }),
  // Ray Serve, by doc/source/serve/monitoring.md. It also counts probes through the proxy, whose routes are ignored.
  defineFamily({
    title: 'Ray Serve',
    prefix: 'ray_serve',
    open: 'num_ongoing_http_requests,replica_processing_queries,deployment_queued_queries,num_ongoing_requests_at_replicas,autoscaling_total_requests',
    requests: 'num_http_requests',
    work: 'deployment_request_counter,handle_request_counter',
    counts: (labels) => !isProbePath(pathOf(labels) ?? ''),
  }),
  // Any web service that counts requests as the usual libraries do. A counter without a path is ignored, because our own
  // scrapes may move it. A gauge is not, because it may be the only sign of a long request. Names are summed under a few
  // keys, because anybody may choose them.
  {
    title: 'web',
    meaningOf(name) {
      if (/^(?:process|python|go|promhttp|nodejs|jvm|tokio)_/.test(name)) return undefined
      if (/_in_?progress$/.test(name)) return { role: 'open', key: 'in_progress' }
      if (name.endsWith('_requests_total')) return { role: 'requests', key: 'requests' }
      return name === 'http_request_duration_seconds_count' ? { role: 'work', key: 'timed' } : undefined
    },
    counts(labels, role) {
      const path = pathOf(labels)
      return path === undefined ? role === 'open' : !isProbePath(path)
    },
    logs: false,
    lastResort: true,
  },
]

export function familyOf(name: string): { readonly family: Family; readonly meaning: Meaning } | undefined {
  for (const family of families) {
    const meaning = family.meaningOf(name)
    if (meaning !== undefined) return { family, meaning }
  }
  return undefined
}

export function writesEveryRequest(titles: readonly string[]): boolean {
  return titles.length > 0 && titles.every((title) => families.some((one) => one.title === title && one.logs !== false))
}
