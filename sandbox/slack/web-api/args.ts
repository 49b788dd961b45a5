import { isObject, type Json, type JsonObject, parseJson } from '../json.ts'
import { Refusal, refusalWith } from './refusal.ts'

/** The arguments of a call. A form has only text, a JSON body has types; both are read the same way. */
export interface Args {
  readonly all: JsonObject
  /** Returns the text; undefined if it is missing or empty. */
  text(name: string): string | undefined
  /** Returns the text; refuses with `invalid_arguments` if it is missing. */
  required(name: string): string
  flag(name: string): boolean | undefined
  number(name: string): number | undefined
  /** Returns a structure, which a form carries as JSON text. Refuses with `error` if it is not JSON. */
  json(name: string, error?: string): Json | undefined
}

export function createArgs(all: JsonObject): Args {
  function text(name: string): string | undefined {
    const value = all[name]
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    all,
    text,
    required(name) {
      const value = text(name)
      if (value === undefined) throw refusalWith('invalid_arguments', [`missing required field: ${name}`])
      return value
    },
    flag(name) {
      const value = all[name]
      if (value === undefined || value === null) return undefined
      return value === true || value === 'true' || value === '1' || value === 1
    },
    number(name) {
      const value = text(name)
      if (value === undefined) return undefined
      const number = Number(value)
      if (!Number.isFinite(number)) throw refusalWith('invalid_arguments', [`must be a number: ${name}`])
      return number
    },
    json(name, error = 'invalid_arguments') {
      const value = all[name]
      if (typeof value !== 'string') return value ?? undefined
      if (value === '') return undefined
      const parsed = parseJson(value)
      if (parsed === undefined) throw new Refusal(error)
      return parsed
    },
  }
}

/** Reads the arguments of a call: a form, JSON, or the query of a GET. */
export function readArgs(contentType: string, body: string, query: URLSearchParams): JsonObject {
  const fromQuery = Object.fromEntries(query)
  if (contentType.startsWith('application/json')) {
    const parsed = body === '' ? {} : parseJson(body)
    if (parsed === undefined) throw new Refusal('invalid_json')
    if (!isObject(parsed)) throw new Refusal('json_not_object')
    return { ...fromQuery, ...parsed }
  }
  if (contentType.startsWith('application/x-www-form-urlencoded') || contentType === '') {
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body)) }
  }
  throw new Refusal('invalid_post_type')
}
