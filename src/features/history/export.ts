import type { QueryAnswer } from '../../core/model/query-answer.ts'
import type { Event, Past } from '../../core/model/request.ts'
import { programOf } from '../../core/model/token.ts'
import { say } from '../../core/model/words.ts'
import { hide } from '../../core/text/redact.ts'
import { visible, withInstants } from '../../core/time/format.ts'
import { asText } from '../../core/words/render.ts'

/** Exports every event as JSON Lines and CSV. Exports are data, so they are always in English. */
export function exported(past: readonly Past[]): QueryAnswer {
  const entries = past.flatMap((one) => one.events.map((event) => entryOf(one, event)))
  if (entries.length === 0) return { title: say('history.exportNone'), items: [] }
  const columns = Object.keys(entries[0] ?? {})
  const table = [columns, ...entries.map((entry) => Object.values(entry))]
  return {
    title: say('history.export', { requests: past.length, events: entries.length }),
    items: [{ text: say('history.exportFiles') }],
    files: [
      { name: 'history.jsonl', text: entries.map((entry) => `${JSON.stringify(entry)}\n`).join('') },
      { name: 'history.csv', text: table.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('') },
    ],
  }
}

/** Times are UTC; people are Slack ids, because names may change. */
function entryOf({ request }: Past, { at, what, by, detail = '' }: Event): Record<string, string> {
  return {
    at: new Date(at).toISOString(),
    request: request.id,
    project: request.project,
    endpoint_id: request.endpoint?.id ?? '',
    endpoint: request.endpoint?.name ?? '',
    line: hide(request.line),
    asked_by: request.actor.user,
    team: request.actor.team,
    event: what,
    by: by?.user ?? '',
    detail: withInstants(hide(asText(detail, 'en'))),
    ended: request.status,
    via: request.via ?? '',
    program: programOf(request) ?? '',
  }
}

/** Quotes a cell, and prevents formulas (OWASP, CSV injection), also in full width or after a semicolon or a tab. */
function cell(text: string): string {
  const shown = visible(text).replace(/[;\t](?=[\s'"]*[=+@＝＋－＠-])/g, "$&'")
  return `"${(/^[\s'"]*[=+@＝＋－＠-]/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`
}
