import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Request } from '../../src/core/model/request.ts'
import type { QueryInput } from '../../src/core/ports/services.ts'
import { mandatesUnder } from '../../src/features/approvals/review.ts'
import { dryRun } from '../../src/lifecycle/dry-run.ts'
import { explainLine } from '../../src/lifecycle/explain.ts'
import { channels, endpointNames, peopled, policies, users } from '../support/memory/cast.ts'
import { homeTeam } from '../support/memory/people.ts'
import { type Stage, staged, swept, types } from '../support/memory/stage.ts'
import { steps } from '../support/memory/steps.ts'
import { onEndpoint, onProject, recent, which } from '../support/memory/steps-people.ts'
import { tries } from '../support/search.ts'
import { english } from '../support/words.ts'

const deeds = fc
  .tuple(
    fc.constantFrom('approve', 'approve', 'decline', 'cancel', 'undo', 'break-glass'),
    fc.oneof({ weight: 3, arbitrary: which }, endpointNames),
  )
  .map(([verb, one]) => (stage: Stage) => {
    // Without earlier requests, the newest one would be the line typed here.
    const word = stage.requests.length === 0 ? 'my-llm' : recent(stage, one)
    return `${verb} ${word}${verb === 'break-glass' ? ' because="it burns"' : ''}`
  })
const lines = fc.oneof(
  onEndpoint.map((line) => () => line),
  onProject.map((line) => () => line),
  fc.constantFrom('away until 1h to @U0CLEO', 'back').map((line) => () => line),
  deeds,
)
const asked = fc.tuple(
  fc.constantFrom(...users, 'U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA', 'U0EVA'),
  lines,
  fc.constantFrom(...channels, 'C0OPS'),
)

/** Returns everything stored, called or announced, as text. */
function everything({ shelf, platform, announced }: Stage): string {
  const { requests, wake, presses, locks, done, past, records, audit, settings, late, files, names, watched } = shelf
  const maps = [requests, wake, presses, locks, done, past, records, settings, late, files, watched].map((one) => [
    ...one,
  ])
  return JSON.stringify([maps, audit, names, shelf.hint, [...shelf.reconciling.turns.keys()], platform.made, announced])
}

/** Returns each person's right to answer a request, or nothing if the request awaits no answer. */
async function rights({ services }: Stage, request: Request): Promise<readonly unknown[]> {
  if (request.status !== 'awaiting') return []
  const who = users.map((user) => ({ team: homeTeam, user }))
  const records = await services.store.records()
  return Promise.all(
    who.map(async (one) => (await mandatesUnder(services, records, one, { channel: 'C0OPS' }))?.(request)),
  )
}

/** Returns the comparable state of a request; once its work has begun, without its ending. */
async function shape(stage: Stage, request: Request, hasBegun = request.status === 'running') {
  const { status, requirement, plan = [], ask, ending, votes = [], decision, endpoint, startedAt } = request
  return {
    status: hasBegun && startedAt !== undefined ? 'running' : status,
    says: hasBegun ? undefined : ending?.says,
    line: stage.services.commands.called(request.line, endpoint),
    about: hasBegun ? undefined : ending?.about,
    requirement,
    plan,
    needed: ask?.asking.needed,
    votes: votes.length,
    decision: decision?.yes,
    rights: await rights(stage, request),
  }
}

/** Sums up in one word what people read in the explanation. */
function predicted(text: string): string {
  if (text.includes('This would do nothing. ')) return 'nothing'
  if (text.includes('Needs confirmation')) return 'confirmation'
  if (text.includes('Needs approval')) return 'approval'
  return text.includes('Needs no approval or confirmation') ? 'free' : 'deed'
}

/** `touched`: whether the request changed another one, which is the only purpose of a line about another request. */
function happened({ status, requirement, plan = [], undoes }: Request, isDeed: boolean, touched: boolean): string {
  if (status === 'awaiting') return requirement ?? ''
  if (isDeed && undoes === undefined) return status === 'succeeded' && touched ? 'deed' : 'nothing'
  const isRun = status === 'running' || status === 'succeeded' || (plan.length > 0 && requirement === 'nothing')
  return isRun ? 'free' : 'nothing'
}

const tally = new Map<string, number>()

test.each([1, 2, 3])('explain predicts what the line then does, and changes nothing itself (seed %i)', (seed) =>
  fc.assert(
    fc.asyncProperty(policies, steps, asked, async (policy, sequence, [user, lineOn, channel]) => {
      const stage = staged(peopled(policy))
      await fc.asyncModelRun(() => ({ model: stage.oracle, real: stage }), sequence)
      stage.platform.troubles.length = 0
      // Explain cannot predict around a lease that another worker holds, so all work is finished first.
      stage.clock.pass(60_000)
      await swept(stage)
      const { services, clock, requests, store } = stage
      const typed = lineOn(stage)
      const read = services.commands.parse(typed)
      if (read.kind !== 'line') throw new Error(`This cannot be read: ${typed}`)
      const { line, row } = read.read
      const by = { actor: { team: homeTeam, user }, place: { channel }, receivedAt: clock.now() }
      const known = {
        id: 'e'.padEnd(22, '0'),
        project: 'default',
        notes: [],
        nextAt: null,
        status: 'received',
        ...by,
      } as const
      const input: QueryInput = {
        request: { ...known, kind: 'query', line: `explain ${line}` },
        values: { line },
        endpoint: undefined,
      }
      // Loading drops requests that are too old, so that explain does not appear to do it.
      await Promise.all(requests.map((id) => store.load(id)))
      const before = everything(stage)
      const tried = await dryRun(services, { ...known, kind: 'operation', line })
      const told = await explainLine(services, input)
      await explainLine(services, { ...input, values: { line: 'status my-llm' } })
      expect(everything(stage)).toBe(before)
      const others = await Promise.all(tried.others.map(({ after }) => shape(stage, after)))
      const foreseen = await shape(stage, tried.request)

      await types(stage, user, typed, channel)
      await stage.work()
      const real = await store.load(requests.at(-1) ?? '')
      if (real === null) throw new Error('Nothing was stored.')
      if (tried.authorization?.kind === 'not') {
        expect(real).toMatchObject({ status: 'refused', ending: { says: tried.authorization.says } })
        tally.set('not theirs', (tally.get('not theirs') ?? 0) + 1)
        return
      }
      expect(await shape(stage, real, tried.request.status === 'running')).toEqual(foreseen)
      for (const [at, { before: was, after }] of tried.others.entries()) {
        const other = (await store.load(after.id)) ?? after
        // A request that begins to run may ask again right after, which is another decision.
        const history = (await store.eventsOf(after.id)).map((event) => event.what)
        if (after.status !== 'running') expect(await shape(stage, other)).toEqual(others[at])
        else if (was.status === 'awaiting')
          expect(history).toContain(after.decision?.glass ? 'broke the glass' : 'agreed')
      }
      const what = happened(real, 'deed' in row, tried.others.length > 0)
      const text = told.kind === 'answered' ? told.answer.items.map((item) => english(item.text)).join('\n') : 'unread'
      expect(predicted(text)).toBe(what)
      tally.set(what, (tally.get(what) ?? 0) + 1)
    }),
    { seed, numRuns: tries(3_000, 15) },
  ),
)

test.each(['nothing', 'confirmation', 'approval', 'free', 'deed', 'not theirs'])(
  'the sequences often reached: %s',
  (what) => expect(tally.get(what) ?? 0).toBeGreaterThan(5),
)
