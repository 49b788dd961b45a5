import { call } from '../../core/commands/call.ts'
import { type Context, defineQuery } from '../../core/commands/define.ts'
import { choice, count, optional, text } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint, EndpointPage } from '../../core/model/endpoint.ts'
import type { Offer, QueryAnswer, Total } from '../../core/model/query-answer.ts'
import type { Use } from '../../core/model/reading.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { dotted } from '../../core/requests/in-words.ts'
import { idleText } from '../idle/usage.ts'
import { freezeItems } from '../safeguards/freeze.ts'
import { besideState, factsOf, markOf, nextStep, rowActions, stateOf } from './state.ts'
import { statusAsked } from './status.ts'

type Reader = Omit<Context<unknown>, 'values'>

/** Well below Slack's limit of 50 blocks. */
const size = 15
/** How many endpoints are searched for idle ones, each of which takes two reads of the storage. */
const looked = 200

const unused = { unused: 'idle', 유휴: 'idle', 놀고: 'idle', 노는: 'idle', '안 쓰': 'idle', '안 써': 'idle' } as const

const busy = { 돌아가: 'running', 돌고: 'running', 켜져: 'running', '실행 중': 'running' } as const

const states = choice('state', ['running', 'stopped', 'idle'], {
  active: 'running',
  중지: 'stopped',
  ...busy,
  ...unused,
})

export const list = defineQuery({
  name: 'list',
  also: ['ls', '목록'],
  hints: `${statusAsked},뭐,뭘,어떤,안 쓰,안 써,노는`,
  everyToken: true,
  examples: ['list', 'list running', 'list stopped search=llm', 'list page=2'],
  fields: {
    state: optional({
      ...states,
      // Any other word may be an endpoint's name.
      read: (word) => {
        const reading = states.read(word)
        return 'value' in reading ? reading : { wrong: say('list.which'), example: `status ${writeWord(word)}` }
      },
    }),
    search: optional(text('search', 'search', 100)),
    page: optional(count('page', 'page', [1, 10_000])),
  },
  call: ({ state, search, page }) =>
    call('get', '/endpoints', {
      params: {
        query: {
          size: state === 'idle' ? looked : size,
          page: page ?? 1,
          ...(search !== undefined && { search }),
          ...(state !== undefined && { is_active: state !== 'stopped' }),
        },
      },
    }),
  ruled: true,
  used: ({ endpoints }) => endpoints,
  show: ({ endpoints, page, pages, total }, { values: { state, search }, totalOf, isInside, listed, ...context }) => {
    const isIdle = (one: Endpoint) => idleText(context.useOf?.(one) ?? null) !== null
    const own = endpoints.filter((one) => (isInside?.(one) ?? true) && (state !== 'idle' || isIdle(one)))
    const shown = own.slice(0, size)
    const isPart = isInside !== undefined || state === 'idle'
    const more = own.length > size ? say('schedules.more', { count: own.length - size }) : ''
    return {
      title: titleOf({ page, pages, total: isPart ? own.length : total }, state, search),
      ...withCost(
        [...freezeItems(context.freeze), ...shown.map((one) => rowOf(one, context))],
        // A partial list would understate the total cost.
        search === undefined && !isPart && page <= pages
          ? totalOf?.(pages === 1 ? endpoints : allOf(endpoints, listed))
          : undefined,
        dotted(more, pages > 1 && page <= pages ? say('page.of', { page, pages }) : ''),
        context.byProgram,
      ),
      // A program must not learn from a last page whether endpoints outside its token match the search.
      offers: page > pages && isInside !== undefined ? [] : pagesBeside(page, pages, lineOf(state, search)),
    }
  },
})

/** Returns every endpoint: those of this page as read now, the others as last listed; none if nothing was listed. */
function allOf(shown: readonly Endpoint[], listed?: readonly Endpoint[]): readonly Endpoint[] {
  return listed?.map((one) => shown.find(({ id }) => id === one.id) ?? one) ?? []
}

function rowOf(endpoint: Endpoint, context: Reader): QueryAnswer['items'][number] {
  const { byProgram, useOf, costOf, priceOf, openOn, rulesOf, now } = context
  const use = useOf?.(endpoint) ?? null
  return {
    text: endpoint.name,
    strong: true,
    mark: markOf(endpoint),
    ...(byProgram === true && { endpoint: factsOf(endpoint, priceOf?.(endpoint)) }),
    detail: dotted(
      stateOf(endpoint, { next: nextStep(endpoint, context), idle: idleText(use) ?? 'none', cost: costOf?.(endpoint) }),
      ...besideState(endpoint, openOn?.(endpoint) ?? [], rulesOf?.(endpoint), now),
      watchText(use),
    ),
    more: rowActions(endpoint),
  }
}

/** "idle stop after 1 h"; empty unless the endpoint is watched and may be stopped. */
function watchText(use: Use | null): Words {
  if (use === null || use.last === null || use.watched === undefined || use.watched.spared !== null) return ''
  return say('list.idle', { mode: use.watched.mode, after: { lasting: use.idleMs } })
}

/** Puts the total cost first. For a program it goes below, because there each row is an endpoint. */
function withCost(items: QueryAnswer['items'], total: Total | undefined, paging: Words, byProgram = false) {
  const text = total === undefined ? '' : say('list.cost', { ...total })
  const below = paging === '' ? text : [text, paging]
  const foot = byProgram && text !== '' ? below : paging
  return { items: text === '' || byProgram ? items : [{ text }, ...items], ...(foot !== '' && { foot }) }
}

function titleOf({ page, pages, total }: Omit<EndpointPage, 'endpoints'>, state = 'any', search = ''): Sentence {
  if (total === 0) return say('list.none', { state: search === '' || state === 'idle' ? state : 'any' })
  if (page > pages) return say('list.noPage', { page, pages })
  return say('list.title', { total, state })
}

function lineOf(state: string | undefined, search: string | undefined): string {
  return ['list', state, search !== undefined && `search=${writeWord(search)}`].filter(Boolean).join(' ')
}

/** Offers the previous and the next page, or the last page if this one is beyond it. */
export function pagesBeside(page: number, pages: number, line: string): readonly Offer[] {
  const at = (which: number, label: Sentence): Offer => ({ label, line: [line, `page=${which}`].join(' ') })
  if (page > pages) return pages === 0 ? [] : [at(pages, say('page.last'))]
  return [
    ...(page > 1 ? [at(page - 1, say('page.previous'))] : []),
    ...(page < pages ? [at(page + 1, say('page.next'))] : []),
  ]
}
