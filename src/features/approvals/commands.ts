import { alreadyOver, defineChange, defineDeed, replaced, type Undoing } from '../../core/commands/define.ts'
import {
  endpointName,
  optional,
  person,
  reasonText,
  requestCalled,
  requestName,
  text,
} from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { when } from '../../core/commands/time-fields.ts'
import { awayKey } from '../../core/model/records.ts'
import { isSame } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { inLine } from '../../core/time/format.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'

const { key: _, ...anyText } = text('question', 'question')

/** Asks the approvers any question. Its answer changes nothing. */
export const ask = defineChange({
  name: 'ask',
  fenced: true,
  also: ['승인요청'],
  hints: 'question,request,permission,승인 요청,승인 받',
  examples: ['ask "move my-llm to v2 tonight"', 'ask "move my-llm to v2 tonight" reason="v1 has a leak"'],
  fields: {
    question: {
      ...anyText,
      hint: '"<question>"',
      read: (word) => (word.trim() === '' ? { wrong: say('field.questionEmpty') } : anyText.read(word)),
    },
    because: optional(reasonText()),
  },
  needsApproval: true,
  // One word is hardly a question, unless it ends like one: "ask please".
  meant: ({ question }, more) => (more === true || /\s|\?$/.test(question) ? [] : [`ask ${writeWord(question)}`]),
  impact: () => 'reversible',
  change: () => ({ change: {}, means: '' }),
  phrase: ({ question }) => ({ key: 'question', with: { question: question.trim().replace(/\.+$/, '') } }),
})

// Five commands act on another request: `deeds` in `lifecycle/act-on-request.ts` carries them out.

export const approve = defineDeed({
  name: 'approve',
  peopleOnly: true,
  also: ['승인'],
  hints:
    'ok,okay,yes,lgtm,go ahead,confirm,pending,waiting,waits,approval,approvals,what want,what wants,네,예,대기,승인요청 있',
  examples: ['approve my-llm'],
  fields: { request: requestCalled() },
  // Who may approve depends on the request.
  needs: () => 'viewer',
  deed: 'approve',
})

export const decline = defineDeed({
  name: 'decline',
  peopleOnly: true,
  also: ['거절'],
  hints: 'never approve,no,reject,deny,아니요,아뇨,반려',
  examples: ['decline my-llm', 'decline my-llm reason="the demo is still on"'],
  fields: { request: requestCalled(), because: optional(reasonText()) },
  needs: () => 'viewer',
  safe: true,
  deed: 'decline',
})

export const breakGlass = defineDeed({
  name: 'break-glass',
  peopleOnly: true,
  also: ['긴급실행'],
  hints: '승인 없이,긴급 실행',
  examples: ['break-glass my-llm reason="production is down and nobody answers"'],
  fields: { request: requestName(), because: reasonText() },
  needs: () => 'admin',
  deed: 'break glass',
})

export const cancel = defineDeed({
  name: 'cancel',
  everyToken: true,
  also: ['취소'],
  hints: 'never mind,nevermind,forget it,call off,unstop,remove stop',
  examples: ['cancel my-llm'],
  fields: { request: requestName(), because: optional(reasonText()) },
  safe: true,
  // People may cancel what they asked for, even once they have lost the role. For anything else it is checked later.
  needs: () => 'viewer',
  deed: 'cancel',
})

export const undo = defineDeed({
  name: 'undo',
  peopleOnly: true,
  also: ['되돌리기'],
  hints: 'that back,되돌려,돌려놔',
  examples: ['undo my-llm'],
  fields: { endpoint: endpointName() },
  deed: 'undo',
})

// An approver who is away changes our own records.

export const away = defineChange({
  name: 'away',
  peopleOnly: true,
  also: ['위임'],
  hints: 'on vacation,휴가,승인 위임,승인 맡',
  examples: ['away until mon to @U0CLEO'],
  fields: { until: when('awayUntil', 'until', 'mon'), to: person('delegate', 'to') },
  current: ({ records, by, at }) => {
    const own = records.get(awayKey(by))
    const isOn = own?.kind === 'away' && own.until > at
    return isOn ? { now: say('away.now', { until: { at: own.until }, to: { person: own.to } }) } : {}
  },
  needs: () => 'approver',
  impact: () => 'reversible',
  change: ({ until, to }, { by, at, now, zone, bounds }) => {
    const end = stillAhead(readWhen(until, at, zone), now)
    if ('wrong' in end) return end
    if (end.at - at > bounds.away) return { wrong: say('away.tooLong', { most: { lasting: bounds.away } }) }
    const standIn = { team: by.team, user: to.slice(1) }
    if (standIn.user === by.user) return { wrong: say('away.self'), field: 'to' }
    return {
      change: { put: [{ kind: 'away', who: by, to: standIn, at, until: end.at }] },
      means: say('away.means', { until: { at: end.at } }),
    }
  },
  opposite: 'back',
  inverse: (undoing) => standInBefore('away', undoing),
})

/** Restores the delegate from before `away` or `back`, or nobody. Only the person who was away can do it. */
function standInBefore(name: string, { request, by, now, write }: Undoing) {
  if (!isSame(by, request.actor)) return { why: say('away.notYours', { verb: name }) }
  const before = replaced(request, 'away')
  if (before !== undefined && now < before.until)
    return { line: write('away', { until: inLine(before.until), to: `@${before.to.user}` }) }
  return request.change?.put === undefined ? { why: alreadyOver } : { line: write('back', {}) }
}

export const back = defineChange({
  name: 'back',
  peopleOnly: true,
  also: ['복귀'],
  examples: ['back'],
  fields: {},
  needs: () => 'viewer',
  safe: true,
  impact: () => 'reversible',
  change: (_, { by, records }) =>
    records.has(awayKey(by))
      ? { change: { drop: [awayKey(by)] }, means: say('back.means') }
      : { wrong: say('back.none') },
  opposite: 'away',
  inverse: (undoing) => standInBefore('back', undoing),
})
