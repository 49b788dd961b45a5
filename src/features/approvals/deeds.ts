import { defineDeed } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText, requestCalled, requestName } from '../../core/commands/fields.ts'

export const approve = defineDeed({
  name: 'approve',
  peopleOnly: true,
  also: ['승인'],
  hints: 'ok,okay,yes,lgtm,pending,waiting,waits,approval,want,wants,네,예,대기,승인요청 있',
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
  hints: '승인 없이',
  examples: ['break-glass my-llm reason="production is down and nobody answers"'],
  fields: { request: requestName(), because: reasonText() },
  needs: () => 'admin',
  deed: 'break glass',
})

export const cancel = defineDeed({
  name: 'cancel',
  everyToken: true,
  also: ['취소'],
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
