import type { SentenceId } from '../../words/english.ts'
import { longestLine, writeWord } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import type { Offer } from '../model/answer.ts'
import type { Request } from '../model/request.ts'
import { say, type Words } from '../model/words.ts'
import type { Services } from '../ports/services.ts'

export type FoundOpen =
  | { readonly kind: 'found'; readonly request: Request }
  | { readonly kind: 'none'; readonly says: Words; readonly offers: readonly Offer[] }

/** The request of this id; else the only one that waits on the endpoint of that id or name, or is called so. */
export async function findOpen(services: Services, word: string, verb: string, because?: string): Promise<FoundOpen> {
  const byId = /^[\w-]{22}$/.test(word) ? await services.store.load(word) : null
  if (byId?.kind === 'operation') return { kind: 'found', request: byId }
  const waiting = (await services.store.open()).filter(({ status }) => status === 'awaiting')
  const meant = waiting.filter(({ endpoint, line }) =>
    endpoint === undefined ? line.split(' ')[0] === word : endpoint.id === word || endpoint.name === word,
  )
  if (meant.length === 1 && meant[0] !== undefined) return { kind: 'found', request: meant[0] }
  const offers = (meant.length > 1 ? meant : waiting)
    .slice(0, 5)
    .map((request) => offerOf(services, request, verb, because))
  if (meant.length > 1) return { kind: 'none', says: say('request.several', { word }), offers }
  const others = offers.length > 0 ? 'yes' : 'no'
  return { kind: 'none', says: say('request.noneWaits', { word, others }), offers }
}

/** Buttons can call nobody by name, so requests for the same are told apart by their age. */
function offerOf({ commands, clock }: Services, request: Request, verb: string, because: string | undefined): Offer {
  const { id, line: asked, endpoint, receivedAt } = request
  const deed = phrase(commands.operation(asked), endpoint?.name ?? '', 'ask', request.change)
  const about = say('request.asked.ago', { deed, ago: { lasting: clock.now() - receivedAt } })
  const label = say('request.answer', { verb: say(`${verb}.ask` as SentenceId), about })
  const line = `${verb} ${writeWord(id)}`
  const whole = because === undefined ? line : `${line} because=${writeWord(because)}`
  // A reason as long as a line may be does not fit beside an id.
  return { label, about, line: whole.length > longestLine ? line : whole }
}
