import type { DailyPreview } from '../../../core/model/question.ts'
import type { Rules } from '../../../core/model/rules.ts'
import { type Sentence, say } from '../../../core/model/words.ts'
import { clockText, type Day, dayMs } from '../../../core/time/calendar.ts'
import { instantOf, localAt } from '../../../core/time/zone.ts'
import { type DecidedSpan, segments } from './desired-state.ts'

type Want = DecidedSpan['want']

const shownDays = 7

/** Previews 7 days in the zones of the rules and in `zone`. `stopsAt`: when what is wanted down now will stop, ms. */
export function previewDays(rules: Rules, now: number, zone: string, stopsAt?: number): readonly DailyPreview[] {
  // Two more days, for a night that begins on the last one.
  const wants = merged(segments(rules, now, now + (shownDays + 2) * dayMs))
  const usual = usualOf(wants)
  const [first, ...later] = wants
  const spans =
    stopsAt === undefined || first?.want !== 'down' || stopsAt >= first.to
      ? wants
      : [{ ...first, want: 'up' as const, from: now - dayMs, to: stopsAt }, { ...first, from: stopsAt }, ...later]
  const holidays = rules.weekly.length === 0 ? new Set<Day>() : rules.skip
  const zones = [...new Set([...rules.weekly.map((rule) => rule.zone), zone])]
  const all = zones.map((one) => ({ zone: one, lines: linesIn({ spans, usual }, holidays, now, one) }))
  return all.filter(
    ({ lines }, at) => all.findIndex((one) => JSON.stringify(one.lines) === JSON.stringify(lines)) === at,
  )
}

function linesIn(
  { spans, usual }: { readonly spans: readonly DecidedSpan[]; readonly usual: Want },
  holidays: Rules['skip'],
  now: number,
  zone: string,
): readonly Sentence[] {
  const first = localAt(now, zone).day
  return Array.from({ length: shownDays }, (_, nth) => first + nth).flatMap((day) => {
    const [start, end] = [instantOf(day, 0, zone), instantOf(day + 1, 0, zone)]
    const holiday = holidays.has(day) ? 'yes' : 'no'
    const [head, ...more] = textsOf(start, end)
    return [
      say('preview.day', { date: { day }, what: head, holiday }),
      ...more.map((what) => say('preview.more', { what })),
    ]
  })

  /** "up 22:00–06:00" for each span that begins on a day; a long span gets a text on every day that it touches. */
  function textsOf(start: number, end: number): readonly [Sentence, ...Sentence[]] {
    const here = spans.filter(({ from, to, want }) => want !== usual && from < end && to > start)
    const whole = here.find(({ from, to }) => from <= start && end <= to)
    if (whole !== undefined) return [say('preview.all', { want: wanted(whole) })]
    const [head, ...more] = here.flatMap((one) => {
      const [from = '', to = ''] = [one.from, one.to].map((ms) => clockText(localAt(ms, zone).minute))
      const want = wanted(one)
      if (one.from >= start)
        return isLong(one) && one.to > end
          ? [say('preview.from', { want, from })]
          : [say('preview.span', { want, from, to: to === '00:00' ? '24:00' : to })]
      return isLong(one) ? [say('preview.until', { want, to })] : []
    })
    if (head !== undefined) return [head, ...more]
    const [night, want] = [here.at(-1), wanted({ want: usual })]
    if (night === undefined) return [say('preview.all', { want })]
    return [say('preview.from', { want, from: clockText(localAt(night.to, zone).minute) })]
  }
}

/** Returns the state left out: the only one, or down if up occurs too and hands off is not longer, or hands off. */
function usualOf(all: readonly DecidedSpan[]): Want {
  const wants = new Set(all.map(({ want }) => want))
  if (wants.size === 1) return all[0]?.want ?? 'hands off'
  if (!wants.has('up') || !wants.has('down')) return 'hands off'
  const total = (wanted: Want) =>
    all.filter(({ want }) => want === wanted).reduce((sum, { from, to }) => sum + to - from, 0)
  return total('down') >= total('hands off') ? 'down' : 'hands off'
}

function merged(spans: readonly DecidedSpan[]): readonly DecidedSpan[] {
  const all: DecidedSpan[] = []
  for (const one of spans) {
    const last = all.at(-1)
    if (last?.want === one.want) all[all.length - 1] = { ...last, to: one.to }
    else all.push(one)
  }
  return all
}

/** Whether a span gets a text on its first and its last day, unlike a night. */
function isLong({ from, to, want }: DecidedSpan): boolean {
  return want === 'hands off' || to - from >= dayMs
}

function wanted({ want }: Pick<DecidedSpan, 'want'>): string {
  return want === 'hands off' ? 'left' : want
}
