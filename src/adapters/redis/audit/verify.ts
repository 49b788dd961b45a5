import type { Gap } from '../../../core/model/records.ts'
import type { Acknowledgement, AuditLink, AuditVerdict, Head } from '../../../core/ports/audit.ts'
import { instant, withInstants } from '../../../core/time/format.ts'
import { entryIn, headNamedIn, lossIn } from '../integrity/chain.ts'
import type { Signer } from '../integrity/sign.ts'

/** What a chain is held against. */
interface Against {
  /** What its first entry follows. */
  readonly start: Head
  /** Heads that were noted elsewhere. */
  readonly anchors: readonly Head[]
  /** What was said to be its last entry before it was read; others may have come since. */
  readonly head?: Head
}

/**
 * Finds what was edited, deleted, inserted or moved, and a tail that was cut off up to the newest anchor. Whoever holds
 * the key could still have written another chain after that, and a tail cut off with its head leaves no trace there.
 *
 * Behind a fault it goes on with the first link that can be shown to follow something, since a link's MAC is over the
 * one before it. Only a later entry of this very chain can accept a loss, by its first and last entry; so nobody
 * without the key can, and later faults elsewhere still show.
 */
export function checkChain(signer: Signer, { start, anchors, head = start }: Against) {
  const noted = new Map<number, Set<string>>()
  for (const { seq, mac } of [...anchors, head]) noted.set(seq, (noted.get(seq) ?? new Set()).add(mac))
  const anchored = new Set(anchors.map(({ seq }) => seq))
  const acknowledged: Acknowledgement[] = []
  let faults: readonly (Gap & { readonly says: string })[] = []
  /** The last link that is as it was written, the one that came last, and what is wrong with those in between. */
  let last = start
  let before: Head = start
  let wrong: string | undefined
  let provenTo = start.seq
  reach(start)

  function reach({ seq, mac }: Head): void {
    last = { seq, mac }
    if ([...(noted.get(seq) ?? [])].some((one) => one !== mac))
      faults = [...faults, { from: seq, to: seq, says: `Entry ${seq} is not the one that was noted.` }]
    else if (anchored.has(seq)) provenTo = seq
  }

  /** What a link follows; undefined if nothing shows that. */
  function followed(link: AuditLink): Head | undefined {
    const follows = (one: Head): boolean => signer.follows(link, one)
    if (follows(last)) return last
    // Behind a fault: the link before it as it is stored, a noted head, or the head that its text names.
    const seq = link.seq - 1
    if (!(seq >= last.seq)) return undefined
    const heads = [...(noted.get(seq) ?? [])].map((mac) => ({ seq, mac }))
    return [before, ...heads, ...headNamedIn(link)].find(follows)
  }

  /** Adds what lies between the last link that was proven and what a link follows. */
  function skip(to: Head, says: string): void {
    const isLast = to.seq === last.seq && to.mac === last.mac
    const from = isLast ? last.seq + 1 : Math.min(last.seq + 1, to.seq)
    faults = [...faults, { from, to: to.seq, says }]
    if (!isLast) reach(to)
  }

  function accept({ seq, text }: AuditLink): void {
    if (!text.includes('"acknowledges"')) return
    const entry = entryIn(text)
    const [loss, by] = [lossIn(entry), entry.by ?? entry.actor]
    if (by === undefined || loss === undefined) return
    const left = faults.filter(({ from, to }) => from < loss.from || to > loss.to)
    if (left.length < faults.length) acknowledged.push({ ...loss, by, at: entry.at, seq })
    faults = left
  }

  return {
    feed(link: AuditLink): void {
      const found = followed(link)
      if (found === undefined) wrong ??= faultText(link, last.seq + 1)
      else {
        if (wrong !== undefined || found !== last) skip(found, wrong ?? faultText(link, last.seq + 1))
        wrong = undefined
        reach(link)
        accept(link)
      }
      before = link
    },

    end(): AuditVerdict {
      const end = Math.max(start.seq, head.seq, ...anchored)
      const verb = last.seq + 1 === end ? 'is' : 'are'
      const cut = last.seq < end ? `${entriesText(last.seq + 1, end)} ${verb} missing.` : undefined
      const tail = wrong ?? cut
      const says = [...new Set([...faults, ...(tail === undefined ? [] : [{ says: tail }])].map((fault) => fault.says))]
      const found = {
        well: says.length === 0,
        head: last,
        gaps: faults.map(({ from, to }) => ({ from, to })),
        acknowledged,
      }
      const losses = acknowledged.map(lossText).join('')
      if (found.well) return { ...found, says: `${provenText(start.seq, last.seq, provenTo)}${losses}` }
      const more = says.length > mostSaid ? ` There are ${says.length - mostSaid} more such places.` : ''
      const goesOn = tail === undefined ? ` It goes on as written to entry ${last.seq}.` : ''
      const fore = 'What comes before it is as it was written.'
      return { ...found, says: `${says.slice(0, mostSaid).join(' ')}${more} ${fore}${goesOn}${losses}` }
    },
  }
}

/** Of faults. */
const mostSaid = 5

function faultText({ seq }: AuditLink, next: number): string {
  return seq === next
    ? `Entry ${seq} was changed, or does not follow the one before.`
    : `Entry ${next} is missing, or not in its place.`
}

/** "Entries 1 to 9 are as they were written; unproven after seq 5: no later anchor was given.": all after `first`. */
function provenText(first: number, last: number, newest: number): string {
  if (last === first) return 'There are no entries.'
  const whole = `${entriesText(first + 1, last)} ${last === first + 1 ? 'is as it was' : 'are as they were'} written`
  return newest >= last ? `${whole}.` : `${whole}; unproven after seq ${newest}: no later anchor was given.`
}

function lossText({ from, to, by, at, seq }: Acknowledgement): string {
  const what = to < from ? `what stands before entry ${from}` : entriesText(from, to).toLowerCase()
  return withInstants(
    ` But for ${what}: lost or not as written, accepted as a whole by ${by.user} at ${instant(at)} in entry ${seq}.`,
  )
}

/** "Entry 9", "Entries 1 to 5" */
function entriesText(from: number, to: number): string {
  return from === to ? `Entry ${from}` : `Entries ${from} to ${to}`
}
