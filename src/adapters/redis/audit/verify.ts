import type { Gap } from '../../../core/model/records.ts'
import { type Sentence, say } from '../../../core/model/words.ts'
import type { Acknowledgement, AuditLink, AuditVerdict, Head } from '../../../core/ports/audit.ts'
import { entryIn, followed, lossesIn } from '../integrity/chain.ts'
import { inflated, type Signer } from '../integrity/sign.ts'

interface Against {
  /** The head that the first entry follows. */
  readonly start: Head
  /** Heads that were noted elsewhere. */
  readonly anchors: readonly Head[]
  /** The last entry when reading began. Newer ones may have been added since. */
  readonly head?: Head
}

/**
 * Finds what was edited, deleted, inserted or moved, and a tail that is missing before the newest anchor. Somebody with
 * the key could still write another chain after that. After a fault it continues with the first link that provably
 * follows something. Only a later entry of the same chain can accept a loss, so nobody without the key can.
 */
export function checkChain(signer: Signer, { start, anchors, head = start }: Against) {
  const noted = new Map<number, Set<string>>()
  for (const { seq, mac } of [...anchors, head]) noted.set(seq, (noted.get(seq) ?? new Set()).add(mac))
  const anchored = new Set(anchors.map(({ seq }) => seq))
  const acknowledged: Acknowledgement[] = []
  let faults: readonly (Gap & { readonly says: Sentence })[] = []
  /** The last intact link, the link that came last, and what is wrong with those in between. */
  let last = start
  let before: Head = start
  let wrong: Sentence | undefined
  let provenTo = start.seq
  reach(start)

  function reach({ seq, mac }: Head): void {
    last = { seq, mac }
    if ([...(noted.get(seq) ?? [])].some((one) => one !== mac))
      faults = [...faults, { from: seq, to: seq, says: say('audit.notNoted', { entry: `${seq}` }) }]
    else if (anchored.has(seq)) provenTo = seq
  }

  /** Returns the head that a link follows, or undefined if none can be proven. */
  function headBefore(link: AuditLink): Head | undefined {
    if (signer.follows(link, last)) return last
    // After a fault: the stored link before it, a noted head, or the head that its text names.
    const seq = link.seq - 1
    if (!(seq >= last.seq)) return undefined
    const heads = [...(noted.get(seq) ?? [])].map((mac) => ({ seq, mac }))
    return followed(signer, link, [before, ...heads])
  }

  /** Adds the fault between the last proven link and the head that a link follows. */
  function skip(to: Head, says: Sentence): void {
    const isLast = to.seq === last.seq && to.mac === last.mac
    const from = isLast ? last.seq + 1 : Math.min(last.seq + 1, to.seq)
    const isMany = says.say === 'audit.missing' && from < to.seq
    const gap = isMany ? say('audit.gap', { from: `${from}`, to: `${to.seq}` }) : says
    faults = [...faults, { from, to: to.seq, says: gap }]
    if (!isLast) reach(to)
  }

  function accept({ seq, text }: AuditLink): void {
    if (!inflated(text).includes('"acknowledges"')) return
    const entry = entryIn(text)
    const by = entry.by ?? entry.actor
    if (by === undefined) return
    // What lies between two gaps was intact when they were accepted.
    for (const loss of lossesIn(entry)) {
      const left = faults.filter(({ from, to }) => from < loss.from || to > loss.to)
      if (left.length < faults.length) acknowledged.push({ ...loss, by, at: entry.at, seq })
      faults = left
    }
  }

  return {
    feed(link: AuditLink): void {
      const found = headBefore(link)
      if (found === undefined) wrong ??= faultOf(link, last.seq + 1)
      else {
        if (wrong !== undefined || found !== last) skip(found, wrong ?? faultOf(link, last.seq + 1))
        wrong = undefined
        reach(link)
        accept(link)
      }
      before = link
    },

    end(): AuditVerdict {
      const end = Math.max(start.seq, head.seq, ...anchored)
      const cut = last.seq < end ? say('audit.cut', entriesIn(last.seq + 1, end)) : undefined
      const tail = wrong ?? cut
      const all = [...faults.map((fault) => fault.says), ...(tail === undefined ? [] : [tail])]
      const says = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
      const found = {
        well: says.length === 0,
        head: last,
        gaps: faults.map(({ from, to }) => ({ from, to })),
        acknowledged,
      }
      const losses = acknowledged.map(lossWords)
      if (found.well) return { ...found, says: [provenWords(start.seq, last.seq, provenTo), ...losses] }
      const goesOn = say('audit.goesOn', { on: tail === undefined ? 'yes' : 'no', entry: `${last.seq}` })
      return { ...found, says: [...fewOf(says), goesOn, ...fewOf(losses)] }
    },
  }
}

const mostSaid = 5

/** Messages have a limit. */
function fewOf(says: readonly Sentence[]): readonly Sentence[] {
  if (says.length <= mostSaid) return says
  return [...says.slice(0, mostSaid), say('audit.more', { count: says.length - mostSaid })]
}

function faultOf({ seq }: AuditLink, next: number): Sentence {
  return say(seq === next ? 'audit.changed' : 'audit.missing', { entry: `${next}` })
}

/** "Entries 1 to 9 are intact; those after entry 5 are unproven: there is no later checkpoint." `first` itself is not counted. */
function provenWords(first: number, last: number, newest: number): Sentence {
  if (last === first) return say('audit.empty')
  const unproven = newest >= last ? 'none' : `${newest}`
  return say('audit.proven', { ...entriesIn(first + 1, last), unproven })
}

function lossWords({ from, to, by, at, seq }: Acknowledgement): Sentence {
  return say('audit.accepted', { ...entriesIn(from, to), by: { person: by }, at: { at }, entry: `${seq}` })
}

/** Writes the numbers of entries without separators. `count` is 0 if there are none. */
function entriesIn(from: number, to: number) {
  return { count: Math.max(0, to - from + 1), from: `${from}`, to: `${to}` }
}
