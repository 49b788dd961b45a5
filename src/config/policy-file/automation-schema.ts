import * as z from 'zod'
import { usualAutomation } from '../../core/model/automation.ts'
import { eventKinds } from '../../core/model/policy.ts'
import { say } from '../../core/model/words.ts'
import { readDate } from '../../core/time/calendar.ts'
import { readZone } from '../../core/time/zone.ts'
import { pattern } from './requirement-schema.ts'
import {
  group,
  like,
  listOf,
  packed,
  readText,
  settings,
  shown,
  span,
  textLike,
  variable,
  withoutQuoting,
  wordSchema,
  yesOrNo,
} from './schema-words.ts'

const zone = readText(say('zone.forms'), (text) => {
  const read = readZone(text)
  return 'zone' in read ? { value: read.zone } : read
})

const holiday = readText(
  say('policyFile.date'),
  (text) => {
    const value = readDate(text)
    return value === null ? null : { value }
  },
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
)

export const schedulesSchema = settings('schedules', {
  zone: zone.describe(
    "Time zone of rules that name none. Default: the requester's own; rules in this file then have to name one.",
  ),
  notice: span('5m', '120m').describe('How long before a stop the warning is posted. Default: 10m.'),
  holidays: listOf(like('[2026-12-25, 2027-01-01]'), holiday).describe('Dates on which no “up” time begins.'),
}).describe('Settings for all schedules.')

export const idleSchema = settings('idle', {
  usual: span('15m', '30d').describe('Idle time when none is given. Default: 60m.'),
  least: span('15m', '30d').describe('Shortest idle time allowed. Default: 15m.'),
  most: span('15m', '30d').describe('Longest idle time allowed. Default: 7d.'),
})
  .superRefine((written, context) => {
    const whole = { ...usualAutomation.idle, ...written }
    for (const [low, high] of [['least', 'usual'] as const, ['usual', 'most'] as const]) {
      if (whole[low] <= whole[high]) continue
      const [least, most] = [{ lasting: whole[low] }, { lasting: whole[high] }]
      const message = packed(say('policyFile.contradicts', { low, least, high, most }))
      context.addIssue({ code: 'custom', path: [written[low] === undefined ? high : low], message })
    }
  })
  .describe('How long an endpoint has to be idle before idle stop may stop it.')

const error = shown(say('policyFile.price'))
const price = z.number({ error }).min(0, { error })
const gpu = z.string().regex(/^(?!\s).{1,100}(?<!\s)$/)

export const pricesSchema = settings('prices', {
  currency: textLike(/^[A-Z]{3}$/, say('policyFile.currency')).describe('Currency of the prices. Default: USD.'),
  per_hour: z
    .record(gpu, price, {
      error: shown(say('policyFile.gpus', { example: '{ "RTX 4090": 0.75 }' })),
    })
    .describe(
      "Price of one replica per hour, by the platform's name of its GPU. 0: reserved, so a stop saves nothing. A GPU that is left out has the platform's price; without one, savings are shown in hours.",
    ),
}).describe('Prices for savings.')

const addressForm = say('policyFile.webhook', { setting: 'allow_private: true' })
const kindsForm = like('[requests, lockdowns]', 'kinds')
const onForm = like('["prod-*", "tag:prod"]', 'on')

const webhookForm = say('policyFile.keys', { keys: { all: ['name', 'url', 'secret_env'] }, name: 'none' })
const webhook = group(webhookForm, {
  name: textLike(/^[a-z0-9-]{1,32}$/, say('policyFile.projectName')).describe(
    'Name of the webhook, in doctor and in the log. What was sent to it is stored under this name.',
  ),
  // Its path may contain a secret.
  url: textLike(/^https?:\/\/[^\s/@#?]+(?:[/?][^\s#]*)?$/, addressForm, withoutQuoting(addressForm))
    .refine((url) => URL.canParse(url), { error: withoutQuoting(addressForm) })
    .describe('Address that events are sent to, by POST.'),
  secret_env: variable('EVENTS_SECRET').describe(
    'Environment variable with the secret that signs events. Never the secret itself.',
  ),
  kinds: listOf(kindsForm, wordSchema(eventKinds))
    .min(1, { error: shown(kindsForm) })
    .exactOptional()
    .describe('Which events are sent: requests, automation, holds, lockdowns. Default: all.'),
  on: listOf(onForm, pattern)
    .min(1, { error: shown(onForm) })
    .exactOptional()
    .describe('Only events about these endpoints: names, with * for anything, or tag: and a tag. Default: all.'),
  allow_private: yesOrNo()
    .exactOptional()
    .describe('Whether the address may be private or plain http. Default: false.'),
}).superRefine(({ url, allow_private }, context) => {
  if (url.startsWith('https:') || allow_private === true) return
  context.addIssue({ code: 'custom', path: ['url'], message: packed(say('policyFile.hidden'), addressForm) })
})

export const eventsSchema = listOf(like('[{ name: …, url: https://…, secret_env: EVENTS_SECRET }]', 'events'), webhook)
  .superRefine((webhooks, context) => {
    for (const [at, { name }] of webhooks.entries())
      if (webhooks.findIndex((one) => one.name === name) < at)
        context.addIssue({
          code: 'custom',
          path: [at, 'name'],
          message: packed(say('policyFile.twice', { value: JSON.stringify(name) })),
        })
  })
  .describe('Webhooks that get signed events.')
