import type { ChainableCommander } from 'ioredis'
import { readAs } from '../domain/formats.ts'
import type { Head, Link } from '../lifecycle/audit.ts'
import { beginning } from './link.ts'
import type { Signer } from './signed.ts'

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
