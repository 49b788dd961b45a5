import type { ViewOutput, ViewStateValue } from '@slack/bolt'
import type { Block, InputBlock, KnownBlock, ModalView } from '@slack/types'
import { begunIn, type Commands } from '../../../core/commands/commands.ts'
import type { Row } from '../../../core/commands/define.ts'
import type { Field, FieldReading } from '../../../core/commands/fields.ts'
import { writeLine } from '../../../core/commands/parse.ts'
import type { FieldValues, Value } from '../../../core/model/request.ts'
import { type Language, say, type Words } from '../../../core/model/words.ts'
import type { SealedEntry } from '../../../core/ports/services.ts'
import type { Submission } from '../../../core/requests/accept-form.ts'
import { inLine, outsideText } from '../../../core/time/format.ts'
import { asText } from '../../../core/words/render.ts'
import { inUtc } from '../kit/text.ts'
import { endpointAction } from './elements.ts'
import { clearingId, placeId } from './form.ts'

export type FormState = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>

export interface Filled extends Omit<Submission, 'row'> {
  readonly channel: string | undefined
}

/** Reads a form with the same fields that read a typed line. `given` holds values that have no input. Never throws. */
export function readForm(
  commands: Commands,
  row: Row,
  state: FormState,
  language: Language,
  given: FieldValues = {},
): Filled | { readonly errors: Readonly<Record<string, string>> } {
  const values: Record<string, Value | undefined> = { ...given }
  const errors: Record<string, string> = {}
  const secrets: Filled['secrets'][number][] = []
  const cleared = chosenIn(state, clearingId)
  const isAlone = Object.entries(row.fields).some(([name, { alone }]) => alone && typedIn(state, name) === alone)
  for (const [name, field] of Object.entries(row.fields)) {
    if (given[name] !== undefined || (isAlone && field.optional && !field.alone && name !== 'because')) continue
    const typed = typedIn(state, name)
    const reading = readField(field, typed, cleared.includes(name))
    if ('wrong' in reading) errors[name] = inUtc(asText(reading.wrong, language))
    else if (reading.value !== undefined) values[name] = reading.value
    if (reading.entries) secrets.push({ field: name, entries: reading.entries })
  }
  if (Object.keys(errors).length > 0) return { errors }
  const read = commands.parse(writeLine(row, values))
  if (read.kind !== 'line') {
    const { says, field } = begunIn(read)?.wrong ?? { ...read, field: longestOf(row, values) }
    return { errors: { [field]: inUtc(asText(says, language)) } }
  }
  return { values: read.read.values, line: read.read.line, secrets, channel: typedIn(state, placeId) }
}

function readField(
  field: Field,
  typed: string | undefined,
  cleared: boolean,
): FieldReading<Value | undefined> & { readonly entries?: readonly SealedEntry[] } {
  if (cleared && typed !== undefined) return { wrong: say('form.setAndCleared', { field: field.label }) }
  if (cleared && field.clearable) return { value: null }
  if (typed === undefined)
    return field.optional ? { value: undefined } : { wrong: say('form.missing', { field: field.label }) }
  if (field.kind !== 'secrets') return field.read(outsideText(typed))
  const secrets = readSecrets(typed)
  if ('wrong' in secrets) return secrets
  const names = field.read(secrets.entries.map(({ key }) => key).join(','))
  return 'wrong' in names ? names : { ...names, entries: secrets.entries }
}

/** Returns the longest field, which shows the error if the whole line is too long. */
function longestOf(row: Row, values: FieldValues): string {
  const length = (name: string): number => String(values[name] ?? '').length
  return Object.keys(row.fields).toSorted((a, b) => length(b) - length(a))[0] ?? ''
}

/** Returns the typed or chosen value of a block, or undefined if it is empty. */
function typedIn(state: FormState, block: string): string | undefined {
  const [filled] = Object.values(state[block] ?? {})
  const person = filled?.selected_user ? `@${filled.selected_user}` : undefined
  const [checked] = filled?.type === 'checkboxes' ? (filled.selected_options ?? []) : []
  const moment = filled?.selected_date_time ? inLine(filled.selected_date_time * 1000) : undefined
  const chosen = filled?.selected_option?.value ?? checked?.value ?? filled?.selected_conversation
  const typed = filled?.value ?? chosen ?? moment ?? person ?? ''
  return typed.trim() === '' ? undefined : typed
}

function chosenIn(state: FormState, block: string): readonly string[] {
  return Object.values(state[block] ?? {}).flatMap(({ selected_options: chosen }) =>
    (chosen ?? []).map(({ value }) => value),
  )
}

/** Reads one `KEY=value` per line. An error gives the number of the line and never quotes it. */
export function readSecrets(text: string): { readonly entries: readonly SealedEntry[] } | { readonly wrong: Words } {
  const entries: SealedEntry[] = []
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue
    const [, key, value] = /^\s*([A-Za-z_]\w{0,63})\s*=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) return { wrong: say('form.notAssigned', { line: at + 1 }) }
    if (entries.some((entry) => entry.key === key)) return { wrong: say('form.twice', { key, line: at + 1 }) }
    entries.push({ key, value })
  }
  return entries.length > 0 ? { entries } : { wrong: say('form.noneAssigned') }
}

/**
 * Fills a form for another endpoint and keeps what the person typed. Slack keeps the value of an input as long as its
 * action id stays the same. So an input with another initial value, which the person has not changed, gets a new action
 * id made from `turn`.
 */
export function refilled(view: ModalView, { blocks, state }: ViewOutput, turn: string): ModalView {
  const before = new Map(blocks.filter(isInput).map((one) => [one.block_id, one]))
  const filled = view.blocks.map((block) => {
    const old = before.get(block.block_id ?? '')
    if (!isInput(block) || old === undefined || block.element.action_id === endpointAction) return block
    const isTouched = typedIn(state?.values ?? {}, old.block_id) !== initialOf(old)
    const isKept = isTouched || initialOf(block) === initialOf(old)
    return { ...block, element: { ...block.element, action_id: isKept ? old.element.action_id : `value:${turn}` } }
  })
  return { ...view, blocks: filled as KnownBlock[] }
}

type Input = InputBlock & { readonly block_id: string }

function isInput(block: KnownBlock | Block): block is Input {
  return block.type === 'input' && block.block_id !== undefined
}

function initialOf({ block_id, element }: Input): string | undefined {
  const first = Object.entries(element).map(([key, value]) => [initial[key] ?? key, value])
  return typedIn({ [block_id]: { first: Object.fromEntries(first) } }, block_id)
}

const initial: Readonly<Record<string, string>> = {
  initial_value: 'value',
  initial_option: 'selected_option',
  initial_options: 'selected_options',
  initial_user: 'selected_user',
  initial_date_time: 'selected_date_time',
}
