import { numbered, written } from '../domain/formats.ts'
import type { Change } from '../domain/records.ts'
import type { Event, Request } from '../domain/request.ts'
import type { Head, Link } from '../lifecycle/audit.ts'
import type { Signer } from './signed.ts'

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
