import type { Server } from './server.ts'
import { llamacpp, ray, triton } from './servers-other.ts'
import { nim, sglang, vllm, web } from './servers-python.ts'
import { tei, tgi } from './servers-rust.ts'

/** The kinds of server that a container may run. Their metrics have the names of the real ones, even odd ones. */
export const servers = { vllm, sglang, tgi, tei, llamacpp, nim, triton, ray, web } as const satisfies Record<
  string,
  Server
>

export type ServerKind = keyof typeof servers
