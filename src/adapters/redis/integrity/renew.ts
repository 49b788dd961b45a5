import { say } from '../../../core/model/words.ts'
import type { Clock, Store } from '../../../core/ports/services.ts'
import { scriptOn } from '../connection/calls.ts'
import type { SignedPlace } from './chain.ts'
import type { Label } from './sign.ts'

/** Replaces a text that nobody has changed since. KEYS the text, or a hash. ARGV its field or '', the text, the next. */
const replace = `
local key, field, text, next = KEYS[1], unpack(ARGV)
if field == '' then
  if redis.call('GET', key) == text then redis.call('SET', key, next) end
elseif redis.call('HGET', key, field) == text then redis.call('HSET', key, field, next) end
`

/**
 * Signs again what an earlier key signed and nothing else may ever rewrite, so that this key can be dropped. The rest
 * expires, is rewritten soon, or belongs to the audit, whose new entry lets all entries before it be moved out.
 */
export function renewerOn(
  { redis, keys, signer }: SignedPlace,
  store: Pick<Store, 'names' | 'write'>,
  clock: Pick<Clock, 'now'>,
): () => Promise<void> {
  const script = scriptOn(redis, 'lamplighterReplace', replace)

  async function renew(key: string, field: string, label: Label, text: string | null): Promise<void> {
    if (text === null || !signer.isOld(label, text)) return
    await script([key], [field, text, signer.sign(label, signer.read(label, text))])
  }

  /** Reads a hash page by page: one of many endpoints is large. */
  async function* fieldsOf(hash: string): AsyncGenerator<readonly [field: string, text: string]> {
    for await (const page of redis.hscanStream(hash) as AsyncIterable<readonly string[]>)
      for (let at = 0; at + 1 < page.length; at += 2) yield [page[at] ?? '', page[at + 1] ?? '']
  }

  return async () => {
    let isOld = signer.isOld(['root'], (await redis.get(keys.root)) ?? '')
    for await (const [key, text] of fieldsOf(keys.records)) isOld ||= signer.isOld(['record', key], text)
    if (isOld) {
      const event = { at: clock.now(), what: 'signed again', detail: say('audit.signedAgain') }
      await store.write({ put: [] }, [event])
    }
    for await (const [id, text] of fieldsOf(keys.reconcileStates))
      await renew(keys.reconcileStates, id, ['pursuit', id], text)
    for await (const [id, text] of fieldsOf(keys.readings)) await renew(keys.readings, id, ['reading', id], text)
    for await (const [id, text] of fieldsOf(keys.older)) await renew(keys.older, id, ['reading', id, 'older'], text)
    await renew(keys.prices, '', ['prices'], await redis.get(keys.prices))
    for (const { id } of (await store.names())?.endpoints ?? [])
      await renew(keys.settings(id), '', ['settings', id], await redis.get(keys.settings(id)))
  }
}
