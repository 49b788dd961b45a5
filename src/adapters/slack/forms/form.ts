import type { KnownBlock, ModalView } from '@slack/types'
import * as z from 'zod'
import type { Command } from '../../../core/commands/commands.ts'
import type { Operation, Row } from '../../../core/commands/define.ts'
import { summaryOf, titleOf } from '../../../core/commands/help.ts'
import { maybeSay, phrase } from '../../../core/commands/phrases.ts'
import { jsonIn } from '../../../core/model/formats.ts'
import { type Language, say, saysNothing, type Words } from '../../../core/model/words.ts'
import type { FormPreview } from '../../../core/ports/services.ts'
import type { Form } from '../../../core/requests/accept.ts'
import { dotted } from '../../../core/requests/in-words.ts'
import { asText, rendered } from '../../../core/words/render.ts'
import { previewOf } from '../../../lifecycle/messages/facts.ts'
import type { SentenceId } from '../../../words/english.ts'
import { contextLine, paragraph, plain } from '../kit/blocks.ts'
import { blocksOf } from '../messages/draw.ts'
import { clearingInput, inputFor, placeInput } from './inputs.ts'

export const formId = 'form'
export const previewId = 'preview'

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
  const { row, values, about, called, wrong, from, now = '', beside = {}, choices = {}, placeless = false } = form
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
    ...fields.map(([name, field]) =>
      inputFor(name, field, values[name], language, {
        called: field.kind === 'endpoint' && called !== undefined ? text(called) : undefined,
        wrong: name === wrong?.field ? text(wrong.says) : undefined,
        beside: text(beside[name] ?? ''),
        choices: choices[name]?.map((one) => ({ ...one, name: text(one.name) })),
        told: field.kind === 'endpoint' && form.follows === true,
      }),
    ),
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
