import type { Operation } from '../commands/define.ts'
import type { Line } from '../commands/parse.ts'
import { say, type Words } from '../model/words.ts'
import type { FormPreview, SealedEntry } from '../ports/services.ts'
import { accept, type IntakeResult } from './accept.ts'
import { type Arrival, type IntakeContext, inTime, type Visit, visitOf, whyClosedTo } from './gateway.ts'
import { heldText } from './open-form.ts'
import { requestIdOf } from './receive.ts'

/** A submitted form, with values parsed by the fields of its row. The line has only the names of secret values. */
export interface Submission extends Line {
  readonly secrets: readonly { readonly field: string; readonly entries: readonly SealedEntry[] }[]
}

export type FormResult =
  | IntakeResult
  /** The form stays open. Errors by field name. */
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, Words>> }
  /** A preview of the rule, which the person confirms before its line is stored. */
  | { readonly kind: 'preview'; readonly row: Operation; readonly preview: FormPreview & { readonly kind: 'rule' } }

/** Accepts a form: seals its secret values, previews a rule, and otherwise handles its line like any other. */
export async function acceptForm(
  context: IntakeContext,
  arrival: Arrival,
  submission: Submission,
): Promise<FormResult> {
  const visit = visitOf(context, arrival)
  const { commands, gateway } = visit
  const { row, values, secrets } = submission
  // A person who has lost their role sees nothing here; the worker refuses the line later.
  const sees = gateway !== undefined && (await whyClosedTo(gateway, arrival)) === null
  const held = sees ? await heldText(gateway, visit, submission, requestIdOf(arrival.delivery)) : null
  if (held !== null) return wrong('endpoint', held)
  const asked = sees && row.kind === 'operation' ? gateway.foresee?.(arrival, arrival.typed) : undefined
  const preview = asked === undefined ? null : await inTime(asked, null)
  if (secrets.length > 0) return acceptSealed(visit, submission)
  const tried = sees && row.kind === 'query' && row.own === 'explain' ? commands.parse(String(values['line'])) : null
  if (tried !== null && tried.kind !== 'line') return wrong('line', tried.says)
  const at = preview?.kind === 'wrong' ? (preview.field ?? errorFieldIn(submission)) : ''
  if (preview?.kind === 'wrong' && at !== '') return wrong(at, preview.says)
  if (preview?.kind !== 'rule' || row.kind !== 'operation') return accept(context, arrival)
  return { kind: 'preview', row, preview }
}

/** The field that shows the error: the first time field, otherwise the first filled field, or '' if none is filled. */
function errorFieldIn({ row: { fields }, values }: Line): string {
  const filled = Object.entries(fields).filter(([name]) => values[name] !== undefined)
  return filled.find(([, { kind }]) => kind === 'window' || kind === 'when')?.[0] ?? filled[0]?.[0] ?? ''
}

/** Seals the secret values before storing the line that names them. If sealing fails, nothing is stored. */
async function acceptSealed(visit: Visit, { values, secrets }: Submission): Promise<FormResult> {
  const { gateway, delivery, actor } = visit
  const sealed = { ...visit, sealed: true }
  if (gateway === undefined) return accept(visit, sealed)
  const first = secrets[0]?.field ?? ''
  if (gateway.sealer === undefined) return wrong(first, say('secret.needsKey'))
  const request = requestIdOf(delivery)
  try {
    // A repeated form must not replace the values of a request that people may have approved.
    const isNew = (await gateway.store.load(request)) === null
    const endpoint = String(values['endpoint'] ?? '')
    for (const { field, entries } of isNew ? secrets : [])
      if (!(await gateway.sealer.seal({ request, endpoint, actor, field }, entries)))
        return wrong(field, say('secret.twice'))
  } catch {
    return wrong(first, say('secret.notStored'))
  }
  return accept(visit, sealed)
}

function wrong(field: string, says: Words) {
  return { kind: 'wrong', errors: { [field]: says } } as const
}
