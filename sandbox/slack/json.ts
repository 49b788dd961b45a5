/** What travels between Slack and an app: parsed JSON, read with the small readers below and never trusted. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object under a key; undefined when there is none or it is something else. */
export function objectAt(from: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = from?.[key]
  return isObject(value) ? value : undefined
}

/** The text under a key; undefined when there is none or it is something else. */
export function textAt(from: JsonObject | undefined, key: string): string | undefined {
  const value = from?.[key]
  return typeof value === 'string' ? value : undefined
}

/** The objects of a list under a key; anything else in the list is left out. */
export function objectsAt(from: JsonObject | undefined, key: string): readonly JsonObject[] {
  const value = from?.[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Reads JSON; undefined when it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
