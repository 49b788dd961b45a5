import { readAs } from '../domain/formats.ts'
import { type Change, keyOf } from '../domain/records.ts'
import type { Head, Link } from '../lifecycle/audit.ts'
import type { Signer } from './signed.ts'

/** Keys of the records that entries of the audit have changed; of none from the first that does not follow a head on. Throws Newer. */
export function touchedIn(signer: Signer, head: Head, entries: readonly Link[]): readonly string[] {
  const touched = new Set<string>()
  let last = head
  for (const entry of entries) {
    if (!signer.isLink(entry.mac, last.mac, entry.seq, entry.text)) break
    last = entry
    if (!entry.text.includes('"change"')) continue
    const { change } = readAs<{ readonly change?: Change }>('entry', entry.text)
    for (const record of change?.put ?? []) touched.add(keyOf(record))
    for (const key of change?.drop ?? []) touched.add(key)
  }
  return [...touched]
}
