import { optionsOf } from '../elements.ts'
import { plainText } from '../flatten.ts'
import { type Json, type JsonObject, objectAt, objectsAt, textAt } from '../json.ts'
import type { Answer } from '../link.ts'
import type { Slack } from '../slack.ts'
import { replaceView } from '../views/stack.ts'
import { chosenValue } from '../views/values.ts'
import type { View } from '../views/view.ts'
import type { Person, Workspace } from '../workspace.ts'
import { sendAction } from './acting.ts'
import { findField, type Seen, type Where } from './elements.ts'
import { suggest } from './suggesting.ts'
import { seen, waitFor } from './waiting.ts'

/**
 * Chooses from a menu, or types into a field. `wanted` is what a person would see: the text of an option (several for a
 * multi-select), the name of a person or channel, otherwise the value itself. Resolves to how the app answered, or to
 * `filled` if nothing had to be sent.
 */
export async function choose(
  slack: Slack,
  person: Person,
  named: string,
  wanted: string | readonly string[],
  where: Where = {},
): Promise<Answer['kind'] | 'filled'> {
  const field = await waitForField(slack, person, named, where)
  const chosen = await chosenOf(slack, person, field, wanted)
  return await putValue(slack, person, field, chosen)
}

export function waitForField({ workspace }: Slack, person: Person, named: string, where: Where = {}): Promise<Seen> {
  return waitFor(
    workspace,
    () => findField(workspace, person, named, where),
    () =>
      `${person.name} sees no field “${named}”. What ${person.name} sees, newest first:\n${seen(workspace, person)}`,
  )
}

/** Puts a value into a field, and sends it to the app if Slack does so at once. */
export async function putValue(
  slack: Slack,
  person: Person,
  field: Seen,
  chosen: Json | undefined,
): Promise<Answer['kind'] | 'filled'> {
  const { workspace } = slack
  const value = chosenValue(field.element, chosen)
  const filled = withValue(workspace, person, field, value)
  const told = field.block['type'] !== 'input' || field.block['dispatch_action'] === true
  if (!told) return 'filled'
  const { type: _, ...rest } = value
  return (await sendAction(slack, person, filled, rest)).kind
}

function withValue(workspace: Workspace, person: Person, field: Seen, value: JsonObject): Seen {
  if (field.surface.kind === 'message' || field.element['type'] === 'overflow') return field
  const { view } = field.surface
  const blockId = textAt(field.block, 'block_id') ?? ''
  const actionId = textAt(field.element, 'action_id') ?? ''
  const filled: View = {
    ...view,
    values: { ...view.values, [blockId]: { ...view.values[blockId], [actionId]: value } },
  }
  replaceView(workspace, person.id, filled)
  return { ...field, surface: { kind: 'view', view: filled } }
}

async function chosenOf(slack: Slack, person: Person, field: Seen, wanted: string | readonly string[]): Promise<Json> {
  const type = textAt(field.element, 'type') ?? ''
  const several = [wanted].flat()
  const multi = type.startsWith('multi_') || type === 'checkboxes'
  if (/(_input|picker)$/.test(type)) return type === 'datetimepicker' ? Number(several[0]) : (several[0] ?? '')
  const found: Json[] = []
  for (const one of several) found.push(await optionFor(slack, person, field, type, one))
  return multi ? found : (found[0] ?? null)
}

async function optionFor(slack: Slack, person: Person, field: Seen, type: string, wanted: string): Promise<Json> {
  const { workspace } = slack
  const lists = { users: workspace.people, channels: workspace.channels, conversations: workspace.channels }
  const kind = /(users|channels|conversations)_select$/.exec(type)?.[1] as keyof typeof lists | undefined
  if (kind) return [...lists[kind].values()].find((one) => one.name === wanted || one.id === wanted)?.id ?? wanted
  const options = type.endsWith('external_select')
    ? await suggest(slack, person, field, wanted)
    : optionsOf(field.element)
  const texts = options.map((one) => plainText(workspace, objectAt(one, 'text')))
  // An option in a group is named with its group: "my-llm: Keep 1 h".
  const grouped = objectsAt(field.element, 'option_groups').flatMap((group) =>
    objectsAt(group, 'options').map(() => `${plainText(workspace, objectAt(group, 'label'))}: `),
  )
  const option = options.find((_, at) => `${grouped[at] ?? ''}${texts[at]}` === wanted)
  if (!option) {
    throw new Error(`There is no option “${wanted}”; there are ${texts.join(', ') || 'none'}.`)
  }
  return option
}
