import type { Shown } from '../../core/model/answer.ts'
import type { Past } from '../../core/model/past.ts'
import type { Event } from '../../core/model/request.ts'
import { maskOf } from '../../core/text/redact.ts'
import { visible } from '../../core/text/unicode.ts'
import { withInstants } from '../../core/time/format.ts'

const hide = maskOf()

/** Every event as a line of JSON, and as a row for a spreadsheet. */
export function exported(past: readonly Past[]): Shown {
  const entries = past.flatMap((one) => one.events.map((event) => entryOf(one, event)))
  if (entries.length === 0) return { title: 'There is no history to export.', items: [] }
  const columns = Object.keys(entries[0] ?? {})
  const table = [columns, ...entries.map((entry) => Object.values(entry))]
  return {
    title: `${past.length.toLocaleString('en')} ${past.length === 1 ? 'request' : 'requests'}, ${entries.length.toLocaleString('en')} events`,
    items: [{ text: 'They come to you as two files, by direct message: JSON Lines and CSV.' }],
    files: [
      { name: 'history.jsonl', text: entries.map((entry) => `${JSON.stringify(entry)}\n`).join('') },
      { name: 'history.csv', text: table.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('') },
    ],
  }
}

/** An event with what it belongs to. Times are UTC; people are Slack's ids, as names may change. */
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
    detail: withInstants(hide(detail)),
    ended: request.status,
    via: request.via ?? '',
  }
}

/**
 * Quoted, and never a formula: a spreadsheet would run what begins like one (OWASP, CSV injection), also in full width,
 * and also behind a semicolon or a tab, at which some of them split cells that are quoted.
 */
function cell(text: string): string {
  const shown = visible(text).replace(/[;\t](?=[\s'"]*[=+@＝＋－＠-])/g, "$&'")
  return `"${(/^[\s'"]*[=+@＝＋－＠-]/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`
}
