import type { Server } from './server.ts'
import { llamacpp, ray, triton } from './servers-other.ts'
import { nim, sglang, vllm, web } from './servers-python.ts'
import { tei, tgi } from './servers-rust.ts'

/** The kinds of server a container may run. Their names of metrics are those of the real ones, also where these are odd. */
export const servers = { vllm, sglang, tgi, tei, llamacpp, nim, triton, ray, web } as const satisfies Record<
  string,
  Server
>

export type ServerKind = keyof typeof servers
