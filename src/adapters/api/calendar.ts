import type { Commands } from '../../core/commands/commands.ts'
import { lockdownIn } from '../../core/model/records.ts'
import { type Language, say } from '../../core/model/words.ts'
import { isInside } from '../../core/policy/programs.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { plainText } from '../../core/words/plain.ts'
import { lockedDown } from '../../features/safeguards/lockdown.ts'
import { changesAhead } from '../../lifecycle/messages/ahead.ts'
import type { TokenCaller } from './caller.ts'
import { Refusal } from './problem.ts'

/** A calendar needs at least one component, even if nothing starts or stops. All instants are in UTC. */
const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** How far a calendar looks ahead, ms. */
const span = 14 * dayMs

/** Returns iCalendar (RFC 5545). Throws a Refusal in a lockdown, because nothing starts or stops then. */
export async function calendarOf(
  commands: Commands,
  { gateway, on }: Pick<TokenCaller, 'gateway' | 'on'>,
  language: Language,
  now: number,
): Promise<string> {
  const { project, home, store } = gateway
  const locked = lockdownIn(await store.records())
  if (locked !== null) throw new Refusal({ status: 503, type: 'locked', says: lockedDown(locked.why), retryAfter: 900 })
  const [coming, open, listed] = await Promise.all([home.coming(span), store.open(), store.names()])
  const endpoints = listed?.endpoints ?? []
  const ahead = changesAhead({ commands, coming, open, endpoints }).filter(({ endpoint }) =>
    isInside(on, endpoint, endpoints),
  )
  const stamp = instantOf(now)
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lamplighter//EN',
    `X-WR-CALNAME:${escaped(`Lamplighter ${project}`)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...(ahead.length === 0 ? zone : []),
    ...ahead.flatMap(({ endpoint: { id, name }, at, want, why }) => [
      'BEGIN:VEVENT',
      `UID:${escaped(`${project}-${id}-${want}-${at}`)}@lamplighter`,
      `DTSTAMP:${stamp}`,
      `DTSTART:${instantOf(at)}`,
      `SUMMARY:${escaped(plainText(say('calendar.change', { name, want, why }), language))}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n')
}

/** "20261124T090000Z" */
function instantOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function escaped(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\\;,]/g, '\\$&')
}

/** The longest line, in octets. */
const longest = 75

/** Folds a long line between characters. Each part but the first begins with a blank. */
function folded(line: string): string {
  const lines = ['']
  let size = 0
  for (const letter of line) {
    const octets = Buffer.byteLength(letter)
    if (size + octets > longest) {
      lines.push(' ')
      size = 1
    }
    lines.push(`${lines.pop() ?? ''}${letter}`)
    size += octets
  }
  return lines.join('\r\n')
}
