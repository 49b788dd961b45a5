import type { Deed } from '../../core/commands/define.ts'
import type { Actor } from '../../core/model/actor.ts'
import type { Explained } from '../../core/model/answer.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import type { Member } from '../../core/model/roles.ts'
import { sentences } from '../../core/model/sentences.ts'
import type { Mandate } from '../../core/policy/who-answers.ts'
import type { House } from '../../core/ports/services.ts'
import { findEndpoint } from '../../core/requests/find-endpoint.ts'
import { type FoundOpen, findOpen } from '../../core/requests/find-request.ts'
import { mandatesOf } from '../../features/approvals/mandates.ts'
import { notYours } from '../../features/approvals/review.ts'
import { inverseOf } from '../../features/undo/inverse.ts'
import { insteadOf, requestNamed, undoable, whichOf } from '../../features/undo/undo.ts'

const would = {
  approve: 'It would agree, as you, to:',
  decline: 'It would say no to:',
  'break glass': 'It would let this pass without its approvals, and tell everybody:',
  cancel: 'It would give up:',
} as const satisfies Record<Exclude<Deed, 'undo'>, string>

/** `yours`: whether the asker may is told with it. */
interface Told {
  readonly items: Explained['items']
  readonly yours: boolean
}

/** What something about another request would find to do, and whether it is the asker's to do. */
export async function explainDeed(house: House, { actor }: Request, deed: Deed, word: string): Promise<Told> {
  if (deed === 'undo') return undoExplained(house, actor, word)
  const waiting = await findOpen(house, word, deed.replace(' ', '-'))
  const request = waiting.kind === 'found' ? waiting.request : deed === 'cancel' ? await holding(house, word) : null
  if (request === null) return { items: waiting.kind === 'none' ? others(waiting) : [], yours: true }
  if (isEnded(request.status)) return { items: [{ text: sentences.over(request.ending?.says ?? '') }], yours: true }
  const effect = { text: `${would[deed]} ${house.commands.called(request.line, request.endpoint)}.` }
  if (deed !== 'approve' && deed !== 'decline') return { items: [effect], yours: false }
  const mandates = await mandatesOf(house, actor, request.place)
  const mandate = mandates?.(request)
  return { items: answering(deed, effect, mandate, house.project, request), yours: true }
}

/** Those that wait instead, each to be explained. */
function others({ says, offers }: FoundOpen & { readonly kind: 'none' }): Explained['items'] {
  const each = offers.map(({ label, line }) => {
    const [, text = label] = /^[^:]*: (.*)$/.exec(label) ?? []
    return { text, offers: [{ label: 'Explain', line: `explain ${line}` }] }
  })
  return [{ text: says }, ...each]
}

/** Whether somebody's yes or no would count, and in whose place. */
function answering(
  deed: 'approve' | 'decline',
  effect: Explained['items'][number],
  mandate: Mandate | undefined,
  project: string,
  request: Request,
): Explained['items'] {
  switch (mandate?.kind) {
    case undefined:
      return [{ text: sentences.cannotCheck }]
    case 'not':
      return [{ text: notYours(project, request).says, ...whoMay(request) }]
    case 'own':
      return deed === 'approve'
        ? [{ text: sentences.ownApproval }]
        : [effect, { text: 'It would take your own request back.' }]
    case 'voted':
      if (deed === 'decline') return [effect]
      return mandate.by === undefined
        ? [{ text: sentences.voted }]
        : [{ text: sentences.votedInPlace, whom: [{ kind: 'user', id: mandate.by.user }] }]
    case 'may':
      return [
        effect,
        ...(deed === 'approve' ? missing(request) : []),
        ...(mandate.for === undefined
          ? []
          : [{ text: 'You would answer in the place of', whom: [{ kind: 'user', id: mandate.for.user }] as const }]),
      ]
  }
}

/** "2 of 3 approvals are missing still." */
function missing({ ask, votes = [], requirement }: Request): Explained['items'] {
  if (requirement !== 'approval' || ask === undefined) return []
  const { needed } = ask.asking
  const left = needed - votes.length
  if (needed === 1) return [{ text: 'It takes 1 approval, which is still missing.' }]
  return [{ text: `It takes ${needed} approvals; ${left} ${left === 1 ? 'is' : 'are'} still missing.` }]
}

function whoMay({ ask, requirement }: Request): { readonly whom?: readonly Member[] } {
  const from = requirement === 'approval' ? (ask?.asking.from ?? null) : null
  return from === null ? {} : { whom: from }
}

async function holding(house: House, word: string): Promise<Request | null> {
  const found = await findEndpoint(house, word, 'cancel', 'operation')
  const open = found.kind === 'found' ? await house.store.holderOf(found.endpoint.id) : null
  return open === null ? null : house.store.load(open)
}

async function undoExplained(house: House, by: Actor, word: string): Promise<Told> {
  const meant = await requestNamed(house, word)
  const found = meant === null ? await findEndpoint(house, word, 'undo', 'operation') : null
  if (found?.kind === 'later') return nothing(found.says)
  if (found?.kind === 'none') return nothing(insteadOf(house, word)?.says ?? found.says)
  const endpoint = found?.endpoint ?? meant?.endpoint
  const about = await undoable(house, meant, endpoint?.id)
  if ('either' in about) return nothing(whichOf(house, about.either).says)
  const { last } = about
  if (meant !== null && meant.id !== last?.id)
    return nothing('Something else was done since, so it would undo nothing.')
  if (last === null) return nothing(`Nothing has been done to ${endpoint?.name} from here that could be undone.`)
  const inverse = inverseOf(house.commands, last, { by, now: house.clock.now() })
  if ('why' in inverse) return nothing(inverse.why)
  const [was, asks] = [last.line, inverse.line].map((line) => house.commands.called(line, last.endpoint))
  return { items: [{ text: `The last was “${was}”, so it would ask for “${asks}”.` }], yours: false }
}

/** There is nothing that anybody could ask for. */
function nothing(says: string): Told {
  return { items: [{ text: says }], yours: true }
}
