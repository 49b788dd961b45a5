import { policyFile } from '../domain/actor.ts'
import { decidedText } from '../domain/decided.ts'
import { instant } from '../domain/instant.ts'
import type { Freeze } from '../domain/records.ts'
import { type Rule, ruleName } from '../domain/rules.ts'
import type { Ruled } from '../domain/schedules.ts'
import type { Offer, Shown } from '../domain/shown.ts'
import { defineQuery } from './define.ts'
import { count, optional } from './field.ts'
import { endpointName } from './naming-fields.ts'
import { idleItem } from './schedules-idle.ts'
import { writeWord } from './words.ts'

/** As many endpoints as fit into a message with their rules. */
const size = 8
/** Of one endpoint, on a page of several. */
const few = 3

export const schedules = defineQuery({
  name: 'schedules',
  summary: 'Show what is to be up and down when, by whose rules, what is next, and what is watched for idleness.',
  examples: ['schedules', 'schedules my-llm'],
  fields: { on: optional(endpointName()), page: optional(count('Page', 'page', [1, 1_000])) },
  own: 'schedules',
  show: ({ freeze, ruled, outlooks }, { values: { on, page = 1 }, now }) => {
    const shown = ruled.slice((page - 1) * size, page * size)
    const [first] = shown
    const pages = Math.max(1, Math.ceil(ruled.length / size))
    return {
      title: titleOf(ruled, on),
      items: [
        ...frozen(freeze),
        ...shown.flatMap((one) => itemsOf(one, now, on === undefined ? few : Number.POSITIVE_INFINITY)),
      ],
      ...(outlooks.length > 0 && {
        block: outlooks.flatMap(({ zone, lines }, at) => [
          ...(at === 0 ? [] : ['']),
          `Next 7 days, ${zone}:`,
          ...lines,
        ]),
      }),
      ...(pages > 1 && { foot: `Page ${page} of ${pages}` }),
      offers: [
        ...(on === undefined || first === undefined ? [] : offersFor(first)),
        ...(page > 1 ? [pageAt(page - 1, 'Previous')] : []),
        ...(page < pages ? [pageAt(page + 1, 'Next')] : []),
      ],
    }
  },
})

const restsAsGone = 'The platform has it no more, so that its rules rest.'

function titleOf(ruled: readonly Ruled[], on: string | undefined): string {
  const [first] = ruled
  if (on !== undefined) {
    const name = first?.endpoint.name ?? on
    return first === undefined || isEmpty(first) ? `${name} has no rules.` : `Rules of ${name}`
  }
  if (first === undefined) return 'There are no rules. /endpoint schedule makes one.'
  return `Rules of ${ruled.length} ${ruled.length === 1 ? 'endpoint' : 'endpoints'}`
}

function isEmpty({ entries, idle }: Ruled): boolean {
  return entries.length === 0 && idle === undefined
}

function frozen(freeze: Freeze | null): Shown['items'] {
  if (freeze === null) return []
  const end = freeze.until === null ? 'until somebody thaws it' : `until ${instant(freeze.until)}`
  const because = freeze.because === undefined ? '' : `: “${freeze.because}”`
  return [{ text: `Automation is frozen ${end}${because}`, who: freeze.by, offers: [{ label: 'Thaw', line: 'thaw' }] }]
}

/** What decides now and what is next, then each rule with who has made it. */
function itemsOf(ruled: Ruled, now: number, most: number): Shown['items'] {
  const { endpoint, entries, rules, gone, idle } = ruled
  if (isEmpty(ruled)) return []
  const says = gone
    ? restsAsGone
    : decidedText(rules, now) || (entries.length > 0 ? 'Nothing decides about it now.' : 'No schedule.')
  const more = entries.length - most
  return [
    { text: `${endpoint.name}: ${says.charAt(0).toLowerCase()}${says.slice(1)}` },
    ...entries.slice(0, most).map(({ rule, resting }) => ({
      text: textOf(rule),
      ...(rule.kind === 'hold' && rule.by === 'console' ? {} : { who: whose(rule) }),
      detail: resting ? 'rests: whoever made it may not operate here any more' : endpoint.name,
      ...(rule.kind === 'weekly' && rule.endpoint === null ? {} : { offers: [offerOf(rule, endpoint)] }),
    })),
    ...(idle === undefined ? [] : [idleItem(idle, endpoint)]),
    ...(more > 0 ? [{ text: `${more} more`, offers: [allOf(endpoint)] }] : []),
  ]
}

/** "up weekdays 09:00-20:00 Asia/Seoul", "down once, today at 19:00". */
export function textOf(rule: Rule): string {
  if (rule.kind !== 'hold') return ruleName(rule)
  if (rule.skips !== undefined)
    return `the stop ${instant(rule.skips)} is skipped: left as it is until ${instant(rule.until)}`
  const why = rule.by === 'console' ? 'left as somebody has changed it elsewhere' : 'kept as it is'
  return `${why} until ${instant(rule.until)}`
}

function whose(rule: Rule) {
  if (rule.kind !== 'hold') return rule.owner
  return rule.by === 'console' ? policyFile : rule.by
}

type Named = Ruled['endpoint']

function offerOf(rule: Rule, { id }: Named): Offer {
  if (rule.kind === 'hold') return { label: 'Let its rules decide', line: `keep ${writeWord(id)} off` }
  const direction = rule.kind === 'weekly' ? rule.direction : rule.want
  // The one beside it, and no other that somebody has made.
  return { label: `Unschedule ${direction}`, line: `unschedule ${writeWord(id)} rule=${writeWord(rule.id)}` }
}

function allOf({ id, name }: Named): Offer {
  return { label: `Rules of ${name}`, line: `schedules ${writeWord(id)}` }
}

/** What can be done about one endpoint as a whole. */
function offersFor({ endpoint: { id, name }, entries }: Ruled): readonly Offer[] {
  const own = entries.filter(({ rule }) => rule.kind === 'once' || (rule.kind === 'weekly' && rule.endpoint !== null))
  return own.length > 1 ? [{ label: `Unschedule ${name}`, line: `unschedule ${writeWord(id)}` }] : []
}

function pageAt(page: number, label: string): Offer {
  return { label, line: `schedules page=${page}` }
}
