import { describe, expect, test } from 'vitest'
import { readLook } from '../../../src/adapters/metrics/reading.ts'
import { sampleOf } from '../../../src/adapters/metrics/sample.ts'
import { inEnglish } from '../../support/words.ts'
import { page, sample } from './fixtures.ts'

const replica = { id: 'r1', state: 'RUNNING', node: null, startedAt: 1_795_140_000 }

function look(text: string, at: number) {
  return { at, replicas: [replica], samples: [sample(text)] }
}

describe.each([
  ['vllm', 'vLLM', 11, 3],
  ['sglang', 'SGLang', 2, 2],
  ['tgi', 'TGI', 4, 1],
  ['tei', 'TEI', 2, 0],
  ['llamacpp', 'llama.cpp', 0, 1],
  ['nim', 'NIM', 3, 5],
  ['triton', 'Triton', 18, 4],
  ['ray', 'Ray Serve', 13, 2],
  ['web', 'web', 4, 1],
])('Metrics of %s', (name, title, requests, open) => {
  const first = readLook(look(page(`${name}-idle`), 0), null)

  test('are recognized by their names alone', () => {
    expect(sample(page(`${name}-idle`))).toMatchObject({ servers: [title], open: 0 })
    expect(sample(page(`${name}-idle`)).flaw).toBeUndefined()
  })

  test('are quiet while nothing moves', () => {
    const { reading } = readLook(look(page(`${name}-idle`), 60_000), first.kept)
    expect(inEnglish(reading)).toMatchObject({ state: 'quiet', why: 'no requests' })
  })

  test('are busy once something moves', () => {
    const { reading } = readLook(look(page(`${name}-busy`), 60_000), first.kept)
    expect(reading).toMatchObject({ state: 'busy', evidence: { servers: [title], requests, open } })
  })

  test('are busy when any single counter moves', () => {
    const idle = page(`${name}-idle`).split('\n')
    const busy = page(`${name}-busy`).split('\n')
    for (const [i, line] of busy.entries()) {
      if (line === idle[i] || /_bucket|usage_perc|^http_requests_total.*chat/.test(line)) continue
      const { reading } = readLook(look(idle.with(i, line).join('\n'), 60_000), first.kept)
      expect([line, reading.state]).toEqual([line, 'busy'])
    }
  })
})

function quietAfter(before: string, after: string): string {
  return readLook(look(after, 60_000), readLook(look(before, 0), null).kept).reading.state
}

