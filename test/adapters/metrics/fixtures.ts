import { readFileSync } from 'node:fs'
import { type Sample, sampleOf } from '../../../src/adapters/metrics/sample.ts'

/** A page of metrics written by hand from the documented names of a server: `vllm-idle`, `vllm-busy`, … */
export function page(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8')
}

/** Returns the sample of a text; throws if the text is no exposition. */
export function sample(text: string): Sample {
  const found = sampleOf(text)
  if (found === null) throw new Error('This is no exposition.')
  return found
}
