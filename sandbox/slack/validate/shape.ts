import { isObject, type Json, type JsonObject, textAt } from '../json.ts'

/** Returns what is wrong with a value, or an empty list; `at` is its JSON pointer. */
export type Check = (value: Json, at: string) => readonly string[]

/** Formats a problem in Slack's words, with its place. */
export function problem(what: string, at: string): string {
  return `${what} [json-pointer:${at}]`
}

/** A text of `min` to `max` characters. */
export function text(max: number, min = 1): Check {
  return (value, at) => {
    if (typeof value !== 'string') return [problem('must be a string', at)]
    if (value.length > max) return [problem(`must be less than ${max + 1} characters`, at)]
    if (value.length < min) return [problem(`must be more than ${min - 1} characters`, at)]
    return []
  }
}

export function matching(pattern: RegExp, says: string): Check {
  return (value, at) => (typeof value === 'string' && pattern.test(value) ? [] : [problem(says, at)])
}

export function oneOf(...allowed: readonly (string | number)[]): Check {
  return (value, at) =>
    allowed.some((one) => one === value) ? [] : [problem(`must be one of: ${allowed.join(', ')}`, at)]
}

export function flag(value: Json, at: string): readonly string[] {
  return typeof value === 'boolean' ? [] : [problem('must be a boolean', at)]
}

export function integer(min: number, max: number): Check {
  return (value, at) => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    return fits ? [] : [problem(`must be an integer from ${min} to ${max}`, at)]
  }
}

export function anything(): readonly string[] {
  return []
}

/** A list of `min` to `max` items, each checked. */
export function list(item: Check, max: number, min = 1): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return [problem('must be an array', at)]
    if (value.length > max) return [problem(`no more than ${max} items allowed`, at)]
    if (value.length < min) return [problem(`no fewer than ${min} items allowed`, at)]
    return value.flatMap((one: Json, index) => item(one, `${at}/${index}`))
  }
}

/** An object with these fields and no others. `rule` checks the whole once the fields are valid. */
export function object(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
  rule: (value: JsonObject, at: string) => readonly string[] = () => [],
): Check {
  return (value, at) => {
    if (!isObject(value)) return [problem('must be an object', at)]
    const problems: string[] = []
    for (const key of Object.keys(required)) {
      if (value[key] === undefined) problems.push(problem(`missing required field: ${key}`, at))
    }
    for (const [key, inner] of Object.entries(value)) {
      const check = required[key] ?? optional[key]
      if (!check) problems.push(problem(`invalid additional property: ${key}`, at))
      else if (inner !== undefined) problems.push(...check(inner, `${at}/${key}`))
    }
    return problems.length > 0 ? problems : rule(value, at)
  }
}

/** One of several objects, distinguished by their `type`. */
export function byType(checks: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    if (!isObject(value)) return [problem('must be an object', at)]
    const type = textAt(value, 'type') ?? ''
    const check = Object.hasOwn(checks, type) ? checks[type] : undefined
    return check ? check(value, at) : [problem(`unsupported type: ${type}`, `${at}/type`)]
  }
}

/** Exactly one of these keys. */
export function exactlyOne(...keys: readonly string[]) {
  return (value: JsonObject, at: string): readonly string[] =>
    keys.filter((key) => value[key] !== undefined).length === 1
      ? []
      : [problem(`exactly one of ${keys.join(', ')} is required`, at)]
}
