import { describe, expect, test } from 'vitest'
import { isMeaningful } from '../../../src/adapters/metrics/access-logs.ts'

describe('A log line', () => {
  test.each([
    'INFO:     10.0.0.1:52020 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
    'GET /v1/models 200',
    'INFO 11-20 09:12:04 [async_llm.py:261] Added request chatcmpl-1.',
    'INFO 11-20 09:12:10 [loggers.py:116] Engine 000: Avg prompt throughput: 12.5 tokens/s, Avg generation throughput: 0.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs',
    'INFO 11-20 09:12:10 [loggers.py:116] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.0 tokens/s, Running: 1 reqs, Waiting: 0 reqs',
    'Engine 000: Avg prompt throughput: 0.4 tokens/s, Avg generation throughput: 0.0 tokens/s, Running: 0 reqs',
    '[2026-11-20 09:12:10] Decode batch. #running-req: 1, #token: 56, gen throughput (token/s): 0.00, #queue-req: 0',
    'GET /pingpong 200',
  ])('shows use: %s', (line) => {
    expect(isMeaningful(line)).toBe(true)
  })

  test.each([
    '',
    '   ',
    'INFO:     10.0.0.1:52020 - "GET /health HTTP/1.1" 200 OK',
    '10.0.0.1 - - [20/Nov/2026:09:12:04 +0000] "GET /metrics HTTP/1.1" 200 48211',
    'GET /v1/metrics?x=1 404',
    '"GET /health_generate HTTP/1.1" 200',
    'INFO 11-20 09:12:10 [loggers.py:116] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 3.1%, Prefix cache hit rate: 43.2%',
    'Decode batch. #running-req: 0, gen throughput (token/s): 0.00, #queue-req: 0',
    'srv  update_slots: all slots are idle',
  ])('shows no use: %j', (line) => {
    expect(isMeaningful(line)).toBe(false)
  })

  test('is judged at once, however often it opens a bracket and never closes one', () => {
    expect(isMeaningful(`gen throughput${' throughput ('.repeat(500_000)}`)).toBe(false)
  })
})
