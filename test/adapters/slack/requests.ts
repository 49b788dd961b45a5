import { writeLine } from '../../../src/core/commands/parse.ts'
import { whoami } from '../../../src/core/commands/permissions.ts'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { type ApprovalSettings, usualApprovalSettings } from '../../../src/core/model/policy.ts'
import type { QueryAnswer } from '../../../src/core/model/query-answer.ts'
import type { Ask } from '../../../src/core/model/question.ts'
import type { Ending, Note, Request, Status } from '../../../src/core/model/request.ts'
import type { Member, Role } from '../../../src/core/model/roles.ts'
import type { ClaimedRequest } from '../../../src/core/ports/services.ts'
import { type ParsedRequest, parsedBy } from '../../../src/core/requests/in-words.ts'
import { commands, rows } from '../../../src/features/command-table.ts'
import { list } from '../../../src/features/endpoints/list.ts'
import { patch } from '../../../src/features/endpoints/patch.ts'
import { status as statusRow } from '../../../src/features/endpoints/status.ts'
import { stop } from '../../../src/features/endpoints/stop.ts'

export const ana = { team: 'T0SANDBOX', user: 'U0ANA' }
export const ben = { team: 'T0SANDBOX', user: 'U0BEN' }

export const cleo = { team: 'T0SANDBOX', user: 'U0CLEO' }
export const dana = { team: 'T0SANDBOX', user: 'U0DANA' }

/** The members of a role: only approver has any. */
export function membersOf(role: Role): readonly Member[] {
  return role === 'approver' ? [{ kind: 'group', id: 'S0SRE' }] : []
}

/** When every request here was received, ms since 1970. */
export const start = 1_800_000_000_000

/** The texts of a request that come from outside: names, the platform's words, what people typed. */
export interface Outside {
  readonly name: string
  readonly because: string
  readonly why: string
  readonly status: string
  readonly quote: string
  readonly says: string
  readonly label: string
}

const plain: Outside = {
  name: 'my-llm',
  because: 'moving to v2',
  why: 'It’s running with 3 replicas.',
  status: 'RUNNING',
  quote: 'Endpoint stopped successfully',
  says: 'Stopped my-llm.',
  label: 'Start my-llm',
}

/** A stop of an endpoint that was just received. */
export function stopping(outside: Partial<Outside> = {}, more: Partial<Request> = {}): Request {
  const { name, because } = { ...plain, ...outside }
  return {
    id: 'r'.repeat(22),
    project: 'default',
    kind: 'operation',
    line: writeLine(stop, { endpoint: typable(name, 150), because: typable(because, 300) }),
    actor: ana,
    place: { channel: 'C0OPS' },
    receivedAt: start,
    status: 'received',
    endpoint: { id: 'ep-llm', name },
    notes: [],
    nextAt: null,
    ...more,
  }
}

/** Planned, and therefore shown in the channel. */
export function planned(outside: Partial<Outside> = {}, more: Partial<Request> = {}): Request {
  const plan = stop.steps({ endpoint: 'ep-llm' }, { id: 'ep-llm', name: 'my-llm', active: true })
  return stopping(outside, { plan, exposure: 'active', requirement: 'confirmation', startedAt: start + 100, ...more })
}

export function ask(more: Partial<Ask> = {}): Ask {
  const times = { at: start, expiresAt: start + 1_800_000, reminded: 0, remindAt: null }
  return {
    n: 1,
    ...times,
    why: plain.why,
    asking: usualApprovalSettings,
    rule: 'Why: this changes a running endpoint.',
    ...more,
  }
}

export function asked(outside: Partial<Outside> = {}, more: Partial<Request> = {}): Request {
  const { why } = { ...plain, ...outside }
  return planned(outside, { status: 'awaiting', ask: ask({ why }), ...more })
}

/** A question with a confirmation dialog, about several steps. */
function destructive(outside: Outside): Request {
  const values = { endpoint: 'ep-llm', command: typable(outside.because, 300) }
  const plan = patch.steps(values, { id: 'ep-llm', name: outside.name, active: true })
  return asked(outside, { line: writeLine(patch, values), plan })
}

/** An approval by several people; `more` may hold their votes. */
export function approving(
  outside: Partial<Outside> = {},
  more: Partial<Request> = {},
  of: Partial<ApprovalSettings> = {},
): Request {
  const { why } = { ...plain, ...outside }
  const asking = { ...usualApprovalSettings, needed: 2, ...of }
  return asked(outside, {
    requirement: 'approval',
    ask: ask({ why, asking, rule: 'Why: the endpoint is protected.' }),
    ...more,
  })
}

/** A change of our own records, without an endpoint. */
export function thawing(more: Partial<Request> = {}): Request {
  const { endpoint: _, ...request } = approving({ why: 'It lets automation run again.' }, {}, { needed: 1 })
  return { ...request, line: 'thaw', plan: [], change: { drop: ['freeze'] }, ...more }
}

export function agreed(outside: Partial<Outside> = {}, more: Partial<Request> = {}): Request {
  const { status } = { ...plain, ...outside }
  const at = start + 5_000
  const looks = [{ at, active: true, status, replicas: 3, running: 1 }]
  const sends = [{ at, before: { at, active: true }, outcome: { kind: 'answered', at } }] as const
  const decision = { by: ben, at, yes: true }
  return asked(outside, { status: 'running', decision, startedAt: at, progress: [{ sends, looks }], ...more })
}

