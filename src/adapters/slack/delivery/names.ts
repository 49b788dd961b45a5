import type { People } from '../../../core/ports/services.ts'
import { namingIn } from '../../../core/requests/in-words.ts'
import { visible } from '../../../core/time/format.ts'
import type { Message } from '../kit/blocks.ts'
import { escaped } from '../kit/text.ts'

/** Replaces the ids of people in a notification, which cannot show mentions, by their names. */
export async function withNames(namesOf: People['namesOf'], { text, blocks }: Message): Promise<Message> {
  const shown = async (user: string) => (await namesOf(user))?.map((name) => escaped(visible(name))) ?? null
  const naming = await namingIn(shown, text)
  return { text: naming(text), blocks }
}
