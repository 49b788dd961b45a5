import * as z from 'zod'
import { usualAutomation } from '../../core/model/automation.ts'
import { readDate } from '../../core/time/calendar.ts'
import { lasting } from '../../core/time/format.ts'
import { readZone } from '../../core/time/zone-names.ts'
import { shown, span } from './schema-words.ts'

const forms = {
  schedules: 'Write zone, notice or holidays below it, or leave schedules out.',
  zone: 'Write a time zone such as Asia/Seoul, Europe/Berlin or UTC.',
  holidays: 'Write a list of dates, for example [2026-12-25, 2027-01-01].',
  holiday: 'Write a date of the calendar, for example 2026-12-25.',
  idle: 'Write usual, least or most below it, or leave idle out.',
  prices: 'Write currency and per_hour below it, or leave prices out.',
  currency: 'Write the three letters of a currency, for example USD.',
  perHour: 'Write GPUs as the platform names them, each with its price, for example { "RTX 4090": 0.75 }.',
  price: 'Write what an hour of one replica costs, for example 0.75, or 0 where it is reserved.',
}

const zone = z.string({ error: shown(forms.zone) }).transform((text, context): string => {
  const read = readZone(text)
  if ('zone' in read) return read.zone
  context.addIssue({ code: 'custom', message: `is ${JSON.stringify(text.slice(0, 60))}. ${read.wrong}` })
  return z.NEVER
})

const holiday = z
  .string({ error: shown(forms.holiday) })
  .meta({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })
  .transform((text, context): number => {
    const day = readDate(text)
    if (day !== null) return day
    context.addIssue({ code: 'custom', message: `is ${JSON.stringify(text.slice(0, 60))}. ${forms.holiday}` })
    return z.NEVER
  })

export const schedulesSchema = z
  .strictObject(
    {
      zone: zone
        .exactOptional()
        .describe("The zone of lines that name none. Left out: the asker's own, and lines in this file name theirs."),
      notice: span('5m', '120m').exactOptional().describe('How long before a stop people are told of it. Usually 10m.'),
      holidays: z
        .array(holiday, { error: shown(forms.holidays) })
        .exactOptional()
        .describe('Dates on which no up-window begins.'),
    },
    { error: shown(forms.schedules) },
  )
  .describe('What holds for every schedule.')

export const idleSchema = z
  .strictObject(
    {
      usual: span('15m', '30d').exactOptional().describe('Unless somebody says otherwise. Usually 60m.'),
      least: span('15m', '30d').exactOptional().describe('The shortest that anybody may say. Usually 15m.'),
      most: span('15m', '30d').exactOptional().describe('The longest that anybody may say. Usually 7d.'),
    },
    { error: shown(forms.idle) },
  )
  .superRefine((written, context) => {
    const whole = { ...usualAutomation.idle, ...written }
    for (const [low, high] of [['least', 'usual'] as const, ['usual', 'most'] as const]) {
      if (whole[low] <= whole[high]) continue
      const lengths = `${low} is ${lasting(whole[low])} and ${high} is ${lasting(whole[high])}`
      const message = `does not go together with the rest: ${lengths}. Make ${low} shorter or ${high} longer.`
      context.addIssue({ code: 'custom', path: [written[low] === undefined ? high : low], message })
    }
  })
  .describe('How long an endpoint has to be quiet before the idle watch may stop it.')

const price = z.number({ error: shown(forms.price) }).min(0, { error: shown(forms.price) })
const gpu = z.string().regex(/^(?!\s).{1,100}(?<!\s)$/)

export const pricesSchema = z
  .strictObject(
    {
      currency: z
        .string({ error: shown(forms.currency) })
        .regex(/^[A-Z]{3}$/, { error: shown(forms.currency) })
        .exactOptional()
        .describe('In what the prices are. Usually USD.'),
      per_hour: z
        .record(gpu, price, { error: shown(forms.perHour) })
        .exactOptional()
        .describe(
          "What an hour of one replica costs, by the platform's name of its GPU; 0: it is reserved, so a stop saves nothing. A GPU left out: what the platform says, or else hours only.",
        ),
    },
    { error: shown(forms.prices) },
  )
  .describe('What savings are told in.')
