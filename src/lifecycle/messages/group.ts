import type { Operation } from '../../core/commands/define.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { type SentenceValue, say, untilIn, type Words } from '../../core/model/words.ts'
import { dotted } from '../../core/requests/in-words.ts'
import { noticeIn } from './card.ts'
import { type Draft, draft, type Part, smallPart, textPart } from './draft.ts'
import { buttonOf, type Way, waysOf } from './notice.ts'

/** The stages of a request, in the order in which the card lists them. */
const stages = ['failed', 'due', 'doing', 'done', 'kept', 'again', 'left'] as const
type Stage = (typeof stages)[number]

const emoji: Readonly<Record<Stage, string>> = {
  failed: '❌',
  due: '🌙',
  doing: '⏳',
  done: '✅',
  kept: '🟢',
  again: '🌙',
  left: '🚫',
}

/**
 * The shared card of what a rule does to several endpoints at one time. Requests that ended before they were planned
 * are left out: they have no card of their own either, and the rule hands in new ones.
 */
export function groupCard(row: Operation, together: readonly Request[]): Draft {
  const requests = together
    .filter(({ plan, status }) => plan !== undefined || !isEnded(status))
    .toSorted((a, b) => (a.endpoint?.name ?? '').localeCompare(b.endpoint?.name ?? '', 'en'))
  const want = row.wants === 'up' ? 'start' : 'stop'
  const found = stages.flatMap((stage) =>
    byEnd(requests.filter((one) => one.endpoint !== undefined && stageOf(one) === stage)).map((one) => ({
      stage,
      ...one,
    })),
  )
  const head = headOf(want, requests)
  const kept = requests.flatMap((one): readonly Keepable[] => {
    const notice = noticeIn(one)
    return notice === null ? [] : [{ name: one.endpoint?.name ?? '', ways: waysOf(one, row.wants, notice) }]
  })
  const [first, ...others] = found
  const isAlone = others.length === 0 && first?.stage !== 'kept'
  return draft(head, [
    textPart(`${emoji[markOf(found)]} `, { bold: head }),
    ...found.map(({ stage, until, those }) => {
      const names = { all: those.map(nameOf) }
      const end = until === undefined ? 'open' : { at: until }
      return textPart(
        isAlone
          ? say('group.names', { names })
          : [emoji[stage], say('group.stage', { stage, want, until: end, names })],
      )
    }),
    smallPart(dotted(...endsOf(kept), ruleOf(requests), momentOf(requests))),
    ...(kept.length === 0 ? [] : [keepMenu(kept)]),
  ])
}

/** Prefers the mark of pending work to that of finished work. */
function markOf(found: readonly { readonly stage: Stage }[]): Stage {
  const [first, ...others] = found.map(({ stage }) => stage)
  if (first !== undefined && others.every((one) => one === first)) return first
  return (['doing', 'due'] as const).find((one) => found.some(({ stage }) => stage === one)) ?? 'done'
}

interface UntilThen {
  readonly until: number | undefined
  readonly those: readonly Request[]
}

/** Groups requests by when their holds end, soonest first. */
function byEnd(requests: readonly Request[]): readonly UntilThen[] {
  const ends = [...new Set(requests.map(keptUntil))].toSorted((a = 0, b = 0) => a - b)
  return ends.map((until) => ({ until, those: requests.filter((one) => keptUntil(one) === until) }))
}

/** Until when a person keeps the endpoint; undefined if nobody does, or without an end. */
function keptUntil(request: Request): number | undefined {
  return stageOf(request) === 'kept' ? untilIn(request.ending?.says) : undefined
}

/** An endpoint that can be kept as it is, and the ways to do so. */
interface Keepable {
  readonly name: string
  readonly ways: readonly Way[]
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

/** When the last one finished, because the message was posted earlier. */
function momentOf(requests: readonly Request[]): Words {
  const done = requests.filter(({ status }) => status === 'succeeded')
  if (isUnderWay(requests) || done.length === 0) return ''
  const at = Math.max(...done.map(({ ending }) => ending?.at ?? 0))
  return done.some(({ receivedAt }) => at - receivedAt >= 60_000) ? say('history.at', { at: { at } }) : ''
}

/** The rule's reason, if it is the same for all. */
function ruleOf(requests: readonly Request[]): Words {
  const [{ reason = '' } = {}, ...others] = requests
  const isSame = others.every((one) => JSON.stringify(one.reason ?? '') === JSON.stringify(reason))
  return isSame && reason !== '' ? reason : say('group.rules')
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

export function stageOf({ status, decision, ending, costs }: Request): Stage {
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

/** The same choices as on a single notice. */
function keepMenu(kept: readonly Keepable[]): Part {
  const groups = kept.map(({ name, ways }) => ({ label: name, choices: ways.map(buttonOf) }))
  return { kind: 'choose', label: say('group.keep'), groups }
}
