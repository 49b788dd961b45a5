import { call } from '../../core/commands/call.ts'
import { type Context, defineQuery } from '../../core/commands/define.ts'
import { choice, count, optional, text } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import type { Offer, QueryAnswer, Total } from '../../core/model/answer.ts'
import type { Endpoint, EndpointPage } from '../../core/model/endpoint.ts'
import { type Sentence, say } from '../../core/model/words.ts'
import { idleText } from '../idle/usage.ts'
import { freezeItems } from '../safeguards/freeze.ts'
import { factsOf, markOf, nextStep, rowActions, stateOf } from './state.ts'

type Reader = Omit<Context<unknown>, 'values'>

/** Well under Slack's 50 blocks. */
const size = 15

export const list = defineQuery({
  name: 'list',
  also: ['ls', '목록'],
  hints: [
    'cost',
    'costs',
    'price',
    'prices',
    'bill',
    'pay',
    'paying',
    'what',
    "what's",
    'whats',
    'which',
    'is',
    'are',
    '비용',
    '요금',
    '얼마',
    '뭐',
    '뭘',
    '어떤',
  ],
  everyToken: true,
  examples: ['list', 'list running', 'list stopped search=llm', 'list page=2'],
  fields: {
    state: optional(choice('state', ['running', 'stopped'], { active: 'running' })),
    search: optional(text('search', 'search', 100)),
    page: optional(count('page', 'page', [1, 10_000])),
  },
  call: ({ state, search, page }) =>
    call('get', '/endpoints', {
      params: {
        query: {
          size,
          page: page ?? 1,
          ...(search !== undefined && { search }),
          ...(state !== undefined && { is_active: state === 'running' }),
        },
      },
    }),
  ruled: true,
  used: ({ endpoints }) => endpoints,
  show: ({ endpoints, page, pages, total }, { values: { state, search }, totalOf, isInside, ...context }) => ({
    title: titleOf({ page, pages, total: isInside === undefined ? total : endpoints.filter(isInside).length }, state),
    ...withCost(
      [...freezeItems(context.freeze), ...endpoints.filter(isInside ?? (() => true)).map((one) => rowOf(one, context))],
      // A part of them is not all that runs.
      pages === 1 && search === undefined && isInside === undefined ? totalOf?.(endpoints) : undefined,
      context.byProgram,
    ),
    ...(pages > 1 && page <= pages && { foot: say('page.of', { page, pages }) }),
    offers: [
      ...(page > pages && pages > 0 ? [pageAt(pages, say('page.last'), state, search)] : []),
      ...(page > 1 && page <= pages ? [pageAt(page - 1, say('page.previous'), state, search)] : []),
      ...(page < pages ? [pageAt(page + 1, say('page.next'), state, search)] : []),
    ],
  }),
})

function rowOf(endpoint: Endpoint, context: Reader): QueryAnswer['items'][number] {
  const { byProgram, useOf, costOf, priceOf } = context
  return {
    text: endpoint.name,
    strong: true,
    mark: markOf(endpoint),
    ...(byProgram === true && { endpoint: factsOf(endpoint, priceOf?.(endpoint)) }),
    detail: stateOf(endpoint, {
      next: nextStep(endpoint, context),
      idle: idleText(useOf?.(endpoint) ?? null) ?? 'none',
      cost: costOf?.(endpoint),
    }),
    more: rowActions(endpoint),
  }
}

/** What all of it costs, first. To a program each row is an endpoint, so it stands below. */
function withCost(
  items: QueryAnswer['items'],
  total: Total | undefined,
  byProgram = false,
): Pick<QueryAnswer, 'items' | 'foot'> {
  if (total === undefined) return { items }
  const text = say('list.cost', { ...total })
  return byProgram ? { items, foot: text } : { items: [{ text }, ...items] }
}

function titleOf({ page, pages, total }: Omit<EndpointPage, 'endpoints'>, state = 'any'): Sentence {
  if (total === 0) return say('list.none')
  if (page > pages) return say('list.noPage', { page, pages })
  return say('list.title', { total, state })
}

function pageAt(page: number, label: Sentence, state: string | undefined, search: string | undefined): Offer {
  const words = [state, search !== undefined && `search=${writeWord(search)}`, `page=${page}`].filter(Boolean)
  return { label, line: `list ${words.join(' ')}` }
}
