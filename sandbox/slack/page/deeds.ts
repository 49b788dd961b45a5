import { elementsOf, optionsOf } from '../elements.ts'
import { isObject, type Json, type JsonObject, objectAt, textAt } from '../json.ts'
import type { Control } from '../options.ts'
import { putValue } from '../people/choosing.ts'
import type { Seen, Surface } from '../people/elements.ts'
import { openHome, runShortcut } from '../people/events.ts'
import { close, submit } from '../people/modals.ts'
import { visibleTo } from '../people/places.ts'
import { pressRaw } from '../people/pressing.ts'
import { suggest } from '../people/suggesting.ts'
import { type } from '../people/typing.ts'
import type { Slack } from '../slack.ts'
import { modalsOf } from '../views/stack.ts'
import type { Person } from '../workspace.ts'

type Deed = (slack: Slack, person: Person, asked: JsonObject, controls: readonly Control[]) => Promise<JsonObject>

/** What a person can do on the page. Each returns what the page should show, with `problem` for a failure. */
const deeds: Readonly<Record<string, Deed>> = {
  async type(slack, person, asked) {
    const thread = textAt(asked, 'thread')
    await type(
      slack,
      person,
      textAt(asked, 'channel') ?? '',
      textAt(asked, 'line') ?? '',
      thread === undefined ? {} : { thread },
    )
    return {}
  },
  async press(slack, person, asked) {
    return outcome((await pressRaw(slack, person, find(slack, person, asked))).kind)
  },
  async choose(slack, person, asked) {
    await fill(slack, person, asked)
    const seen = find(slack, person, asked)
    return outcome(await putValue(slack, person, seen, chosenBy(seen, asked['chosen'])))
  },
  async suggest(slack, person, asked) {
    return { options: await suggest(slack, person, find(slack, person, asked), textAt(asked, 'typed') ?? '') }
  },
  async submit(slack, person, asked) {
    await fill(slack, person, asked)
    return { ...(await submit(slack, person)) }
  },
  async close(slack, person, asked) {
    // A browser may ask twice: Escape in a picker counts for the picker and for the form.
    const top = modalsOf(slack.workspace, person.id).at(-1)
    if (top !== undefined && top.id === asked['view']) await close(slack, person)
    return {}
  },
  async home(slack, person) {
    await openHome(slack, person)
    return {}
  },
  async shortcut(slack, person, asked) {
    return outcome(await runShortcut(slack, person, textAt(asked, 'callbackId') ?? ''))
  },
  async control(_slack, person, asked, controls) {
    const index = asked['index']
    const said = typeof index === 'number' ? await controls[index]?.run(person.id) : undefined
    return { said: said ?? '' }
  },
  async tour({ workspace }) {
    workspace.settings.tour.again()
    workspace.tourStep = 0
    return {}
  },
}

/** Does what the page asks for. Throws a sentence if it is no longer possible. */
export function perform(
  slack: Slack,
  person: Person,
  asked: JsonObject,
  controls: readonly Control[],
): Promise<JsonObject> {
  const name = textAt(asked, 'deed') ?? ''
  const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined
  if (!deed) throw new Error(`The page asked for “${name}”, which people can’t do.`)
  return deed(slack, person, asked, controls)
}

function outcome(kind: string): JsonObject {
  if (kind === 'acked' || kind === 'filled') return {}
  return { problem: `The app didn’t accept it: ${kind}.` }
}

/** Finds the element that the page means, by message or view, block and action. */
function find(slack: Slack, person: Person, asked: JsonObject): Seen {
  const found = findIn(slack, person, asked)
  if (!found) throw new Error('This no longer exists.')
  return found
}

function findIn({ workspace }: Slack, person: Person, asked: JsonObject): Seen | undefined {
  const surface = surfaceOf()
  const found = elementsOf(surface ? blocksOf(surface) : []).find(
    ({ block, element }) => block['block_id'] === asked['block'] && element['action_id'] === asked['action'],
  )
  return surface && found && { surface, ...found }

  function surfaceOf(): Surface | undefined {
    const view = [...modalsOf(workspace, person.id), workspace.homes.get(person.id)].find(
      (one) => one?.id === asked['view'],
    )
    if (view) return { kind: 'view', view }
    const message = visibleTo(workspace, person, textAt(asked, 'channel')).find((one) => one.ts === asked['ts'])
    return message && { kind: 'message', message }
  }
}

function blocksOf(surface: Surface): readonly JsonObject[] {
  return surface.kind === 'message' ? surface.message.blocks : surface.view.blocks
}

/** The options of a menu arrive by their value; suggested ones arrive whole. */
function chosenBy({ element }: Seen, chosen: Json | undefined): Json | undefined {
  if (Array.isArray(chosen)) return chosen.map((one: Json) => optionOf(element, one))
  return chosen === undefined ? undefined : optionOf(element, chosen)
}

function optionOf(element: JsonObject, chosen: Json): Json {
  const { text, value } = isObject(chosen) ? chosen : { text: undefined, value: chosen }
  const own = optionsOf(element).find((option) => option['value'] === value)
  if (own) return own
  const { nodes: _, ...plain } = isObject(text) ? text : {}
  return isObject(chosen) ? { ...chosen, text: plain } : chosen
}

/** Fills in a modal with what was typed on the page, except in fields that an update has replaced. */
async function fill(slack: Slack, person: Person, asked: JsonObject): Promise<void> {
  for (const [block, actions] of Object.entries(objectAt(asked, 'values') ?? {})) {
    for (const [action, chosen] of Object.entries(isObject(actions) ? actions : {})) {
      const seen = findIn(slack, person, { view: asked['view'], block, action })
      if (seen?.block['type'] === 'input') await putQuietly(slack, person, seen, chosenBy(seen, chosen ?? null))
    }
  }
}

/** Does not notify the app: a field that reports every change did so while it was filled in. */
function putQuietly(slack: Slack, person: Person, seen: Seen, chosen: Json | undefined): Promise<unknown> {
  return putValue(slack, person, { ...seen, block: { ...seen.block, dispatch_action: false } }, chosen)
}
