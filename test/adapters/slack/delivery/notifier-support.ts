import { createNotifier } from '../../../../src/adapters/slack/delivery/notifier.ts'
import type { Delivery } from '../../../../src/adapters/slack/delivery/post.ts'
import type { Done, Sending } from '../../../../src/adapters/slack/delivery/send-private.ts'
import type { Message } from '../../../../src/adapters/slack/kit/blocks.ts'
import type { Failure } from '../../../../src/adapters/slack/web/failures.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import type { Words } from '../../../../src/core/model/words.ts'
import type { ClaimedRequest, Log } from '../../../../src/core/ports/services.ts'
import { commands } from '../../../../src/features/command-table.ts'
import { membersOf } from '../requests.ts'

/** The result of one call to Slack: success, a failure, or a crash of this process after the call arrived. */
export type Fate = Failure | 'crash after' | undefined

/** A Slack with one list of messages, whose next results a test chooses. */
export interface Board {
  readonly delivery: Delivery
  /** The texts that are there now, in order, without deleted messages. */
  texts(): readonly string[]
  /** Every attempt, such as `send card in C0OPS`, whatever its result. */
  readonly tries: readonly string[]
  readonly sendings: readonly Sending[]
  /** Sets the results of the next calls, in order; later calls succeed. */
  next(...fates: readonly Fate[]): void
  /** Makes every call whose description matches fail like this from now on. */
  always(pattern: RegExp, failure: Failure): void
  delete(text: RegExp): void
}

interface Stored {
  readonly id: string
  readonly channel: string
  readonly ts: string
  message: Message
}

function createBoard(): Board {
  const all: Stored[] = []
  const gone = new Set<Stored>()
  const tries: string[] = []
  const sendings: Sending[] = []
  const fates: Fate[] = []
  const rules: { readonly pattern: RegExp; readonly failure: Failure }[] = []

  function fateOf(what: string): Fate {
    tries.push(what)
    return rules.find(({ pattern }) => pattern.test(what))?.failure ?? fates.shift()
  }
  function store({ id, channel, wanted }: Sending): Done {
    const ts = `${tries.length}.000001`
    all.push({ id, channel, ts, message: wanted.message })
    return { kind: 'done', channel, ts }
  }

  function there(): readonly Stored[] {
    return all.filter((one) => !gone.has(one))
  }

  return {
    delivery: {
      async send(sending) {
        sendings.push(sending)
        const looked = sending.unconfirmedSince === undefined ? undefined : there().find(({ id }) => id === sending.id)
        const { key, to } = sending.wanted
        const fate = fateOf(to === undefined ? `send ${key} in ${sending.channel}` : `send ${key} to ${to.user}`)
        if (looked !== undefined && fate === undefined)
          return { kind: 'done', channel: looked.channel, ts: looked.ts, found: true }
        if (fate === undefined) return store(sending)
        if (fate === 'crash after') {
          store(sending)
          throw new Error('The process has ended.')
        }
        if (fate.kind === 'unknown' && fate.why === 'arrived') store(sending)
        return fate
      },
      async edit({ channel, ts }, message) {
        const found = all.find((one) => one.ts === ts)
        const fate = fateOf(`edit ${found?.id.split('/')[1]} in ${channel}`)
        if (typeof fate === 'object') return fate
        if (found === undefined || gone.has(found)) return { kind: 'gone' }
        found.message = message
        return { kind: 'done', channel, ts }
      },
    },
    texts: () => there().map(({ message }) => message.text),
    tries,
    sendings,
    next: (...more) => void fates.push(...more),
    always: (pattern, failure) => void rules.push({ pattern, failure }),
    delete(text) {
      const found = there().find(({ message }) => text.test(message.text))
      if (found === undefined) throw new Error(`There is no message like ${text}.`)
      gone.add(found)
    },
  }
}

export interface Stage {
  readonly board: Board
  /** Shows a request as a worker that has just claimed it, and keeps what is remembered of its messages. */
  show(request: Request): Promise<{ readonly again: number | null; readonly unpostable?: Words }>
  /** Calls `show` each time that it asks for, until the request is done; at most 40 times. */
  settle(request: Request): Promise<{ readonly unpostable?: Words }>
  /** ms since 1970. */
  now: number
  /** How long the next messages have to wait for the pace of their channel, ms; 0 after these. */
  readonly waits: number[]
  /** The channels whose pace was asked for, with `!` for urgent messages. */
  readonly paced: string[]
  readonly logged: string[]
  /** The posts of the request as stored, JSON. */
  posts: string | null
  /** The posts of a group's shared message, JSON, under `all` or its owner. */
  readonly shared: Map<string, string>
  /** The requests of the group. */
  together: readonly Request[]
}

export function createStage(operationsChannel?: string): Stage {
  const board = createBoard()
  const log: Log = { info: keep, warn: keep, error: keep }
  function keep(_: object, message: string): void {
    stage.logged.push(message)
  }
  const notifier = createNotifier({
    delivery: board.delivery,
    operationsChannel: () => operationsChannel,
    isShared: () => false,
    membersOf,
    tokens: { secretOf: () => null },
    language: () => 'en',
    people: { languageOf: async () => null, namesOf: async () => null },
    pace: async (channel, urgent) => {
      stage.paced.push(`${channel}${urgent ? '!' : ''}`)
      return stage.waits.shift() ?? 0
    },
    claimGroup: async (_, owner = 'all') => ({
      requests: stage.together.filter(({ actor }) => owner === 'all' || actor.user === owner),
      posts: stage.shared.get(owner) ?? null,
      savePosts: async (posts) => void stage.shared.set(owner, posts),
      release: async () => undefined,
    }),
    linkTo: async (id) => `https://sandbox.example/${id}`,
    addressOf: async (post) => `https://sandbox.example/${post?.ts}`,
    clock: { now: () => stage.now, monotonic: () => stage.now },
    log,
  })
  const stage: Stage = {
    board,
    now: 0,
    waits: [],
    paced: [],
    logged: [],
    posts: null,
    shared: new Map(),
    together: [],
    show: (request) => notifier.show(claimWith(stage, request)),
    async settle(request) {
      for (let times = 0; times < 40; times += 1) {
        const { again, ...result } = await stage.show(request)
        if (again === null) return result
        stage.now = Math.max(stage.now, again)
      }
      throw new Error(`It is never done: ${board.tries.join(', ')}`)
    },
  }
  return stage
}

/** A claimed request with only what showing needs; everything else throws. */
function claimWith(stage: Stage, request: Request): ClaimedRequest {
  function no(): never {
    throw new Error('Showing changes nothing of a request.')
  }
  return {
    request,
    get command() {
      return commands.operation(request.line)
    },
    get query() {
      return commands.query(request.line)
    },
    presses: [],
    get posts() {
      return stage.posts
    },
    version: 1,
    starts: 1,
    until: () => Number.POSITIVE_INFINITY,
    savePosts: async (posts) => {
      stage.posts = posts
    },
    move: no,
    release: no,
    refresh: no,
    watch: no,
    leave: no,
    abandon: no,
  }
}
