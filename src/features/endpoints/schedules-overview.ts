import { defineQuery } from '../../core/commands/define.ts'
import { count, endpointName, optional } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import type { EndpointRules, Offer, QueryAnswer, Watching } from '../../core/model/answer.ts'
import type { Freeze } from '../../core/model/records.ts'
import type { Actor } from '../../core/model/roles.ts'
import type { Rule } from '../../core/model/rules.ts'
import { lasting } from '../../core/time/format.ts'
import { freezeEnd } from '../safeguards/freeze.ts'
import { decidedText, textOf } from '../schedules/rules/describe.ts'

/** So many endpoints fit into a message with their rules. */
const size = 8
/** Rules shown of each endpoint, if there are several. */
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
const ownerIsAbsent = 'rests: whoever made it may not operate here any more'

function titleOf(ruled: readonly EndpointRules[], on: string | undefined): string {
  const [first] = ruled
  if (on !== undefined) {
    const name = first?.endpoint.name ?? on
    return first === undefined || isEmpty(first) ? `${name} has no rules.` : `Rules of ${name}`
  }
  if (first === undefined) return 'There are no rules. /endpoint schedule makes one.'
  return `Rules of ${ruled.length} ${ruled.length === 1 ? 'endpoint' : 'endpoints'}`
}

function isEmpty({ entries, idle }: EndpointRules): boolean {
  return entries.length === 0 && idle === undefined
}

function frozen(freeze: Freeze | null): QueryAnswer['items'] {
  if (freeze === null) return []
  const because = freeze.because === undefined ? '' : `: “${freeze.because}”`
  const text = `Automation is frozen ${freezeEnd(freeze.until)}${because}`
  return [{ text, who: freeze.by, offers: [{ label: 'Thaw', line: 'thaw' }] }]
}

function itemsOf(ruled: EndpointRules, now: number, most: number): QueryAnswer['items'] {
  const { endpoint, entries, rules, gone, idle } = ruled
  if (isEmpty(ruled)) return []
  const says = gone
    ? restsAsGone
    : decidedText(rules, now) || (entries.length > 0 ? 'Nothing decides about it now.' : 'No schedule.')
  const more = entries.length - most
  const offers = [{ label: `Rules of ${endpoint.name}`, line: `schedules ${writeWord(endpoint.id)}` }]
  return [
    { text: `${endpoint.name}: ${says.charAt(0).toLowerCase()}${says.slice(1)}` },
    ...entries.slice(0, most).map(({ rule, resting }) => ({
      text: textOf(rule),
      ...ownerIn(rule),
      detail: resting ? ownerIsAbsent : endpoint.name,
      ...(rule.kind === 'weekly' && rule.endpoint === null ? {} : { offers: [offerOf(rule, endpoint)] }),
    })),
    ...(idle === undefined ? [] : [idleItem(idle, endpoint)]),
    ...(more > 0 ? [{ text: `${more} more`, offers }] : []),
  ]
}

function ownerIn(rule: Rule): { readonly who?: Actor } {
  if (rule.kind !== 'hold') return { who: rule.owner }
  return rule.by === 'console' ? {} : { who: rule.by }
}

type Named = EndpointRules['endpoint']

function offerOf(rule: Rule, { id }: Named): Offer {
  if (rule.kind === 'hold') return { label: 'Let its rules decide', line: `keep ${writeWord(id)} off` }
  const direction = rule.kind === 'weekly' ? rule.direction : rule.want
  return { label: `Unschedule ${direction}`, line: `unschedule ${writeWord(id)} rule=${writeWord(rule.id)}` }
}

function offersFor({ endpoint: { id, name }, entries }: EndpointRules): readonly Offer[] {
  const own = entries.filter(({ rule }) => rule.kind === 'once' || (rule.kind === 'weekly' && rule.endpoint !== null))
  return own.length > 1 ? [{ label: `Unschedule ${name}`, line: `unschedule ${writeWord(id)}` }] : []
}

function pageAt(page: number, label: string): Offer {
  return { label, line: `schedules page=${page}` }
}

/** "idle after 1 h, told 10 min before" */
function idleItem({ rule, resting }: Watching, { id, name }: Named): QueryAnswer['items'][number] {
  const { mode, after, warn, autoscaled, owner } = rule
  const even = autoscaled === true ? ', even where the platform scales it' : ''
  const how = mode === 'try' ? 'only tries: people read when it would be stopped' : `told ${lasting(warn)} before`
  return {
    text: mode === 'off' ? 'never stopped for idleness' : `idle after ${lasting(after)}, ${how}${even}`,
    who: owner,
    detail: resting ? ownerIsAbsent : name,
    ...(mode !== 'off' && { offers: [{ label: 'Switch its idle watch off', line: `idle ${writeWord(id)} off` }] }),
  }
}
