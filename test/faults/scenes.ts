import type { Policy } from '../../src/core/model/policy.ts'
import { policyWith } from '../support/memory/cast.ts'

/** A line that somebody runs while no other request is open. */
export interface Scene {
  readonly name: string
  readonly line: string
  /** Without a confirmation, or with one by a second operator. */
  readonly policy: Policy
}

const asked = policyWith({ stop: 'confirmation' })
const unasked = policyWith({ stop: 'nothing' })

/** `my-llm` is active with three replicas; `my-tts` is stopped. */
export const scenes: readonly Scene[] = [
  { name: 'start', line: 'start my-tts', policy: unasked },
  { name: 'stop', line: 'stop my-llm', policy: unasked },
  { name: 'scale', line: 'scale my-llm to 5', policy: unasked },
  { name: 'patch', line: 'patch my-llm port=8080', policy: unasked },
  { name: 'patch-stopped', line: 'patch my-tts port=8080', policy: unasked },
  { name: 'restart', line: 'restart my-llm', policy: unasked },
  { name: 'stop-asked', line: 'stop my-llm', policy: asked },
  { name: 'restart-asked', line: 'restart my-llm', policy: asked },
]
