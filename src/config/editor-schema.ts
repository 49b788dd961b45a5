import * as z from 'zod'
import { policySchema } from './policy-schema.ts'

/** The shape of the policy file as JSON Schema, with a word on every key: what editors complete and underline by. */
export function editorSchema(): string {
  // Draft 7 is what the YAML support of editors understands best.
  const schema = z.toJSONSchema(policySchema, { io: 'input', target: 'draft-07', unrepresentable: 'any' })
  return `${JSON.stringify({ title: 'lamplighter.yaml', ...schema }, null, 2)}\n`
}
