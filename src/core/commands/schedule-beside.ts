import type { Offer } from '../model/answer.ts'
import { freezeAt, type Records, recordOn } from '../model/records.ts'
import { keptBy, type WeeklyRule, weeklyName } from '../model/rules.ts'
import { say, type Words } from '../model/words.ts'
import { clockText, dayMs } from '../time/calendar.ts'
import { inLine, spanOf } from '../time/format.ts'
import { isGuessed, koreanTimes } from '../time/korean-when.ts'
import { hoursOf, readWindow } from '../time/weekly-window.ts'
import { localAt, placeOfZone } from '../time/zone.ts'
import type { Commands } from './commands.ts'
import { type Read, writeLine, writeWord } from './parse.ts'

/**
 * What a sentence comes to about what runs or is stopped. "켜 둬" about what runs is a pause: a start would only give it
 * an end. A stop has no end, so "off until monday" is a pause of what is stopped, and of what runs a stop and then a pause.
 */
export function asItIs(
  lines: readonly string[],
  named: { readonly name: string; readonly active: boolean | null } | undefined,
  typed: string,
  parse: (line: string) => Read,
): { readonly lines: readonly string[]; readonly note: Words } {
  const { name = '', active = null } = named ?? {}
  const [stop, pause] = [`stop ${writeWord(name)}`, `keep ${writeWord(name)}`]
  const isKeptOn = active === true && /켜 ?[두둬놓놔]/.test(typed)
  if (named === undefined || !lines.includes(stop)) return { lines: isKeptOn ? lines.map(paused) : lines, note: '' }
  const [end] = /\b(?:until|for) .+|(?<=keep .+ )tonight/i.exec(typed) ?? []
  const ends = (end === undefined ? koreanTimes(typed) : [end]).flatMap((one) => {
    const read = parse(`${pause} ${one}`)
    return read.kind === 'line' ? [read.read.line] : []
  })
  if (active !== false) {
    const near = { any: ends.map((line) => say('line.typed', { line })) }
    const note = ends.length === 0 ? '' : say('line.stopEndless', { near })
    return { lines: lines.filter((one) => !one.startsWith(pause)), note }
  }
  const pauses = ends.length > 0 ? ends : lines.filter((one) => one.startsWith(pause))
  return { lines: pauses.length > 0 ? pauses : lines, note: '' }
}

/** "extend it by 2h" about what somebody has given an end: its end is that much later. */
export function laterThan(
  lines: readonly string[],
  { id, name, active }: { readonly id: string; readonly name: string; readonly active: boolean | null },
  records: Records,
  { now, zone }: { readonly now: number; readonly zone: string | null },
): readonly string[] {
  const pause = `keep ${writeWord(name)}`
  const ends = [...records.values()].flatMap((one) =>
    one.kind === 'once' && one.endpoint === id ? [{ ...one, end: one.want === 'up' ? (one.until ?? 0) : one.at }] : [],
  )
  const [first] = ends.filter(({ end }) => end > now).toSorted((a, b) => a.end - b.end)
  if (first === undefined) return active === false ? lines.map((line) => line.replace(/^keep /, 'start ')) : lines
  const begun = first.want === 'up' ? `start ${writeWord(name)}` : pause
  return lines.map((line) => {
    if (!line.startsWith(pause)) return line
    const length = spanOf(/ for (\S+)$/.exec(line)?.[1] ?? '')
    return length === null ? line.replace(pause, begun) : [begun, 'until', dayTime(first.end + length)].join(' ')
  })

  function dayTime(at: number): string {
    const [there, here] = zone === null ? [] : [at, now].map((ms) => localAt(ms, zone))
    const word = ['today', 'tomorrow'][(there?.day ?? 0) - (here?.day ?? 9)]
    return word === undefined || there === undefined ? inLine(at) : [word, clockText(there.minute)].join(' ')
  }
}

function paused(line: string): string {
  return line.replace(/^start (?=.+ (?:until|for) )/, 'keep ')
}

interface Offered {
  /** What is to be offered, as lines. */
  readonly lines: readonly string[]
  readonly typed: string
  readonly named: { readonly id: string; readonly name: string; readonly autoscaled?: boolean } | undefined
  /** The asker's, in which the times of a line are meant; null: not known. */
  readonly zone: string | null
  /** The team's, in which they are if it is typed. */
  readonly teamZone: string | null | undefined
  /** What a form would say of a line. */
  readonly foresee: (
    line: string,
  ) => Promise<{ readonly kind: 'rule' } | { readonly kind: 'wrong'; readonly says: Words } | null>
}

type Asked = Pick<WeeklyRule, 'direction' | 'window'>

