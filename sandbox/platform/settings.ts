import { Refusal } from './refusal.ts'
import type { Settings } from './types.ts'
import { bodyValues } from './validate.ts'

const texts = ['container_start_command', 'container_health_check_path', 'container_metric_path'] as const
const numbers = [
  ['container_port', 65_535],
  ['container_health_check_timeout', undefined],
  ['health_check_timeout', undefined],
] as const

/**
 * Returns the settings in a patch. Other fields are ignored; null counts as given, and clears. Throws a 422 for a value
 * out of range, and a 400 if the patch contains no setting.
 */
export function readSettings(body: unknown): Partial<Settings> {
  const values = bodyValues(body)
  const given = new Map(Object.entries(body as object))
  const found: { -readonly [Name in keyof Settings]?: Settings[Name] } = {}
  for (const name of texts) {
    if (given.has(name)) found[name] = given.get(name) === null ? null : (values.text(name) ?? null)
  }
  for (const [name, most] of numbers) {
    if (given.has(name)) found[name] = given.get(name) === null ? null : (values.whole(name, 1, most) ?? null)
  }
  if (given.has('container_env_vars')) {
    const pairs: unknown = given.get('container_env_vars')
    if (pairs === null || isPairs(pairs)) found.container_env_vars = pairs
    else values.fault('container_env_vars', 'Input should be a list of pairs of key and value', 'list_type')
  }
  values.check()
  if (Object.keys(found).length === 0) throw new Refusal(400, 'At least one field must be provided')
  return found
}

function isPairs(value: unknown): value is { key: string; value: string }[] {
  return Array.isArray(value) && value.every(isPair)
}

function isPair(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { key, value: content } = value as Record<string, unknown>
  return typeof key === 'string' && typeof content === 'string'
}
