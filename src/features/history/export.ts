import type { QueryAnswer } from '../../core/model/answer.ts'
import type { Event, Past } from '../../core/model/request.ts'
import { maskOf } from '../../core/text/redact.ts'
import { visible } from '../../core/text/unicode.ts'
import { withInstants } from '../../core/time/format.ts'

const hide = maskOf()

/** Every event as JSON Lines and as CSV. */
export function exported(past: readonly Past[]): QueryAnswer {
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

/** Times are UTC; people are Slack's ids, since names may change. */
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
 * Quoted, and never a formula, which a spreadsheet would run (OWASP, CSV injection). Formulas may be in full width, or
 * behind a semicolon or tab, at which some spreadsheets split quoted cells.
 */
function cell(text: string): string {
  const shown = visible(text).replace(/[;\t](?=[\s'"]*[=+@＝＋－＠-])/g, "$&'")
  return `"${(/^[\s'"]*[=+@＝＋－＠-]/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`
}
