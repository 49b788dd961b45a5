import { randomUUID } from 'node:crypto'
import { readAs, unlessNewer, written } from '../../../core/model/formats.ts'
import type { AuditLink, AuditStep, AuditVerdict, EventPorts, Head, WebhookState } from '../../../core/ports/audit.ts'
import { type Store, Tampered } from '../../../core/ports/services.ts'
import { scriptOn } from '../connection/calls.ts'
import { beginningIn, entriesAtOnce, entryOf, followed, linkIn, linksIn, type SignedPlace } from '../integrity/chain.ts'
import { type Answer, type Provable, type Proven, provenArgs, proving, type StoreContext } from '../integrity/proof.ts'
import { inflated } from '../integrity/sign.ts'
import { checkChain } from './verify.ts'

/** KEYS root, audit, records. ARGV a proof. */
const writeProven = `
${proving}
local late = behind(1, redis.call('GET', KEYS[1]))
if late then return late end
prove(1, 1)
return {'moved'}
`

/** KEYS beginning, audit. ARGV beginning as it was, next beginning, id of the first entry that stays. */
const cutOff = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[3])
return 1
`

/** Keeps records and the audit, and makes writes without a request. `noted`: heads that are stored outside Redis. */
export function createAudit(
  { redis, keys, signer, proof, policy }: StoreContext,
  project: string,
  noted: () => Promise<readonly Head[]> = async () => [],
): Pick<Store, 'records' | 'write' | 'audit'> {
  const script = scriptOn(redis, 'lamplighterWrite', writeProven)
  const cut = scriptOn(redis, 'lamplighterCut', cutOff)

  /** Reads everything that is stored, a page at a time, including entries that are not ours. */
  async function* pages(first: string, size: number): AsyncGenerator<readonly AuditLink[]> {
    for (let from = first; ; ) {
      const found = await redis.xrange(keys.audit, from, '+', 'COUNT', size)
      const last = found.at(-1)
      if (last === undefined) return
      yield found.map(linkIn)
      from = `(${last[0]}`
    }
  }

  async function read(from: number, most: number): Promise<readonly AuditLink[]> {
    for await (const links of pages(`${from}-0`, most)) {
      const ours = links.filter(({ seq }) => !Number.isNaN(seq))
      if (ours.length > 0) return ours
    }
    return []
  }

  async function start(): Promise<Head> {
    return beginningIn(signer, await redis.get(keys.beginning))
  }

  async function verify(anchors: readonly Head[]): Promise<AuditVerdict> {
    const head = await proof.head()
    const from = await start()
    const check = checkChain(signer, { head, start: from, anchors: [...anchors, ...(await noted())] })
    for await (const links of pages('-', entriesAtOnce)) for (const link of links) check.feed(link)
    const verdict = check.end()
    // The audit may have been pruned meanwhile.
    return verdict.well || (await start()).seq === from.seq ? verdict : verify(anchors)
  }

  async function send(proven: Proven): Promise<Answer> {
    const answer = (await script([keys.root, keys.audit, keys.records], provenArgs(proven))) as Answer
    const [first] = proven.links
    if (answer[0] !== 'behind' || first === undefined) return answer
    // The newer root may be our own: ioredis repeats a write whose reply was lost.
    const [there] = await read(first.seq, 1)
    return there?.mac === first.mac ? ['moved'] : answer
  }

  return {
    records: (all) => proof.records(all),

    async write(change, events) {
      // Distinguishes this write from another with the same content.
      const id = randomUUID()
      // An entry without a change does not outdate the records that others plan on. An empty `put` signs them again.
      const touches = change.put !== undefined || (change.drop ?? []).length > 0
      const provable = (follows?: Head): Provable => ({
        ...(touches && { change }),
        entries: events.map((event) => entryOf({ project, policy: policy()?.version }, event, { id }, change, follows)),
      })
      try {
        await proof.carry(provable(), send)
      } catch (error) {
        if (!(error instanceof Tampered) || change.put?.some(({ kind }) => kind === 'lockdown') !== true) throw error
        // Lost data must not prevent a lockdown.
        await proof.lock(provable, await noted(), send)
      }
    },

    audit: {
      head: () => proof.head(),
      start,
      read,
      expect: (head) => proof.expect(head),
      verify,
      async prune({ seq, mac }) {
        const stored = await redis.get(keys.beginning)
        if (beginningIn(signer, stored).seq >= seq) return
        const next = signer.sign(['beginning'], written('head', { seq, mac }))
        await cut([keys.beginning, keys.audit], [stored ?? '', next, `${seq + 1}-0`])
      },
    },
  }
}

/** Follows the audit for webhooks, and remembers how far each has come. */
export function createEventTrail(place: SignedPlace): Pick<EventPorts, 'after' | 'stateOf' | 'saveState'> {
  const { redis, keys, signer } = place

  /** A link's MAC covers the one before it, so nobody without the key can make a link that follows. */
  function stepOf(link: AuditLink, priors: readonly Head[]): AuditStep {
    const entry = (): AuditStep['entry'] =>
      followed(signer, link, priors) === undefined ? 'unproven' : readAs('entry', inflated(link.text))
    return { seq: link.seq, entry: unlessNewer(entry, 'newer') }
  }

  return {
    async after(seq, most) {
      const { start, links } = await linksIn(place, (reading, audit) =>
        reading.xrange(audit, `${seq}-0`, '+', 'COUNT', most + 1),
      )
      const numbered = links.filter((link) => !Number.isNaN(link.seq))
      return numbered
        .map((link, at) => stepOf(link, [numbered[at - 1] ?? start, start]))
        .filter((step) => step.seq > seq)
        .slice(0, most)
    },
    async stateOf(webhook) {
      const text = await redis.hget(keys.events, webhook)
      return text === null ? null : readAs<WebhookState>('webhook', text)
    },
    async saveState(webhook, delivery) {
      await redis.hset(keys.events, webhook, written('webhook', delivery))
    },
  }
}
