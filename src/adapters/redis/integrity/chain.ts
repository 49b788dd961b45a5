import type { ChainableCommander } from 'ioredis'
import type { Actor } from '../../../core/model/actor.ts'
import { numbered, readAs, valueAs, written } from '../../../core/model/formats.ts'
import type { Change, Gap } from '../../../core/model/records.ts'
import type { Event, Request } from '../../../core/model/request.ts'
import type { Acknowledgement, Head, Link } from '../../../core/ports/audit.ts'
import type { Signer } from './sign.ts'

/** Where a chain begins that was never cut. */
export const beginning: Head = { seq: 0, mac: '' }

/** `version`: of the request as this entry left it. */
type About = Pick<Request, 'id'> & Partial<Request> & { readonly version?: number }

/**
 * An entry's text: what happened, what it changed, and everything about the request that an auditor will ask for.
 * `policy`: the version that held. `follows`: what it was linked to, where that may stand nowhere any more.
 */
export function entryOf(
  { project, policy }: { readonly project: string; readonly policy: string | undefined },
  { at, what, by, for: absent, detail, seen }: Event,
  about?: About,
  change?: Change,
  follows?: Head,
): string {
  const request = about && {
    request: about.id,
    version: about.version,
    line: about.line,
    actor: about.actor,
    via: about.via,
    place: about.place,
    status: about.status,
    endpoint: about.endpoint,
    digest: about.digest,
  }
  // Its records are written as they stand among the records, so that the two can be compared.
  const put = change?.put?.map((record) => numbered('record', record))
  const changed = change && { ...change, ...(put && { put }) }
  return written('entry', {
    project,
    policy,
    at,
    what,
    by,
    for: absent,
    detail,
    seen,
    ...request,
    change: changed,
    follows,
  })
}

/** The links that these texts become after a head. */
export function linked(signer: Signer, head: Head, texts: readonly string[]): readonly Link[] {
  const links: Link[] = []
  for (const text of texts) {
    const { seq, mac } = links.at(-1) ?? head
    links.push({ seq: seq + 1, mac: signer.link(mac, seq + 1, text), text })
  }
  return links
}

/** Where a chain begins, as it is stored: after the last entry that was pruned. Throws Tampered, Newer. */
export function beginningIn(signer: Signer, stored: string | null): Head {
  return stored === null ? beginning : readAs('head', signer.read(['beginning'], stored))
}

/** Ids are numbers of entries; whatever else stands there is none of ours. */
export function linkIn([id, [, mac = '', , text = '']]: readonly [string, readonly string[]]): Link {
  const [seq, part] = id.split('-')
  return { seq: part === '0' ? Number(seq) : Number.NaN, mac, text }
}

/** What a transaction answered. Throws what went wrong with any part of it. */
export async function answersOf(transaction: ChainableCommander): Promise<readonly unknown[]> {
  return ((await transaction.exec()) ?? []).map(([error, answer]) => {
    if (error !== null) throw error
    return answer
  })
}

interface Entry {
  readonly at: number
  readonly by?: Actor
  readonly actor?: Actor
  readonly change?: Change
  readonly follows?: Head
}

/** What an entry says that it follows: to be shown by its MAC. Most say nothing of it. */
export function followedBy({ text }: Link): readonly Head[] {
  if (!text.includes('"follows"')) return []
  const { follows } = entryIn(text)
  return follows === undefined ? [] : [follows]
}

/** The gaps that an entry acknowledges, and who stands for each. Only to be asked of one that is as it was written. */
export function acknowledgementsIn({
  seq,
  text,
}: Link): readonly (Pick<Acknowledgement, 'by' | 'at' | 'seq'> & { readonly gap: Gap })[] {
  if (!text.includes('"acknowledges"')) return []
  const { at, actor, by = actor, change } = entryIn(text)
  if (by === undefined) return []
  return (change?.acknowledges?.gaps ?? []).map((gap) => ({ gap, by, at, seq }))
}

/** Whether acknowledging one gap is enough for another: nothing outside it, and nothing else that contradicts a note. */
export function covers(acknowledged: Gap, gap: Gap): boolean {
  if (gap.noted !== acknowledged.noted && gap.noted !== undefined) return false
  if (gap.to === acknowledged.to && gap.mac !== acknowledged.mac) return false
  if (gap.from === acknowledged.from && gap.before !== acknowledged.before) return false
  return acknowledged.from <= gap.from && gap.to <= acknowledged.to
}

/** Whatever it is that stands there. Throws Newer. */
function entryIn(text: string): Partial<Entry> & Pick<Entry, 'at'> {
  const found = parsed(text)
  return typeof found === 'object' && found !== null ? valueAs('entry', found) : { at: 0 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
