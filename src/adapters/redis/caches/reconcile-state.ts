import { randomUUID } from 'node:crypto'
import { readAs, written } from '../../../core/model/formats.ts'
import type { ReconcileState } from '../../../core/model/records.ts'
import type { ReconcileStore } from '../../../core/ports/request-store.ts'
import { scriptOn } from '../connection/calls.ts'
import type { StoreContext } from '../context.ts'

/** KEYS turn. ARGV token. */
const giveBack = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

/**
 * Whoever takes something away here can make a rule rest, or have it handed in again; a request for it has an id made
 * of what is handed in, so nothing is done twice, and each is judged anew before a call.
 */
export function createRulings({ redis, keys, signer }: StoreContext): ReconcileStore {
  const release = scriptOn(redis, 'lamplighterTurn', giveBack)
  /** As they were last read: from one look to the next hardly any has changed. */
  let read: ReadonlyMap<string, { readonly text: string; readonly reconcileState: ReconcileState }> = new Map()
  function reconcileStateIn(id: string, text: string): ReconcileState {
    const known = read.get(id)
    return known?.text === text ? known.reconcileState : readAs('reconcileState', signer.read(['pursuit', id], text))
  }
  return {
    async reconcileStates() {
      const texts = Object.entries(await redis.hgetall(keys.reconcileStates))
      read = new Map(texts.map(([id, text]) => [id, { text, reconcileState: reconcileStateIn(id, text) }]))
      return new Map([...read].map(([id, { reconcileState }]) => [id, reconcileState]))
    },
    async noteReconcileStates(changes) {
      const kept = [...changes].flatMap(([endpoint, one]) =>
        one === null ? [] : [endpoint, signer.sign(['pursuit', endpoint], written('reconcileState', one))],
      )
      const gone = [...changes].flatMap(([endpoint, one]) => (one === null ? [endpoint] : []))
      await Promise.all([
        kept.length > 0 && redis.hset(keys.reconcileStates, ...kept),
        gone.length > 0 && redis.hdel(keys.reconcileStates, ...gone),
      ])
    },
    async takeTurn(what, life) {
      const turn = `${keys.reconcileStates}:turn:${what}`
      const token = randomUUID()
      if ((await redis.set(turn, token, 'PX', life, 'NX')) !== 'OK') return null
      return async () => void (await release([turn], [token]))
    },
  }
}
