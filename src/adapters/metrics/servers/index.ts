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

const families: readonly Family[] = [vllm, sglang, tgi, tei, llamacpp, nim, triton, ray, web]

export function familyOf(name: string): { readonly family: Family; readonly meaning: Meaning } | undefined {
  for (const family of families) {
    const meaning = family.meaningOf(name)
    if (meaning !== undefined) return { family, meaning }
  }
  return undefined
}

/** Whether servers of these titles log every request. */
export function writesEveryRequest(titles: readonly string[]): boolean {
  return titles.length > 0 && titles.every((title) => families.some((one) => one.title === title && one.logs))
}