/** Finishes a request `after` ms from the start. */
export function ended(
  request: Request,
  status: Status,
  outside: Partial<Outside> = {},
  more: Partial<Ending> = {},
  after = 47_000,
): Request {
  const { says, quote, label } = { ...plain, ...outside }
  const offers = [{ label, line: 'start ep-llm' }]
  return { ...request, status, ending: { at: start + after, says, quote, offers, ...more } }
}

export function noted(request: Request, outside: Partial<Outside> = {}): Request {
  const { says } = { ...plain, ...outside }
  const note: Note = { id: 'n1', to: ben, channel: 'C0OPS', says }
  return { ...request, notes: [note, { ...note, id: 'n2' }] }
}

export function answered(shown: QueryAnswer, more: Partial<Request> = {}): Request {
  return {
    id: 'q'.repeat(22),
    project: 'default',
    kind: 'query',
    line: 'list',
    actor: ana,
    place: { channel: 'C0OPS' },
    receivedAt: start,
    status: 'succeeded',
    shown,
    ending: { at: start + 100, says: shown.title },
    notes: [],
    nextAt: null,
    ...more,
  }
}

/** Requests of every kind and in every state that people see, with `texts` in turn as their outside texts. */
export function everyRequest(texts: readonly string[]): readonly Request[] {
  let at = 0
  function next(): string {
    at += 1
    return texts[(at - 1) % texts.length] ?? ''
  }
  const outside: Outside = {
    name: next(),
    because: next(),
    why: next(),
    status: next(),
    quote: next(),
    says: next(),
    label: next(),
  }
  const fallback = { after: 900_000, to: [{ kind: 'group', id: 'S0LEADS' }] } as const
  const votes = [{ by: ben, at: start, for: ana }]
  const glass = { by: ben, at: start, yes: true, glass: true, because: outside.because } as const
  const late = {
    ...ask({ why: outside.why, reminded: 2, fellBackAt: start }),
    asking: { ...usualApprovalSettings, needed: 3, fallback },
  }
  const alone = { status: 'running', requirement: 'nothing' } as const
  const unsure = [{ sends: [{ at: start, before: { at: start, active: true } }], looks: [] }]
  return [
    asked(outside),
    asked(outside, { ask: ask({ n: 2, why: outside.why }), requirement: 'approval' }),
    destructive(outside),
    agreed(outside),
    planned(outside, alone),
    planned(outside, { ...alone, progress: unsure }),
    noted(ended(agreed(outside), 'succeeded', outside), outside),
    ended(planned(outside, alone), 'succeeded', outside, {}, 3_000),
    ended(agreed(outside), 'failed', outside),
    ended(agreed(outside), 'attention', outside),
    ended(asked(outside, { decision: { by: ben, at: start, yes: false } }), 'declined', outside),
    ended(
      approving(outside, { decision: { by: ben, at: start, yes: false, because: outside.because } }),
      'declined',
      outside,
    ),
    approving(outside, { ask: late, votes }),
    agreed(outside, { requirement: 'approval', votes, decision: glass }),
    ended(agreed(outside, { requirement: 'approval', votes, decision: glass }), 'succeeded', outside),
    thawing(),
    ended(thawing(), 'succeeded', outside),
    ended(asked(outside), 'expired', outside, { offers: [] }),
    ended(asked(outside), 'refused', outside, { privately: true }),
    ended(stopping(outside), 'refused', outside, { about: 'another' }),
    ...shownOf(next).flatMap((shown) => [answered(shown), answered(shown, { open: true })]),
  ]
}

/** The number of endpoints on one page of `list`. */
const size = 15

function shownOf(next: () => string): readonly QueryAnswer[] {
  const endpoints = Array.from({ length: size }, (_, at): Endpoint => {
    const active = [true, false, null][at % 3] ?? null
    return { id: `ep-${at}`, name: next(), active, status: next(), replicas: at, gpu: next() }
  })
  const one: Endpoint = { ...endpoints[0], id: 'ep-0', name: next(), active: true, url: next(), problem: next() }
  const context = { values: {}, project: 'default', role: 'viewer', rows, now: start } as const
  const key = { organization: next(), project: next(), key: next(), user: next() }
  return [
    list.show({ endpoints, page: 2, pages: 3, total: 42 }, { ...context, values: { search: typable(next(), 100) } }),
    statusRow.show({ ...one, updatedAt: next() }, context),
    whoami.show(key, context),
  ]
}

/** Cuts a text to what a person could have typed, because every line is parsed before it is used. */
function typable(text: string, most: number): string {
  const typed = text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
  return typed.slice(0, most).trim() === '' ? 'x' : typed.slice(0, most)
}

export function claimOf(request: Request): Pick<ClaimedRequest, 'request' | 'command'> {
  return {
    request,
    get command() {
      return commands.operation(request.line)
    },
  }
}

export function parsed(request: Request): ParsedRequest {
  return parsedBy(commands, request)
}
