import { maskOf } from '../domain/mask.ts'
import type { Call } from '../operations/call.ts'
import type { Outcome, Platform } from './platform.ts'
import type { Seals } from './seals.ts'

/**
 * A platform whose sentences tell nothing that was once sealed: what complains about a value often quotes it, and every
 * sentence ends in the channel, in the history and in the audit.
 */
export function discreet(platform: Platform, seals: Seals | null): Platform {
  async function hidden(says: string): Promise<string> {
    if (seals === null) return says
    // Half of a value is recognised by nobody: where a sentence was cut, its last word goes.
    return maskOf({ known: await seals.known() })(says.replace(/\S+…$/, '…'))
  }

  async function send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const outcome = await platform.send(call)
    if (outcome.kind !== 'answered') return { ...outcome, says: await hidden(outcome.says) }
    const { answer } = outcome
    if (!hasMessage(answer)) return outcome
    return { ...outcome, answer: { ...answer, message: await hidden(answer.message) } }
  }

  async function told<Answer>(asked: Promise<Outcome<Answer>>): Promise<Outcome<Answer>> {
    const outcome = await asked
    return outcome.kind === 'answered' ? outcome : { ...outcome, says: await hidden(outcome.says) }
  }

  return {
    send,
    list: () => told(platform.list()),
    instanceTypes: () => told(platform.instanceTypes()),
    timeoutMs: platform.timeoutMs,
  }
}

function hasMessage(answer: unknown): answer is { readonly message: string } {
  return typeof answer === 'object' && answer !== null && 'message' in answer && typeof answer.message === 'string'
}
