import { say } from '../../core/model/words.ts'
import { acceptFromProgram, type ProgramCaller, type ProgramResult } from '../../core/requests/accept-program.ts'
import { type FollowContext, look, states } from './follow.ts'
import { Refusal } from './problem.ts'
import { answerView } from './views.ts'

/** An HTTP status with the view of a request, an answer or a problem. */
export interface ApiReply {
  readonly status: number
  readonly body: object
}

/** A program's proposal. `key`: 1 to 100 visible ASCII characters. */
export interface ProgramProposal {
  readonly line: string
  readonly reason?: string | undefined
  readonly key: string | readonly string[] | undefined
  /** How long to wait for the request to end before answering, s. */
  readonly wait?: number | undefined
  /** Whether to answer as soon as there is a link to the question. */
  readonly asked?: boolean
}

/** Makes the calls that programs may use, over any protocol. Each throws a Refusal to answer with a problem. */
export function createCalls(context: FollowContext) {
  const { commands, clock } = context
  /** Returns the last state of a request within `ms`, or its id alone if it cannot be read yet. */
  async function follow(caller: ProgramCaller, id: string, ms: number, asked = false): Promise<ApiReply> {
    let view = null
    for await (const state of states(caller, id, context, { ms, asked })) view = state
    return { status: view?.open === false ? 200 : 202, body: view ?? { id, open: true } }
  }

  return {
    async propose(caller: ProgramCaller, { line, reason, key, wait = 0, asked }: ProgramProposal): Promise<ApiReply> {
      if (key === undefined) throw new Refusal({ status: 400, type: 'no-key', says: say('program.keyMissing') })
      if (typeof key !== 'string' || !/^[!-~]{1,100}$/.test(key))
        throw new Refusal({ status: 400, type: 'bad-key', says: say('program.badKey') })
      const result = await acceptFromProgram({ commands, clock }, caller, { line, reason, key, wants: 'operation' })
      const { status, body } = await follow(caller, idOf(result), wait * 1_000, asked)
      return { status, body: result.kind === 'accepted' && result.again ? { ...body, again: true } : body }
    },

    async query(caller: ProgramCaller, line: string): Promise<ApiReply> {
      const key = `${clock.now()} ${crypto.randomUUID()}`
      const taken = await acceptFromProgram({ commands, clock }, caller, { line, key, wants: 'query' })
      if (taken.kind !== 'answered') return follow(caller, idOf(taken), 20_000)
      const { answer } = taken
      return { status: 200, body: { answer: { en: answerView(answer, 'en'), ko: answerView(answer, 'ko') } } }
    },

    async request(caller: ProgramCaller, id: string): Promise<ApiReply> {
      const view = await look(caller, id, context)
      if (view === null) throw noRequest(id)
      return { status: 200, body: view }
    },
  }
}

export function noRequest(id: string): Refusal {
  return new Refusal({ status: 404, type: 'no-request', says: say('program.noRequest', { id }) })
}

const statusOf = {
  line: 422,
  'other kind': 422,
  'not allowed': 403,
  'too much': 429,
  'too often': 429,
  'other line': 409,
  storage: 503,
} as const

/** Returns the id of an accepted request. Throws a Refusal otherwise. */
function idOf(result: ProgramResult): string {
  if (result.kind === 'accepted') return result.id
  if (result.kind === 'answered') throw new Error('Only a query is answered right away.')
  const { why, says, offers } = result
  const status = statusOf[why]
  throw new Refusal({
    status,
    type: why.replaceAll(' ', '-'),
    says,
    ...(offers !== undefined && { offers }),
    ...((status === 429 || status === 503) && { retryAfter: why === 'too often' ? 60 : 30 }),
  })
}
