import type { Family, Meaning } from './define.ts'
import { llamacpp } from './llamacpp.ts'
import { nim } from './nim.ts'
import { ray } from './ray.ts'
import { sglang } from './sglang.ts'
import { tei } from './tei.ts'
import { tgi } from './tgi.ts'
import { triton } from './triton.ts'
import { vllm } from './vllm.ts'
import { web } from './web.ts'

/** Every kind of server whose use can be told from its metrics. */
const families: readonly Family[] = [vllm, sglang, tgi, tei, llamacpp, nim, triton, ray, web]

/** The family that knows a name, and what the name means there. */
export function known(name: string): { readonly family: Family; readonly meaning: Meaning } | undefined {
  for (const family of families) {
    const meaning = family.meaningOf(name)
    if (meaning !== undefined) return { family, meaning }
  }
  return undefined
}

/** Whether the logs of servers of these titles show every request. */
export function writesEveryRequest(titles: readonly string[]): boolean {
  return titles.length > 0 && titles.every((title) => families.some((one) => one.title === title && one.logs))
}
