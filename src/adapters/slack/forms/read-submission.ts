import type { ViewStateValue } from '@slack/bolt'
import type { Commands } from '../../../core/commands/commands.ts'
import type { Row } from '../../../core/commands/define.ts'
import type { Field } from '../../../core/commands/fields.ts'
import { writeLine } from '../../../core/commands/parse.ts'
import type { Given, Value } from '../../../core/model/request.ts'
import { foreign } from '../../../core/text/unicode.ts'
import type { Secret } from '../projects.ts'
import { clearingId, inForm, placeId } from './inputs.ts'

/** What Slack keeps of a form: block id, action id, value. */
export type State = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>

/** What is wrong, by the block it stands at. */
export type Errors = Readonly<Record<string, string>>

export interface Filled {
  readonly values: Given
  /** Canonical; of secret values only the names. */
  readonly line: string
  /** By the field's name. */
  readonly secrets: readonly { readonly field: string; readonly entries: readonly Secret[] }[]
  /** The channel that was picked, where the form asked for one. */
  readonly channel: string | undefined
}

/** Reads a form by the very fields that read a typed line. Never throws. */
export function readForm(commands: Commands, row: Row, state: State): Filled | { readonly errors: Errors } {
  const values: Record<string, Value | undefined> = {}
  const errors: Record<string, string> = {}
  const secrets: Filled['secrets'][number][] = []
  const cleared = chosenIn(state, clearingId)

  for (const [name, field] of Object.entries(row.fields)) {
    const typed = typedIn(state, name)
    const reading = readField(field, typed, cleared.includes(name))
    if ('wrong' in reading) errors[name] = reading.wrong
    else if (reading.value !== undefined) values[name] = reading.value
    if ('entries' in reading) secrets.push({ field: name, entries: reading.entries })
  }
  if (Object.keys(errors).length > 0) return { errors }

  const read = commands.parse(writeLine(row, values))
  if (read.kind !== 'line') return { errors: { [placeOf(row, read, values)]: inForm(read.says) } }
  return { values: read.read.values, line: read.read.line, secrets, channel: typedIn(state, placeId) }
}

type FieldReading =
  | { readonly value: Value | undefined; readonly entries?: never }
  | { readonly value: Value | undefined; readonly entries: readonly Secret[] }
  | { readonly wrong: string }

function readField(field: Field, typed: string | undefined, cleared: boolean): FieldReading {
  if (cleared && typed !== undefined) return { wrong: `${field.label}: either set it here or take it away below.` }
  if (cleared && field.clearable) return { value: null }
  if (typed === undefined) return field.optional ? { value: undefined } : { wrong: `${field.label} is missing.` }
  if (field.kind !== 'secrets') return field.read(foreign(typed))
  const secrets = readSecrets(typed)
  if ('wrong' in secrets) return secrets
  const names = field.read(secrets.entries.map(({ key }) => key).join(','))
  return 'wrong' in names ? names : { ...names, entries: secrets.entries }
}

/**
 * What is wrong with all of it is said at one field: the longest when it is too long, else the first that is empty and
 * whose word is named, else the first that is free.
 */
function placeOf(
  row: Row,
  { kind, says }: { readonly kind: 'incomplete' | 'misread'; readonly says: string },
  values: Given,
): string {
  const names = Object.keys(row.fields)
  const length = (name: string): number => String(values[name] ?? '').length
  if (kind === 'misread') return names.toSorted((a, b) => length(b) - length(a))[0] ?? ''
  const free = Object.entries(row.fields).filter(([, { optional }]) => optional)
  const named = free.find(([name, { lead }]) => values[name] === undefined && lead && says.split(' ').includes(lead))
  return (named ?? free[0])?.[0] ?? names[0] ?? ''
}

/** What was typed or chosen in a block; undefined when it was left empty. */
function typedIn(state: State, block: string): string | undefined {
  const [filled] = Object.values(state[block] ?? {})
  const person = filled?.selected_user ? `@${filled.selected_user}` : undefined
  const typed = filled?.value ?? filled?.selected_option?.value ?? filled?.selected_conversation ?? person ?? ''
  return typed.trim() === '' ? undefined : typed
}

function chosenIn(state: State, block: string): readonly string[] {
  return Object.values(state[block] ?? {}).flatMap(({ selected_options: chosen }) =>
    (chosen ?? []).map(({ value }) => value),
  )
}

/** Reads `KEY=value`, one a line. What is wrong is said by the number of the line, never by what stands in it. */
export function readSecrets(text: string): { readonly entries: readonly Secret[] } | { readonly wrong: string } {
  const entries: Secret[] = []
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue
    const [, key, value] = /^\s*([A-Za-z_]\w{0,63})\s*=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined)
      return { wrong: `Line ${at + 1} is not KEY=value, with a name of letters, digits and _.` }
    if (entries.some((entry) => entry.key === key)) return { wrong: `Line ${at + 1} gives ${key} a second time.` }
    entries.push({ key, value })
  }
  return entries.length > 0 ? { entries } : { wrong: 'Write KEY=value, one a line.' }
}
