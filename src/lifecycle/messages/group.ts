import type { Operation } from '../../core/commands/define.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { idOf, quoted, type SentenceValue, say, untilIn, valueIn, type Words, without } from '../../core/model/words.ts'
import { askerOf, dotted } from '../../core/requests/in-words.ts'
import { noticeIn } from './card.ts'
import { type Draft, draft, lineButton, type Part, smallPart, textPart } from './draft.ts'
import { endOffers } from './end.ts'
import { buttonOf, type Way, waysOf } from './notice.ts'

/** The stages of a request with their marks, in the order in which the card lists them. */
const emoji = { failed: '❌', due: '🌙', doing: '⏳', done: '✅', kept: '🌙', again: '🌙', left: '🚫' } as const
type Stage = keyof typeof emoji
const stages = Object.keys(emoji) as readonly Stage[]
const idleMarks = { due: '💤', done: '💤', again: '💤' }

/** The shared card of what a rule does to several endpoints at one time. */
export function groupCard(row: Operation, newest: readonly Request[]): Draft {
  const requests = newest.toSorted((a, b) => (a.endpoint?.name ?? '').localeCompare(b.endpoint?.name ?? '', 'en'))
  const want = row.wants === 'up' ? 'start' : 'stop'
  const found = alike(requests.filter(({ endpoint }) => endpoint !== undefined))
  const only = found.every(({ stage }) => stage === found[0]?.stage) ? found[0]?.stage : undefined
  // Pending work matters more than finished work, and either matters more than what was not done.
  const mark = (['doing', 'due', 'done'] as const).find((one) => found.some(({ stage }) => stage === one))
  const marks = requests[0]?.via === 'idle' ? { ...emoji, ...idleMarks } : emoji
  const head = headOf(want, requests)
  const kept = keepableIn(requests, row.wants)
  const rows = found.map(({ stage, until, why, those }) => {
    const values = { names: { all: those.map(nameOf) }, because: why === '' ? 'no' : 'yes', why }
    const end = until === undefined ? 'open' : { at: until }
    return only !== undefined && only !== 'kept'
      ? { mark: '', says: say('group.names', values) }
      : { mark: marks[stage], says: say('group.stage', { stage, want, until: end, ...values }) }
  })
  return draft(
    [head, dotted(...rows.map(({ says }) => says))],
    [
      textPart(`${marks[mark ?? found[0]?.stage ?? 'done']} `, { bold: head }),
      ...rows.map((one) => textPart([one.mark, one.says])),
      smallPart(dotted(...endsOf(kept), ruleOf(requests), momentOf(requests))),
      ...groupMenu(requests, kept, row.wants),
    ],
  )
}

interface Alike {
  readonly stage: Stage
  readonly until: number | undefined
  readonly why: SentenceValue
  readonly those: readonly Request[]
}

/** Groups requests by their stage, by when their holds end, soonest first, and by the reason. */
function alike(requests: readonly Request[]): readonly Alike[] {
  const found = new Map<string, Alike>()
  for (const one of requests) {
    const stage = stageOf(one)
    const until = stage === 'kept' ? untilIn(one.ending?.says) : undefined
    const shared = { stage, until, why: whyOf(one, stage) }
    const key = JSON.stringify(shared)
    found.set(key, { ...shared, those: [...(found.get(key)?.those ?? []), one] })
  }
  const rows = [...found.values()].toSorted(({ until: a = 0 }, { until: b = 0 }) => a - b)
  return stages.flatMap((stage) => rows.filter((one) => one.stage === stage))
}

/** How long an endpoint has been idle, or why nothing was done; empty if a name says so. */
function whyOf({ via, decision, ending, evidence = '' }: Request, stage: Stage): SentenceValue {
  // The head already says that it failed, and so that what should have been started is stopped.
  if (stage === 'failed') return [without(without(ending?.says ?? '', 'end.failed'), 'seen.stopped'), quoted(ending)]
  if (decision !== undefined) return ''
  // That sentence names the endpoint, so it would be said once for each.
  if (stage === 'left' && idOf(ending?.says ?? '') === 'skip.frozen') return say('spared.frozen')
  if (stage === 'left') return valueIn(ending?.says, 'why') ?? ''
  return via === 'idle' && stage !== 'kept' ? evidence : ''
}

/** When the last one finished, because the message was posted earlier. */
function momentOf(requests: readonly Request[]): Words {
  const done = requests.filter(({ status }) => status === 'succeeded')
  if (isUnderWay(requests) || done.length === 0) return ''
  const at = Math.max(...done.map(({ ending }) => ending?.at ?? 0))
  return done.some(({ receivedAt }) => at - receivedAt >= 60_000) ? say('history.at', { at: { at } }) : ''
}

