import { randomUUID } from 'node:crypto'
import { written } from '../../../core/model/formats.ts'
import type { Head, Link, Verdict } from '../../../core/ports/audit.ts'
import { type Store, Tampered } from '../../../core/ports/services.ts'
import { scriptOn } from '../connection/script.ts'
import { beginningIn, entryOf, linkIn } from '../integrity/chain.ts'
import type { Ground } from '../integrity/context.ts'
import { type Answer, type Proven, provenArgs } from '../integrity/proof.ts'
import * as scripts from '../integrity/scripts.ts'
import { createLedger, salvagerOn } from './salvage.ts'
import { lookThrough } from './verify.ts'

/** Entries read at once. */
const page = 1_000

/** Records, the chain of everything that was decided and done, and the writes that belong to no request. */
export function createAudit(
  { redis, keys, signer, known, proof, policy }: Ground,
  project: string,
): Pick<Store, 'records' | 'write' | 'audit'> {
  const script = scriptOn(redis, 'lamplighterWrite', scripts.write)
  const cut = scriptOn(redis, 'lamplighterCut', scripts.cut)
  const salvage = salvagerOn(redis, keys, signer, known)
  let noted: () => Promise<readonly Head[]> = async () => []

  async function read(from: number, most: number): Promise<readonly Link[]> {
    for await (const links of pages(`${from}-0`, most)) {
      const ours = links.filter(({ seq }) => !Number.isNaN(seq))
      if (ours.length > 0) return ours
    }
    return []
  }

  /** Everything that stands there, a page at a time, ours or not. */
  async function* pages(first: string, page: number): AsyncGenerator<readonly Link[]> {
    for (let from = first; ; ) {
      const found = await redis.xrange(keys.audit, from, '+', 'COUNT', page)
      const last = found.at(-1)
      if (last === undefined) return
      yield found.map(linkIn)
      from = `(${last[0]}`
    }
  }

  async function start(): Promise<Head> {
    return beginningIn(signer, await redis.get(keys.beginning))
  }

  /** Looks all of it through; `seen` is given every text that is as it was written. */
  async function look(anchors: readonly Head[], seen: (text: string) => void = () => undefined): Promise<Verdict> {
    const head = await known.head()
    const from = await start()
    const through = lookThrough(signer, { head, start: from, anchors: [...anchors, ...(await noted())] })
    for await (const links of pages('-', page)) for (const link of links) if (through.feed(link)) seen(link.text)
    const verdict = through.end()
    // It may have been pruned meanwhile.
    return verdict.well || (await start()).seq === from.seq ? verdict : look(anchors, seen)
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
      const provable = (follows?: Head) => ({
        ...(touches && { change }),
        entries: events.map((event) => entryOf({ project, policy: policy() }, event, { id }, change, follows)),
      })
      const locks = change.put?.some(({ kind }) => kind === 'lockdown') === true
      try {
        await proof.carry(provable(), send)
      } catch (error) {
        if (!(error instanceof Tampered) || !locks) throw error
        // What cannot be believed must not keep the door open either.
        const root = await salvage(await noted())
        proof.turn(root)
        // What it is linked to stands nowhere else any more.
        await proof.carry(provable(root && { seq: root.seq, mac: root.mac }), send)
      }
    },

    audit: {
      head: known.head,
      start,
      read,
      expect: known.expect,
      witness(heads) {
        noted = heads
      },
      verify: (anchors) => look(anchors),
      async damage() {
        const ledger = createLedger()
        const { gaps } = await look([], (text) => ledger.enter(text))
        return { gaps, ...ledger.against(await known.records('all')) }
      },
      async prune({ seq, mac }) {
        const stored = await redis.get(keys.beginning)
        if (beginningIn(signer, stored).seq >= seq) return
        const next = signer.sign(['beginning'], written('head', { seq, mac }))
        await cut([keys.beginning, keys.audit], [stored ?? '', next, `${seq + 1}-0`])
      },
    },
  }
}