describe('Special cases', () => {
  test('prefixes end with a colon or, behind a gateway, an underscore', () => {
    const renamed = page('sglang-busy').replaceAll('sglang:', 'sglang_')
    expect(sample(renamed)).toEqual(sample(page('sglang-busy')))
  })

  test('a name has to match completely', () => {
    expect(sample('vllm:num_requests_running_max 4\nxvllm:num_requests_running 3\nvllm:prompt 1\n').servers).toEqual([])
  })

  test.each([
    ['vllm', 'vllm:kv_cache_usage_perc', 'the fill of a cache'],
    ['sglang', 'sglang:gen_throughput', 'a throughput that keeps its last value'],
    ['llamacpp', 'llamacpp:prompt_tokens_seconds', 'an average that stays'],
    ['llamacpp', 'llamacpp:n_tokens_max', 'a high-water mark that is called a counter'],
    ['triton', 'nv_gpu_utilization', 'the utilisation of a GPU'],
    ['web', 'process_cpu_seconds_total', 'what the process itself used'],
  ])('%s: %s does not count as use (%s)', (name, metric) => {
    const before = page(`${name}-idle`)
    const after = before.replace(new RegExp(`^(${metric}(?:\\{.*\\})?) .*$`, 'm'), '$1 77777')
    expect(after).not.toBe(before)
    expect(quietAfter(before, after)).toBe('quiet')
  })

  test('vLLM before its V1 engine also reports swapped requests as open', () => {
    expect(sample(`${page('vllm-idle')}vllm:num_requests_swapped{model_name="a"} 2\n`).open).toBe(2)
  })

  test('SGLang announces counters before they have a value, and those count as zero', () => {
    const text =
      '# TYPE sglang:num_requests_total counter\n# TYPE sglang:num_running_reqs gauge\nsglang:num_running_reqs 0\n'
    expect(sample(text)).toMatchObject({ counters: { 'SGLang num_requests': 0 } })
    expect(sample(text).flaw).toBeUndefined()
    expect(quietAfter(text, `${text}sglang:num_requests_total{m="1"} 1\n`)).toBe('busy')
  })

  test('TGI shows a counter only after its first use, so a new counter counts as a request', () => {
    const fresh = 'tgi_batch_current_size 0\ntgi_queue_size 0\n'
    expect(quietAfter(fresh, fresh)).toBe('quiet')
    expect(quietAfter(fresh, `${fresh}tgi_request_count 1\n`)).toBe('busy')
  })

  test('a gauge without its counters proves nothing: one wrong name would hide all use', () => {
    expect(inEnglish(sample('vllm:num_requests_running 0\n').flaw)).toBe(
      'the metrics have no counter that goes up with use',
    )
  })

  test('a value that isn’t a number proves nothing', () => {
    const text = page('vllm-idle').replace(/^(vllm:num_requests_running.*) 0\.0$/m, '$1 NaN')
    expect(inEnglish(sample(text).flaw)).toBe('a metric isn’t a number')
    expect(quietAfter(text, text)).toBe('unknown')
  })

  test('counters may have _total or not: clients differ, and Ray changed its own', () => {
    expect(sample('ray_serve_num_http_requests{route="/chat"} 5\n').counters).toEqual({
      'Ray Serve num_http_requests': 5,
    })
  })

  test('NIM has no prefix: two of its names could be anybody’s, three are taken for NIM', () => {
    const [one, two, three] = ['num_requests_running 0', 'prompt_tokens_total 1', 'generation_tokens_total 2']
    expect(sample(`${one}\n${two}\n`).servers).toEqual([])
    expect(sample(`${one}\n${two}\n${three}\n`).servers).toEqual(['NIM'])
  })

  test('NIM built on vLLM shows the names of both, and either can be busy', () => {
    const both = page('nim-idle') + page('vllm-idle')
    expect(sample(both).servers).toEqual(['NIM', 'vLLM'])
    expect(quietAfter(both, page('nim-idle') + page('vllm-busy'))).toBe('busy')
    expect(quietAfter(both, both)).toBe('quiet')
  })

  test.each(['/health', '/healthz', '/ready', '/live', '/ping', '/metrics', '/docs', '/v2/health/ready', '/metrics/'])(
    'a web service is not in use when somebody requests %s',
    (path) => {
      const before = page('web-idle')
      expect(quietAfter(before, `${before}http_requests_total{handler="${path}",method="GET"} 5\n`)).toBe('quiet')
    },
  )

  test('a web service is in use on paths that only look like health checks', () => {
    const before = page('web-idle')
    for (const path of ['/pingpong', '/v1/business-metrics', '/live-stream', '/documents'])
      expect(quietAfter(before, `${before}app_requests_total{path="${path}"} 1\n`)).toBe('busy')
  })

  test('web counters without a path may count our own scrapes and are no evidence', () => {
    expect(sample('http_requests_total{code="200"} 5\ngo_goroutines 8\n')).toMatchObject({ servers: [], counters: {} })
    expect(sampleOf('promhttp_metric_handler_requests_total{code="200"} 5\n')?.servers).toEqual([])
  })

  test('a web gauge without a path counts: it may be all that shows a long request', () => {
    expect(sample(`${page('web-idle')}jobs_in_progress 1\n`).open).toBe(1)
  })

  test('our own scrapes through Ray Serve’s proxy are left out', () => {
    const before = page('ray-idle')
    expect(quietAfter(before, before.replace('5040.0', '5041.0'))).toBe('quiet')
    expect(quietAfter(before, `${before}ray_serve_num_http_requests_total{route="/metrics"} 9\n`)).toBe('quiet')
  })

  test('a process without a start time is identified by the creation of its oldest counter', () => {
    expect(sample(page('openmetrics')).process).toBe('1795140000.5')
    expect(sample(page('vllm-idle')).process).toBe('1795140000')
    expect(sample(page('tgi-idle')).process).toBeNull()
  })
})
