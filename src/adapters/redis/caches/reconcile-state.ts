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
  let read: ReadonlyMap<string, { readonly text: string; readonly pursuit: ReconcileState }> = new Map()
  function pursuitIn(id: string, text: string): ReconcileState {
    const known = read.get(id)
    return known?.text === text ? known.pursuit : readAs('pursuit', signer.read(['pursuit', id], text))
  }
  return {
    async pursuits() {
      const texts = Object.entries(await redis.hgetall(keys.pursuits))
      read = new Map(texts.map(([id, text]) => [id, { text, pursuit: pursuitIn(id, text) }]))
      return new Map([...read].map(([id, { pursuit }]) => [id, pursuit]))
    },
    async notePursuits(changes) {
      const kept = [...changes].flatMap(([endpoint, one]) =>
        one === null ? [] : [endpoint, signer.sign(['pursuit', endpoint], written('pursuit', one))],
      )
      const gone = [...changes].flatMap(([endpoint, one]) => (one === null ? [endpoint] : []))
      await Promise.all([
        kept.length > 0 && redis.hset(keys.pursuits, ...kept),
        gone.length > 0 && redis.hdel(keys.pursuits, ...gone),
      ])
    },
    async takeTurn(what, life) {
      const turn = `${keys.pursuits}:turn:${what}`
      const token = randomUUID()
      if ((await redis.set(turn, token, 'PX', life, 'NX')) !== 'OK') return null
      return async () => void (await release([turn], [token]))
    },
  }
}
