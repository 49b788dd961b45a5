import type { Deed } from '../operations/define.ts'
import { inverseOf } from '../operations/inverse.ts'
import { findEndpoint } from './find.ts'
import { findOpen } from './find-open.ts'
import type { House } from './ports.ts'

const would = {
  approve: 'It would agree, as you, to:',
  decline: 'It would say no to:',
  'break glass': 'It would let this pass without its approvals, and tell everybody:',
  cancel: 'It would give up:',
} as const satisfies Record<Exclude<Deed, 'undo'>, string>

/** What something about another request would find to do. */
export async function explainDeed(house: House, deed: Deed, word: string): Promise<string> {
  if (deed === 'undo') return undoExplained(house, word)
  const waiting = await findOpen(house, word, deed)
  const request = waiting.kind === 'found' ? waiting.request : deed === 'cancel' ? await holding(house, word) : null
  if (request !== null) return `${would[deed]} ${request.line}.`
  return waiting.kind === 'none' ? waiting.says : ''
}

async function holding(house: House, word: string): Promise<{ readonly line: string } | null> {
  const found = await findEndpoint(house, word, 'cancel', 'operation')
  const open = found.kind === 'found' ? await house.store.holderOf(found.endpoint.id) : null
  return open === null ? null : house.store.load(open)
}

async function undoExplained(house: House, word: string): Promise<string> {
  const found = await findEndpoint(house, word, 'undo', 'operation')
  if (found.kind !== 'found') return found.says
  const last = await house.store.lastDone(found.endpoint.id)
  if (last === null) return `Nothing has been done to ${found.endpoint.name} from here that could be undone.`
  const inverse = inverseOf(last, last.before ?? null)
  return 'why' in inverse ? inverse.why : `The last was “${last.line}”, so it would ask for “${inverse.line}”.`
}
