import { defineQuery } from '../../core/commands/define.ts'
import { count, endpointName, optional } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/tokens.ts'
import { policyFile } from '../../core/model/actor.ts'
import type { Offer, Ruled, Shown, Watching } from '../../core/model/answer.ts'
import type { Freeze } from '../../core/model/records.ts'
import type { Rule } from '../../core/model/rules.ts'
import { instant, lasting } from '../../core/time/format.ts'
import { decidedText, textOf } from '../schedules/rules/describe.ts'

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

/** How an endpoint is watched for idleness, as one of its rules: "idle after 1 h, told 10 min before". */
function idleItem(
  { rule, resting }: Watching,
  { id, name }: { readonly id: string; readonly name: string },
): Shown['items'][number] {
  const { mode, after, warn, autoscaled, owner } = rule
  const even = autoscaled === true ? ', even where the platform scales it' : ''
  const how = mode === 'try' ? 'only tries: people read when it would be stopped' : `told ${lasting(warn)} before`
  return {
    text: mode === 'off' ? 'never stopped for idleness' : `idle after ${lasting(after)}, ${how}${even}`,
    who: owner,
    detail: resting ? 'rests: whoever made it may not operate here any more' : name,
    ...(mode !== 'off' && { offers: [{ label: 'Switch its idle watch off', line: `idle ${writeWord(id)} off` }] }),
  }
}
