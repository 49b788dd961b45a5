import type { Commands } from '../operations/commands.ts'
import type { Given } from '../operations/field.ts'
import { deedOf } from '../operations/phrase.ts'
import type { Door } from './door.ts'
import type { Form } from './form.ts'

/** What a request does that a line names by its id, for a form about it; nothing where it cannot be had at once. */
export async function calledBy(
  door: Door | undefined,
  commands: Commands,
  { request: id }: Given,
): Promise<Pick<Form, 'called'>> {
  if (typeof id !== 'string' || !/^[\w-]{22}$/.test(id)) return {}
  const request = await door?.store.load(id).catch(() => null)
  if (!request) return {}
  return { called: deedOf(commands.operation(request.line), request.endpoint?.name ?? '', request.change) }
}
