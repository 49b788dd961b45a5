import type { Operation } from '../../core/commands/define.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { type SentenceValue, say, type Words } from '../../core/model/words.ts'
import { type Draft, type DraftButton, draft, type Part, smallPart, textPart } from './draft.ts'

/** How far one of them has come, in the order in which they are listed. */
const stages = ['failed', 'due', 'doing', 'done', 'left'] as const
type Stage = (typeof stages)[number]

const emoji: Readonly<Record<Stage, string>> = { failed: '❌', due: '🌙', doing: '⏳', done: '✅', left: '🚫' }

/**
 * What a rule does to several endpoints at one time: one card for all their requests. Those that ended before anything
 * was planned are left out, as by themselves they have no card either: the rule hands in others.
 */
export function groupCard(row: Operation, together: readonly Request[]): Draft {
  const requests = together
    .filter(({ plan, status }) => plan !== undefined || !isEnded(status))
    .toSorted((a, b) => (a.endpoint?.name ?? '').localeCompare(b.endpoint?.name ?? '', 'en'))
  const want = row.wants === 'up' ? 'start' : 'stop'
  const found = stages.flatMap((stage) => {
    const those = requests.filter((one) => one.endpoint !== undefined && stageOf(one) === stage)
    return those.length === 0 ? [] : [{ stage, those }]
  })
  const head = headOf(want, requests)
  const [first, ...others] = found
  const isOne = others.length === 0
  const mark = isOne && first !== undefined ? first.stage : isUnderWay(requests) ? 'doing' : 'done'
  return draft(head, [
    textPart(`${emoji[mark]} `, { bold: head }),
    ...found.map(({ stage, those }) => {
      const names = { all: those.map(nameOf) }
      return textPart(
        isOne ? say('group.names', { names }) : [emoji[stage], say('group.stage', { stage, want, names })],
      )
    }),
    smallPart(ruleOf(requests)),
    ...keepMenu(requests),
  ])
}

/** The rule, where it is the same for all of them. */
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
  if (isUnderWay(requests)) return say('group.doing', { want, count })
  const done = requests.filter(({ status }) => status === 'succeeded').length
  return say('group.done', { want, done, count, left: done === count ? 'none' : 'some' })
}

export function stageOf({ status }: Request): Stage {
  if (status === 'succeeded') return 'done'
  if (status === 'running') return 'doing'
  if (status === 'received' || status === 'awaiting') return 'due'
  return status === 'cancelled' || status === 'declined' ? 'left' : 'failed'
}

/** The endpoint, and what is to be said of it alone. */
function nameOf({ endpoint, status, ask, decision, ending }: Request): SentenceValue {
  const { name = '' } = endpoint ?? {}
  const by = ending?.keptBy ?? ending?.takenBy ?? ending?.by ?? (decision?.yes === false ? decision.by : undefined)
  if (status === 'awaiting' && ask?.busy !== undefined && ask.due !== undefined)
    return say('group.busy', { name, due: { at: ask.due } })
  return by === undefined || status === 'succeeded' ? name : say('group.person', { name, by: { person: by } })
}

/** One of them may be left as it is, while it waits for its time. */
function keepMenu(requests: readonly Request[]): readonly Part[] {
  const choices = requests.flatMap(({ id, status, ask, endpoint, costs }): readonly DraftButton[] => {
    if (status !== 'awaiting' || ask === undefined) return []
    const { name = '' } = endpoint ?? {}
    const label = costs?.skip === undefined ? name : say('group.priced', { name, cost: costs.skip })
    return [{ label, does: 'no', value: `${id}.${ask.n}` }]
  })
  return choices.length === 0 ? [] : [{ kind: 'choose', label: say('group.keep'), choices }]
}