/** The rule's reason, or whose idle stop it is, if that is the same for all. */
function ruleOf(requests: readonly Request[]): Words {
  const isIdle = requests[0]?.via === 'idle'
  const [first = '', ...others] = requests.map((one) => (isIdle ? askerOf(one) : (one.reason ?? '')))
  const isSame = others.every((one) => JSON.stringify(one) === JSON.stringify(first))
  return isSame && first !== '' ? first : isIdle ? '' : say('group.rules')
}

function isUnderWay(requests: readonly Request[]): boolean {
  return requests.some(({ status }) => !isEnded(status))
}

function headOf(want: 'start' | 'stop', requests: readonly Request[]): Words {
  const count = requests.length
  const due = requests.flatMap(({ status, ask }) => (status === 'awaiting' && ask?.due !== undefined ? [ask.due] : []))
  const isWorking = requests.some(({ status }) => status === 'running')
  if (due.length > 0 && !isWorking) return say('group.due', { want, count: due.length, due: { at: Math.min(...due) } })
  if (isUnderWay(requests)) {
    const part = requests.filter((one) => ['due', 'doing', 'done'].includes(stageOf(one)))
    return say('group.doing', { want, count: part.length })
  }
  const done = requests.filter(({ status }) => status === 'succeeded').length
  return say('group.done', { want, done, count, left: done === count ? 'none' : done === 0 ? 'all' : 'some' })
}

function stageOf({ status, decision, ending, costs }: Request): Stage {
  if (status === 'succeeded') return 'done'
  if (status === 'running') return 'doing'
  if (status === 'received' || status === 'awaiting') return 'due'
  if (status !== 'cancelled' && status !== 'declined') return 'failed'
  if (ending?.again === true) return 'again'
  return costs !== undefined && (decision?.yes === false || ending?.keptBy !== undefined) ? 'kept' : 'left'
}

/** The endpoint's name, with what applies only to it. */
function nameOf({ endpoint, status, ask, decision, ending }: Request): SentenceValue {
  const { name = '' } = endpoint ?? {}
  const by = ending?.keptBy ?? ending?.takenBy ?? ending?.by ?? (decision?.yes === false ? decision.by : undefined)
  if (status === 'awaiting' && ask?.busy !== undefined && ask.due !== undefined)
    return say('group.busy', { name, due: { at: ask.due } })
  return by === undefined || status === 'succeeded' ? name : say('group.person', { name, by: { person: by } })
}

/** Until when a kept endpoint runs. A Slack menu cannot say this, because it does not know the reader's time zone. */
function endsOf(kept: readonly Keepable[]): readonly Words[] {
  const ends = new Map<string, { readonly way: Way; readonly names: string[] }>()
  for (const { name, ways } of kept)
    for (const way of ways) {
      // "An hour" already says so.
      if (way.until === undefined || way.name.say === 'choice.keep') continue
      const end = JSON.stringify([way.name, way.until])
      ends.set(end, { way, names: [...(ends.get(end)?.names ?? []), name] })
    }
  return [...ends.values()].map(({ way, names }) =>
    say('group.until', {
      which: names.length === kept.length ? 'all' : 'some',
      names: { any: names },
      name: way.name,
      until: { at: way.until ?? 0 },
    }),
  )
}

type Keepable = ReturnType<typeof keepableIn>[number]

/** Returns the endpoints of a group that can still be kept, and the ways to do so. `wants`: the action of the group. */
function keepableIn(requests: readonly Request[], wants: Operation['wants']) {
  return requests.flatMap((one) => {
    const notice = noticeIn(one)
    return notice === null ? [] : [{ name: one.endpoint?.name ?? '', ways: waysOf(one, wants, notice) }]
  })
}

/** The same choices as on single cards: of the endpoints that can be kept, or of all once they have ended. */
function groupMenu(requests: readonly Request[], kept: readonly Keepable[], wants: Operation['wants']): Part[] {
  const isOver = requests.every(({ status }) => isEnded(status))
  const groups = isOver
    ? requests.map((one) => ({ label: one.endpoint?.name ?? '', choices: endOffers(one, wants).map(lineButton) }))
    : kept.map(({ name, ways }) => ({ label: name, choices: ways.map(buttonOf) }))
  const label = say(isOver ? 'schedule.which' : 'group.keep')
  const shown = groups.filter(({ choices }) => choices.length > 0)
  return shown.length === 0 ? [] : [{ kind: 'choose', label, groups: shown }]
}
