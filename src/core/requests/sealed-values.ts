import { type Line, writeLine } from '../commands/parse.ts'
import type { PlannedCall } from '../model/plan.ts'
import { idWord } from '../model/question.ts'
import type { Request } from '../model/request.ts'
import { say } from '../model/words.ts'
import { type Outcome, type Platform, platformMessage } from '../ports/platform.ts'
import type { ClaimedRequest, SealedEntry, Seals, Services } from '../ports/services.ts'
import { hide, maskOf } from '../text/redact.ts'

/** The only field whose values are sealed. */
const field = 'env'

/** Fills the sealed values into a planned call, which is never stored. Null if the sealed values are gone. */
export async function withSealed(
  services: Services,
  claim: ClaimedRequest,
  call: PlannedCall,
): Promise<PlannedCall | null> {
  if (claim.request.sealed !== true || typeof call.body !== 'object' || call.body === null) return call
  const entries = await sealedIn(services, claim)
  if (entries === null) return null
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  const body = Object.entries(call.body).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map((one) => filled(one, values)) : value,
  ])
  return { ...call, body: Object.fromEntries(body) }
}

/** Opens the values sealed for this request. Null if they are gone or there is no key to open them. */
export async function sealedIn(services: Services, claim: ClaimedRequest): Promise<readonly SealedEntry[] | null> {
  const { id, actor, cameAs = actor } = claim.request
  // Bound to the endpoint as the line spells it, and to the sender as Slack named them.
  const bound = { request: id, endpoint: String(claim.command.values['endpoint']), actor: cameAs, field }
  return (await services.seals?.open(bound)) ?? null
}

export async function dropSealed(services: Services, request: Request): Promise<void> {
  if (request.sealed === true) await services.seals?.forget(request.id, field)
}

function filled(entry: unknown, values: ReadonlyMap<string, string>): unknown {
  const key: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'key') : undefined
  return typeof key === 'string' && values.has(key) ? { key, value: values.get(key) } : entry
}

/** Wraps a platform to mask its messages: errors often quote sealed values, and everyone can read them. */
export function withSealedMasked(platform: Platform, seals: Seals | null): Platform {
  if (seals === null) return platform
  // A truncated value cannot be recognized, so a truncated message loses its last word.
  const hidden = async (says: string) => maskOf({ known: await seals.known() })(says.replace(/\S+…$/, '…'))

  async function told<Answer>(asked: Promise<Outcome<Answer>>): Promise<Outcome<Answer>> {
    const outcome = await asked
    if (outcome.kind === 'answered') {
      const message = platformMessage(outcome.answer)
      return message === undefined
        ? outcome
        : { ...outcome, answer: { ...outcome.answer, message: await hidden(message) } }
    }
    // Our own sentences never quote what was sent.
    return typeof outcome.says === 'string' ? { ...outcome, says: await hidden(outcome.says) } : outcome
  }

  return {
    send: (call) => told(platform.send(call)),
    list: () => told(platform.list()),
    instanceTypes: () => told(platform.instanceTypes()),
    timeoutMs: platform.timeoutMs,
  }
}

/** The answer to a line that contains a secret. `sealed`: a form has already sealed the values that the line names. */
export function secretIn({ row, values, line }: Line, sealed: boolean) {
  // A typed line must not contain secret values, so the answer links to the form.
  const typed = Object.entries(row.fields).find(
    ([name, { kind }]) => !sealed && kind === 'secrets' && typeof values[name] === 'string',
  )
  if (typed !== undefined) {
    const [name, { label }] = typed
    return { says: say('secret.inForm', { field: label }), form: writeLine(row, { ...values, [name]: undefined }) }
  }
  // A line that looks like a token is not stored, because cards and the history show lines. An id can look like one.
  const ids = Object.entries(row.fields).flatMap(([name, { kind }]) => (kind === 'endpoint' ? [values[name]] : []))
  const plain = line.replace(String(ids.find((one) => idWord.test(String(one))) ?? ''), '')
  if (hide(plain) === plain) return undefined
  const rest = Object.fromEntries(Object.entries(values).filter(([, value]) => hide(String(value)) === String(value)))
  return { says: say('line.secret'), ...(row.kind === 'operation' && { form: writeLine(row, rest) }) }
}