/**
 * What is said beside the offer of a schedule: which one the endpoint has already, and that the times are only meant.
 * `standing`: instead of an offer of what its schedule does anyway, or contradicts. `lines`: what is offered, with the words
 * without which a schedule is refused, or means the times of another zone.
 */
export async function scheduleBeside(
  { commands, clock }: { readonly commands: Pick<Commands, 'stored'>; readonly clock: { now(): number } },
  readRecords: () => Promise<Records | null | undefined>,
  { lines, typed, named, zone, teamZone, foresee }: Offered,
): Promise<{
  readonly lines: readonly string[]
  readonly note: Words
  readonly standing: { readonly says: Words; readonly offers: readonly Offer[] } | null
}> {
  const [asked] = lines.flatMap(weeklyIn)
  if (asked === undefined) return unlessRefused(lines, '')
  const isScaled = named?.autoscaled === true
  const offered = lines.map(inFull)
  const suggested = offered.some((line) => isGuessed(line, typed)) ? say('line.suggested') : ''
  const note = [isScaled ? say('line.autoscaled', { name: named.name }) : '', suggested]
  const records = (named && (await readRecords())) ?? new Map()
  const weekly = [...records.values()].filter((one) => one.kind === 'weekly')
  const rules = weekly.filter(({ endpoint }) => endpoint === named?.id)
  if (named === undefined || rules.length === 0) return unlessRefused(offered, note)
  const { id, name } = named
  const has = { name, rules: { all: rules.map(weeklyName) } }
  const now = clock.now()
  // Clocks may change in one zone and not in the other.
  const kept = [now, now + 182 * dayMs].map((at) => keptBy(rules, { ...asked, zone: zone ?? undefined }, at))
  const [against] = kept.filter(({ how }) => how === 'against')
  if (against === undefined && kept.some(({ how }) => how === 'partly'))
    return unlessRefused(offered, [say('line.scheduled', has), ...note])
  const hold = recordOn(records, 'hold', id)
  const paused = against !== undefined ? null : hold !== undefined && hold.until > now ? hold : freezeAt(records, now)
  const offers: readonly Offer[] = [
    ...(paused === null ? [] : [resuming(paused.kind, name)]),
    { label: say('action.schedules'), line: `schedules ${writeWord(name)}` },
    { label: say('action.schedule'), line: `schedule ${writeWord(name)}`, opens: 'form' },
  ]
  if (paused === null) {
    const place = zone === null ? 'none' : placeOfZone(zone)
    const hours = against && { times: hoursOf(against.against), place }
    const told = { ...has, want: asked.direction }
    const says = hours === undefined ? say('line.standing', told) : say('line.against', { ...told, ...hours })
    return { lines, note, standing: { says, offers } }
  }
  const until = paused.until === null ? 'none' : { at: paused.until }
  return { lines, note, standing: { says: say('line.resting', { ...has, by: paused.kind, until }), offers } }

  /** What its form would refuse is no offer: a protected endpoint is not stopped by the clock. */
  async function unlessRefused(likely: readonly string[], beside: Words) {
    const seen = await Promise.all(likely.map(foresee))
    const left = likely.filter((_, at) => seen[at]?.kind !== 'wrong')
    const [says] = seen.flatMap((one) => (one?.kind === 'wrong' ? [one.says] : []))
    const isRefused = says !== undefined && left.length === 0
    const isTimed = left.some((line) => weeklyIn(line).length > 0)
    return { lines: left, note: isTimed ? beside : '', standing: isRefused ? { says, offers: [] } : null }
  }

  function inFull(line: string): string {
    const { row, values = {} } = commands.stored(line) ?? {}
    if (row === undefined || weeklyIn(line).length === 0) return line
    const isElsewhere = zone !== null && typeof teamZone === 'string' && teamZone !== zone
    const words = { ...(isElsewhere && { zone }), ...(named?.autoscaled === true && { autoscaled: 'yes' }) }
    return writeLine(row, { ...words, ...values })
  }

  /** The rule that a line would make. */
  function weeklyIn(line: string): readonly Asked[] {
    const { row, values = {} } = commands.stored(line) ?? {}
    const [field] = Object.entries(row?.fields ?? {}).find(([, { kind }]) => kind === 'window') ?? []
    const read = field === undefined ? null : readWindow(String(values[field]))
    if (read === null || 'wrong' in read) return []
    return [{ direction: values['direction'] === 'up' ? 'up' : 'down', window: read.window }]
  }
}

function resuming(paused: 'hold' | 'freeze', name: string): Offer {
  return paused === 'hold'
    ? { label: say('schedules.resume'), line: `resume ${writeWord(name)}` }
    : { label: say('schedules.thaw'), line: 'thaw' }
}
