import type { App, ViewStateValue, ViewSubmitAction } from '@slack/bolt'
import type { Commands } from '../../../core/commands/commands.ts'
import type { Row } from '../../../core/commands/define.ts'
import type { Field, FieldReading } from '../../../core/commands/fields.ts'
import { writeLine } from '../../../core/commands/parse.ts'
import type { FieldValues, Value } from '../../../core/model/request.ts'
import { type Language, say, type Words } from '../../../core/model/words.ts'
import type { SealedEntry } from '../../../core/ports/services.ts'
import { type Arrival, accept, type Origin } from '../../../core/requests/accept.ts'
import { acceptForm, type FormResult, type Submission } from '../../../core/requests/accept-form.ts'
import { languageFor } from '../../../core/requests/gateway.ts'
import { inLine, outsideText } from '../../../core/time/format.ts'
import { asText } from '../../../core/words/render.ts'
import { formId, formMetadataIn, previewId, previewMetadataIn, previewView } from '../forms/form.ts'
import { clearingId, placeId } from '../forms/inputs.ts'
import { plainModal } from '../home/menu.ts'
import { inUtc } from '../kit/text.ts'
import { actorIn, type ListenerContext, messageFor, replyUrlIn } from './interaction.ts'

type Ack = Parameters<Parameters<typeof App.prototype.view<ViewSubmitAction>>[1]>[0]['ack']

/** Forms that come back. What is wrong stands at its field; what is right is a line like any other. */
export function listenToForms(app: App, listening: ListenerContext): void {
  app.view<ViewSubmitAction>({ callback_id: formId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const { commands, gateways } = listening
    const language = () => languageFor(gateways, actorIn(body))
    const from = formMetadataIn(view.private_metadata)
    const row = from === null ? undefined : commands.find(from.verb)
    if (from === null || row === undefined) return answer(ack, oldForm, await language())
    const given = from.request === undefined ? {} : { request: from.request }
    const filled = readForm(commands, row, view.state.values, await language(), given)
    if ('errors' in filled) return answer(ack, { kind: 'wrong', errors: filled.errors }, await language())
    const { channel, line, values } = filled
    const place = { ...from, ...(channel !== undefined && { channel, chosen: true }) }
    const result = await acceptForm(listening, arrivalOf(listening, body, place, line), { ...filled, row })
    if (result.kind !== 'preview') return answer(ack, result, await language())
    const preview = previewView(result.preview, { ...place, line }, { row: result.row, values }, await language())
    return ack({ response_action: 'push', view: preview })
  })

  // Somebody has seen what a rule comes to, and asks for it.
  app.view<ViewSubmitAction>({ callback_id: previewId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const language = () => languageFor(listening.gateways, actorIn(body))
    const from = previewMetadataIn(view.private_metadata)
    if (from === null) return answer(ack, oldForm, await language())
    return answer(ack, await accept(listening, arrivalOf(listening, body, from, from.line)), await language())
  })
}

const oldForm = { kind: 'said', says: say('form.old') } as const

async function answer(
  ack: Ack,
  result: Exclude<FormResult, { readonly kind: 'preview' }>,
  language: Language,
): Promise<void> {
  if (result.kind === 'wrong') {
    const errors = Object.entries(result.errors).map(([field, says]) => [field, inUtc(asText(says, language))] as const)
    return ack({ response_action: 'errors', errors: Object.fromEntries(errors) })
  }
  if (result.kind === 'taken' || result.kind === 'form') return ack({ response_action: 'clear' })
  return ack({ response_action: 'update', view: plainModal(messageFor(result, language).blocks, language) })
}

function arrivalOf(
  listening: ListenerContext,
  body: ViewSubmitAction,
  { channel, chosen, project, replyUrl }: Origin & { readonly chosen?: boolean | undefined },
  typed: string,
): Arrival {
  return {
    // A form is handed in once, however often its button is pressed or Slack delivers it.
    delivery: `form ${body.view.id}`,
    typed,
    via: 'form',
    actor: actorIn(body),
    channel,
    ...(chosen === true && { chosen }),
    project,
    replyUrl: replyUrlIn(listening, replyUrl),
  }
}

export type FormState = Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>

export interface Filled extends Omit<Submission, 'row'> {
  readonly channel: string | undefined
}

/** Reads a form with the fields that read a typed line; `given` has no input. Never throws. */
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
    if ('wrong' in reading) errors[name] = asText(reading.wrong, language)
    else if (reading.value !== undefined) values[name] = reading.value
    if (reading.entries) secrets.push({ field: name, entries: reading.entries })
  }
  if (Object.keys(errors).length > 0) return { errors }
  const read = commands.parse(writeLine(row, values))
  if (read.kind !== 'line') {
    const { says, field } = read.kind === 'incomplete' && read.nonsense ? read.nonsense : { ...read, field: undefined }
    return { errors: { [field ?? longestOf(row, values)]: asText(says, language) } }
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

/** The field for a mistake of the whole line, which is too long. */
function longestOf(row: Row, values: FieldValues): string {
  const length = (name: string): number => String(values[name] ?? '').length
  return Object.keys(row.fields).toSorted((a, b) => length(b) - length(a))[0] ?? ''
}

/** The typed or chosen value of a block; undefined if it is empty. */
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

/** Reads `KEY=value`, one on each line. A mistake names the line by number and never quotes it. */
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
