import type { Offer } from '../../core/model/answer.ts'
import type { Request } from '../../core/model/request.ts'
import type { Held, House } from '../../core/ports/services.ts'
import { end } from '../../core/requests/end.ts'
import { findEndpoint, named, wordOf } from '../../core/requests/find-endpoint.ts'
import { undoOffer } from '../history/command.ts'
import { isAsLeft, type Undoable, undoableOn } from '../history/query.ts'
import { inverseOf } from './inverse.ts'

/** Turns into the opposite of what was last done, and goes on like any other request for that. */
export async function undo(house: House, held: Held): Promise<void> {
  const word = wordOf(held)
  const meant = await requestNamed(house, word)
  const instead = meant === null ? insteadOf(house, word) : null
  if (instead !== null && (await findEndpoint(house, word, 'undo', 'operation')).kind === 'none')
    return end(house, held, 'refused', instead)
  const endpoint = meant === null ? await named(house, held) : meant.endpoint
  if (endpoint === null) return
  const found = await undoable(house, meant, endpoint?.id)
  if ('either' in found) return end(house, held, 'refused', whichOf(house, found.either))
  const { last } = found
  const name = endpoint?.name ?? ''
  if (meant !== null && meant.id !== last?.id) {
    const since = last === null ? '' : ` The last was: ${house.commands.called(last.line, last.endpoint)}.`
    return end(house, held, 'refused', {
      says: `Something else was done${name === '' ? '' : ` to ${name}`} since, so nothing was undone.${since}`,
    })
  }
  if (last === null)
    return end(house, held, 'refused', { says: `Nothing has been done to ${name} from here that could be undone.` })
  const at = house.clock.now()
  const inverse = inverseOf(house.commands, last, { by: held.request.actor, now: at })
  if ('why' in inverse)
    return end(house, held, 'refused', {
      says: `${house.commands.called(last.line, last.endpoint)} cannot be undone. ${inverse.why}`,
      ...(inverse.offers && { offers: inverse.offers }),
    })
  await held.move({ ...held.request, line: inverse.line, undoes: last.id, nextAt: at }, [
    { at, what: 'undo', by: held.request.actor, detail: last.line },
  ])
}

/** What to say to somebody who names a line instead of an endpoint; null for any other word. */
export function insteadOf(
  { commands }: House,
  word: string,
): { readonly says: string; readonly offers: readonly Offer[] } | null {
  const row = commands.rows.find(({ name }) => name === word.toLowerCase())
  const line = row?.kind === 'operation' ? row.opposite : undefined
  if (line === undefined) return null
  return {
    says: `No endpoint is called “${word}”. What ${word} has laid down is taken back by ${line}, or in the history.`,
    offers: [
      { label: `${line.charAt(0).toUpperCase()}${line.slice(1)}`, line },
      { label: 'History', line: 'history' },
    ],
  }
}

/** The request that the line names by its id, as buttons do; null where it names an endpoint. */
export async function requestNamed(house: House, word: string): Promise<Request | null> {
  const found = /^[\w-]{22}$/.test(word) ? await house.store.load(word) : null
  return found?.endpoint === undefined && found?.change === undefined ? null : found
}

/** What is to be undone: `meant` by its id, or what was last done to an endpoint. */
export async function undoable(house: House, meant: Request | null, endpoint: string | undefined): Promise<Undoable> {
  if (endpoint !== undefined) return undoableOn(house, endpoint, meant?.id)
  if (meant?.status !== 'succeeded') return { last: null }
  return { last: isAsLeft(meant, await house.store.records()) ? meant : null }
}

/** What to say where a rule has acted on its own since somebody's change: people say which of both they mean. */
export function whichOf(
  { commands }: House,
  either: readonly [Request, Request],
): {
  readonly says: string
  readonly offers: readonly Offer[]
} {
  const [laid, done] = either.map(({ line, endpoint }) => commands.called(line, endpoint))
  return {
    says: `The last change by a person was “${laid}”; since then a rule has done “${done}”. Say which of both to undo.`,
    offers: either.map(undoOffer),
  }
}
