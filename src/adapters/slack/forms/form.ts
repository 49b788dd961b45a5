import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import * as z from 'zod'
import type { Command } from '../../../core/commands/commands.ts'
import type { Operation, Row } from '../../../core/commands/define.ts'
import type { Field } from '../../../core/commands/fields.ts'
import { summaryOf, titleOf } from '../../../core/commands/help.ts'
import { maybeSay, phrase } from '../../../core/commands/phrases.ts'
import { jsonIn } from '../../../core/model/formats.ts'
import type { FieldValues } from '../../../core/model/request.ts'
import { type Language, say, saysNothing, type Words } from '../../../core/model/words.ts'
import type { FormPreview } from '../../../core/ports/services.ts'
import type { Form } from '../../../core/requests/accept.ts'
import { dotted } from '../../../core/requests/in-words.ts'
import { asText, rendered } from '../../../core/words/render.ts'
import { previewOf } from '../../../lifecycle/messages/facts.ts'
import type { SentenceId } from '../../../words/english.ts'
import { contextLine, paragraph, plain } from '../kit/blocks.ts'
import { blocksOf } from '../messages/draw.ts'
import { elementFor, hintOf, menuOf, option } from './elements.ts'

export const formId = 'form'
export const previewId = 'preview'

/** Ids of blocks that are not fields. No field's name has a colon. */
export const clearingId = ':clear'
export const placeId = ':place'

/** Where a form was opened. It is stored in the form's metadata. */
const origin = z.object({
  /** '' on the Home and in the global shortcut, which have no channel. */
  channel: z.string(),
  project: z.string().optional(),
  /** Slack's response URL for private answers, which expires. */
  replyUrl: z.string().optional(),
})
/** `request`: the id of the request that the form answers. */
const formMetadata = origin.extend({
  verb: z.string(),
  request: z.string().optional(),
})
const previewMetadata = origin.extend({ line: z.string(), chosen: z.boolean().optional() })

export function formView(form: Form, language: Language): ModalView {
  const { row, values, about, called, from, now = '', choices = {}, placeless = false } = form
  const isAnswer = about !== undefined && called !== undefined
  const fields = Object.entries(row.fields)
    .filter(([name]) => !isAnswer || name !== 'request')
    .filter(([name, { listed }]) => listed !== true || (choices[name] ?? values[name]) !== undefined)
  const text = (words: Words) => asText(words, language)
  const isKept = fields.some(([, { clearable }]) => clearable)
  const blocks: KnownBlock[] = [
    isAnswer
      ? paragraph(...rendered(dotted(called, about), language))
      : contextLine(text([summaryOf(row), isKept ? say('form.keepCurrent') : ''])),
    ...(saysNothing(now) ? [] : [paragraph(...rendered(now, language))]),
    ...fields.map(([name, field]) => inputFor(name, field, form, language)),
    ...clearingInput(fields, values, language),
    ...(placeless ? [placeInput(language)] : []),
  ]
  return {
    type: 'modal',
    callback_id: formId,
    title: plain(text(titleOf(row)), 24),
    submit: plain(text(submitOf(row)), 24),
    close: plain(text(maybeSay(`form.${row.name}.close`) ?? say('form.close')), 24),
    private_metadata: JSON.stringify({ ...from, verb: row.name, ...(isAnswer && { request: values['request'] }) }),
    blocks,
  }
}

/** Draws a field's input. The field's name is the block id. */
function inputFor(name: string, field: Field, form: Form, language: Language): InputBlock {
  const { values, called, wrong, beside = {}, choices = {}, follows } = form
  const text = (words: Words) => asText(words, language)
  const given = values[name]
  const isEndpoint = field.kind === 'endpoint'
  const among = choices[name]?.map((one) => option(text(one.name), one.value))
  const element = among
    ? menuOf(among, `${given ?? ''}`, language)
    : elementFor(field, given, language, isEndpoint && called !== undefined ? text(called) : undefined)
  const mistake = name === wrong?.field ? text(wrong.says) : ''
  const hint = [mistake, text(beside[name] ?? ''), hintOf(field, given, language)].filter((part) => part !== '')
  const block = input(name, text(field.label), hint.join(' '), element, field.optional === true)
  // Slack reports at once that another endpoint was picked.
  return isEndpoint && follows === true ? { ...block, dispatch_action: true } : block
}

const longestHint = 2_000

function input(id: string, label: string, hint: string, element: InputBlock['element'], optional: boolean): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label, longestHint),
    optional,
    ...(hint !== '' && { hint: plain(hint, longestHint) }),
    element,
  }
}

/** Draws a menu of the settings that can be cleared, because an empty field keeps its setting. */
function clearingInput(fields: readonly (readonly [string, Field])[], values: FieldValues, language: Language) {
  const options = fields
    .filter(([, { clearable }]) => clearable)
    .map(([name, { label }]) => option(asText(label, language), name))
  if (options.length === 0) return []
  const chosen = options.filter(({ value }) => value !== undefined && values[value] === null)
  const menu: InputBlock['element'] = {
    type: 'multi_static_select',
    action_id: 'value',
    options,
    ...(chosen.length > 0 && { initial_options: chosen }),
  }
  return [input(clearingId, asText(say('form.clear'), language), asText(say('form.clearHint'), language), menu, true)]
}

/** Asks for the card's channel if the form was opened outside channels. It gives no role (`Place.chosen`). */
function placeInput(language: Language): InputBlock {
  const menu: InputBlock['element'] = {
    type: 'conversations_select',
    action_id: 'value',
    default_to_current_conversation: true,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
  }
  return input(placeId, asText(say('form.channel'), language), asText(say('form.channelHint'), language), menu, false)
}

function submitOf({ kind, name }: Row): Words {
  if (kind === 'query') return say('form.show')
  return maybeSay(`form.${name}.submit`) ?? maybeSay(`action.${name}`) ?? say(`${name}.ask` as SentenceId)
}

/** Shows the week that a rule would make, before the person confirms it. */
export function previewView(
  { name, means, outlooks }: FormPreview & { readonly kind: 'rule' },
  from: z.infer<typeof previewMetadata>,
  command: Command<Operation>,
  language: Language,
): ModalView {
  return {
    type: 'modal',
    callback_id: previewId,
    title: plain(asText(say('form.preview'), language), 24),
    submit: plain(asText(say('form.next'), language), 24),
    close: plain(asText(say('form.back'), language), 24),
    private_metadata: JSON.stringify(from),
    blocks: [
      paragraph({ bold: asText(phrase(command, name, 'ask'), language) }),
      ...means.map((one) => paragraph(...rendered(one, language))),
      ...previewOf(outlooks).flatMap((part) => blocksOf(part, language)),
      contextLine(asText(say('form.unsaved'), language)),
    ],
  }
}

/** Reads the metadata that `formView` or `previewView` wrote. Returns null for any other view. */
export const formMetadataIn = (text: string) => formMetadata.safeParse(jsonIn(text)).data ?? null
export const previewMetadataIn = (text: string) => previewMetadata.safeParse(jsonIn(text)).data ?? null
