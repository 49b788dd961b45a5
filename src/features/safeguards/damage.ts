import { type Acknowledged, type Gap, keyOf, type Rec } from '../../core/model/records.ts'
import type { Damage } from '../../core/ports/audit.ts'

/** Of names and of places in the audit. */
const mostNamed = 5

/** What ending a lockdown takes as it is; nothing where nothing is missing. */
export function acknowledgedIn({ gaps, gone, other }: Damage): Acknowledged | undefined {
  const records = [...gone, ...other].map(keyOf)
  return gaps.length + records.length === 0 ? undefined : { gaps, records }
}

/** Sentences about all that is missing, at an instant (ms since 1970). `nameOf`: an endpoint's id to its name. */
export function damageText({ gaps, gone, other }: Damage, now: number, nameOf: (id: string) => string): string {
  const lost = kindsOf(
    gone.filter((record) => !isOver(record, now)),
    nameOf,
  )
  const strange = kindsOf(other, nameOf)
  const says = [
    lost === '' ? '' : `Gone: ${lost}. Lay them down again.`,
    strange === '' ? '' : `Not as the audit says: ${strange}. Look whether they are as they should be.`,
    gaps.length === 0
      ? ''
      : `In the audit ${gapsText(gaps)} missing or not as written, and so may be what was laid down there alone.`,
  ].filter((part) => part !== '')
  return says.length === 0 ? 'As far as the audit tells nothing is missing.' : says.join(' ')
}

/** "entries 1 to 5, entry 9 are" */
function gapsText(gaps: readonly Gap[]): string {
  const [first] = gaps
  const single = gaps.length === 1 && first !== undefined && lastLost(first) <= first.from
  return `${listed(gaps.map(gapText))} ${single ? 'is' : 'are'}`
}

/** "entry 9 (and with it the proof of entry 10, which is there)"; "entries 1 to 5". */
export function gapText(gap: Gap): string {
  const { from, to, there } = gap
  if (to < from) return `what stands before entry ${from}`
  const proof = there === true ? ` (and with it the proof of entry ${to}, which is there)` : ''
  return `${spanText(from, lastLost(gap))}${proof}`
}

/** "entry 9", "entries 1 to 5" */
export function spanText(from: number, to: number): string {
  return from === to ? `entry ${from}` : `entries ${from} to ${to}`
}

function lastLost({ to, there }: Gap): number {
  return there === true ? to - 1 : to
}

function kindsOf(records: readonly Rec[], nameOf: (id: string) => string): string {
  const names = new Map<string, Set<string>>()
  for (const record of records) {
    const kind = kindOf(record)
    if (kind === null) continue
    const about = 'endpoint' in record ? (record.endpoint === null ? 'the whole team' : nameOf(record.endpoint)) : ''
    names.set(kind, (names.get(kind) ?? new Set()).add(about))
  }
  return [...names].map(([kind, about]) => `${kind} ${listed([...about])}`.trim()).join('; ')
}

/** Null for what nobody lays down. */
function kindOf({ kind }: Rec): string | null {
  switch (kind) {
    case 'protection':
      return 'protections of'
    case 'weekly':
    case 'once':
      return 'rules for'
    case 'idle':
      return 'idle rules for'
    case 'hold':
      return 'holds on'
    case 'away':
      return 'stand-ins'
    case 'freeze':
      return 'a freeze'
    case 'regrets':
    case 'lockdown':
      return null
  }
}

function listed(words: readonly string[]): string {
  const named = words.slice(0, mostNamed).join(', ')
  return words.length > mostNamed ? `${named} and ${words.length - mostNamed} more` : named
}

/** What would say nothing any more if it were there. */
function isOver(record: Rec, now: number): boolean {
  const until = record.kind === 'once' ? (record.until ?? record.at) : 'until' in record ? record.until : null
  return until !== null && until <= now
}
