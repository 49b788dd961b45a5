/** Parsed JSON that travels between Slack and an app: read with the functions below, never trusted. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the object under a key; undefined if there is none or the value is something else. */
export function objectAt(from: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = from?.[key]
  return isObject(value) ? value : undefined
}

/** Returns the text under a key; undefined if there is none or the value is something else. */
export function textAt(from: JsonObject | undefined, key: string): string | undefined {
  const value = from?.[key]
  return typeof value === 'string' ? value : undefined
}

/** Returns the objects in the list under a key, without the list's other values. */
export function objectsAt(from: JsonObject | undefined, key: string): readonly JsonObject[] {
  const value = from?.[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
