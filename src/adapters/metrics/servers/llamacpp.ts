import { defineFamily } from './define.ts'

/**
 * llama.cpp's server, started with --metrics. It counts tokens and time, no requests. Left out: the averages
 * `prompt_tokens_seconds` and `predicted_tokens_seconds`, which keep their values, and `n_tokens_max`, a maximum called a
 * counter.
 */
export const llamacpp = defineFamily({
  title: 'llama.cpp',
  prefix: 'llamacpp',
  open: ['requests_processing', 'requests_deferred'],
  requests: [],
  work: ['prompt_tokens', 'tokens_predicted', 'prompt_seconds', 'tokens_predicted_seconds', 'n_decode'],
  logs: true,
})
