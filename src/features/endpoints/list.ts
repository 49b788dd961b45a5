import { call } from '../../core/commands/call.ts'
import { defineQuery } from '../../core/commands/define.ts'
import { choice, count, optional, text } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/tokens.ts'
import type { Offer } from '../../core/model/answer.ts'
import { type Endpoint, type EndpointPage, stateOf } from '../../core/model/endpoint.ts'
import type { Use } from '../../core/model/reading.ts'
import { idleText } from '../idle/usage-text.ts'
import { nextOf } from '../schedules/rules/describe.ts'

/** As many as a person reads at a glance, and well under Slack's 50 blocks. */
const size = 15

export const list = defineQuery({
  name: 'list',
  also: ['ls'],
  summary: 'List endpoints with their state.',
  examples: ['list', 'list active', 'list stopped search=llm', 'list page=2'],
  fields: {
    state: optional(choice('State', ['active', 'stopped'])),
    search: optional(text('Search', 'search', 100)),
    page: optional(count('Page', 'page', [1, 10_000])),
  },
  call: ({ state, search, page }) =>
    call('get', '/endpoints', {
      params: {
        query: {
          size,
          page: page ?? 1,
          ...(search !== undefined && { search }),
          ...(state !== undefined && { is_active: state === 'active' }),
        },
      },
    }),
  ruled: true,
  used: ({ endpoints }) => endpoints,
  show: ({ endpoints, page, pages, total }, { values: { state, search }, useOf, ...context }) => ({
    title: titleOf({ page, pages, total }, state),
    items: endpoints.map((endpoint) => ({
      text: endpoint.name,
      detail: [stateOf(endpoint, nextOf(endpoint, context)), ...idleIn(useOf?.(endpoint) ?? null)].join(' · '),
      offers: switchesOf(endpoint),
    })),
    ...(pages > 1 && page <= pages && { foot: `Page ${page} of ${pages}` }),
    offers: [
      ...(page > pages && pages > 0 ? [pageAt(pages, 'Last page', state, search)] : []),
      ...(page > 1 && page <= pages ? [pageAt(page - 1, 'Previous', state, search)] : []),
      ...(page < pages ? [pageAt(page + 1, 'Next', state, search)] : []),
    ],
  }),
})

/** "idle for 2 h", where it is known to be. */
function idleIn(use: Use | null): readonly string[] {
  const idle = use === null ? null : idleText(use)
  return idle === null ? [] : [idle]
}

function titleOf({ page, pages, total }: Omit<EndpointPage, 'endpoints'>, state: string | undefined): string {
  if (total === 0) return 'No endpoint matches.'
  if (page > pages) return `There is no page ${page}; the last is page ${pages}.`
  return `${total} ${state === undefined ? '' : `${state} `}${total === 1 ? 'endpoint' : 'endpoints'}`
}

function pageAt(page: number, label: string, state: string | undefined, search: string | undefined): Offer {
  const words = [state, search !== undefined && `search=${writeWord(search)}`, `page=${page}`].filter(Boolean)
  return { label, line: `list ${words.join(' ')}` }
}

/** The line that switches an endpoint to its other state, as a button. By id, so that a rename cannot redirect it. */
export function switchesOf({ active, id, name }: Endpoint): readonly Offer[] {
  if (active === null) return []
  return [
    active
      ? { label: `Stop ${name}`, line: `stop ${writeWord(id)}` }
      : { label: `Start ${name}`, line: `start ${writeWord(id)}` },
  ]
}
