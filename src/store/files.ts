import { plainly } from '../domain/formats.ts'
import type { Memory } from '../lifecycle/memory.ts'
import type { Ground } from './ground.ts'

/** Long enough for Slack to come back after a bad hour. ms. */
const life = 2 * 3_600_000

/** Files on their way to a person: beside the request, which is read and written too often to carry them. */
export function createFiles({ redis, keys, signer }: Ground): Pick<Memory, 'keepFiles' | 'fileOf'> {
  return {
    async keepFiles(id, texts) {
      await Promise.all(
        texts.map((text, at) => redis.set(keys.file(`${id}:${at}`), signer.sign(['file', id, at], text), 'PX', life)),
      )
    },
    async fileOf(id, at) {
      const stored = await redis.get(keys.file(`${id}:${at}`))
      return stored === null ? null : plainly('file', signer.read(['file', id, at], stored))
    },
  }
}
