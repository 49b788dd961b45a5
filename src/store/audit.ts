import { randomUUID } from 'node:crypto'
import type { Head, Link } from '../lifecycle/audit.ts'
import { type Store, Tampered } from '../lifecycle/ports.ts'
import type { Ground } from './ground.ts'
import { beginning, entryOf, lookThrough } from './link.ts'
import { provenArgs } from './moving.ts'
import type { Answer, Proven } from './proof.ts'
import * as scripts from './proving.ts'
import { salvagerOn } from './salvage.ts'
import { scriptOn } from './script.ts'

/** Entries read at once. */
const page = 1_000

/** Records, the chain of everything that was decided and done, and the writes that belong to no request. */
export function createAudit(
  { redis, keys, signer, known, proof, policy }: Ground,
  project: string,
): Pick<Store, 'records' | 'write' | 'audit'> {
  const script = scriptOn(redis, 'lamplighterWrite', scripts.write)
  const salvage = salvagerOn(redis, keys, signer, known)

  async function read(from: number, most: number): Promise<readonly Link[]> {
    return (await redis.xrange(keys.audit, `${from}-0`, '+', 'COUNT', most)).map(linkOf)
  }

  /** Everything that stands there, a page at a time, ours or not. */
  async function* pages(): AsyncGenerator<readonly Link[]> {
    for (let from = '-'; ; ) {
      const found = await redis.xrange(keys.audit, from, '+', 'COUNT', page)
      const last = found.at(-1)
      if (last === undefined) return
      yield found.map(linkOf)
      from = `(${last[0]}`
    }
  }

  /** Where the chain begins: after the last entry that was pruned. */
  async function start(): Promise<Head> {
    const stored = await redis.get(keys.beginning)
    return stored === null ? beginning : (JSON.parse(signer.read(['beginning'], stored)) as Head)
  }

  async function send(proven: Proven): Promise<Answer> {
    const answer = (await script([keys.root, keys.audit, keys.records], provenArgs(proven))) as Answer
    const [first] = proven.links
    if (answer[0] !== 'behind' || first === undefined) return answer
    // It may be behind our own write, whose reply was lost and which was sent again.
    const [there] = await read(first.seq, 1)
    return there?.mac === first.mac ? ['moved'] : answer
  }

  return {
    records: known.records,

    async write(change, events) {
      // Tells it from another that says the same.
      const id = randomUUID()
      // What only tells something leaves the records those that others are planning on.
      const touches = (change.put ?? []).length + (change.drop ?? []).length > 0
      const provable = {
        ...(touches && { change }),
        entries: events.map((event) => entryOf({ project, policy: policy() }, event, { id }, change)),
      }
      const locks = change.put?.some(({ kind }) => kind === 'lockdown') === true
      try {
        await proof.carry(provable, send)
      } catch (error) {
        if (!(error instanceof Tampered) || !locks) throw error
        // What cannot be believed must not keep the door open either.
        proof.turn(await salvage())
        await proof.carry(provable, send)
      }
    },

    audit: {
      head: known.head,
      start,
      read,
      expect: known.expect,
      async verify(anchors) {
        const look = lookThrough(signer, { head: await known.head(), start: await start(), anchors })
        for await (const links of pages()) for (const link of links) look.feed(link)
        return look.end()
      },
      async prune(last) {
        await redis.set(keys.beginning, signer.sign(['beginning'], JSON.stringify({ seq: last.seq, mac: last.mac })))
        await redis.xtrim(keys.audit, 'MINID', `${last.seq + 1}-0`)
      },
    },
  }
}

/** Ids are numbers of entries; whatever else stands there is none of ours. */
function linkOf([id, [, mac = '', , text = '']]: readonly [string, readonly string[]]): Link {
  const [seq, part] = id.split('-')
  return { seq: part === '0' ? Number(seq) : Number.NaN, mac, text }
}
