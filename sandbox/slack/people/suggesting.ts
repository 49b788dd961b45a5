import { optionsOf } from '../elements.ts'
import { type JsonObject, textAt } from '../json.ts'
import type { Slack } from '../slack.ts'
import { checkSuggestions } from '../validate/suggestions.ts'
import { viewAsJson } from '../views/json.ts'
import type { Person } from '../workspace.ts'
import { containerOf } from './acting.ts'
import type { Seen } from './elements.ts'
import { interactionPayload } from './payload.ts'

/** Characters a person must type before Slack asks the app, unless the menu sets another number. */
const defaultQueryLength = 3

/** Asks the app for the options of a type-ahead; asks nothing while too little is typed. */
export async function suggest(
  slack: Slack,
  person: Person,
  field: Seen,
  typed: string,
): Promise<readonly JsonObject[]> {
  const wanted = field.element['min_query_length'] ?? defaultQueryLength
  if (typeof wanted === 'number' && typed.length < wanted) return []
  const { surface } = field
  const payload = {
    type: 'block_suggestion',
    ...interactionPayload(slack.workspace, person),
    ...(surface.kind === 'message'
      ? containerOf(slack, surface.message)
      : { container: { type: 'view', view_id: surface.view.id }, view: viewAsJson(slack.workspace, surface.view) }),
    action_id: textAt(field.element, 'action_id') ?? '',
    block_id: textAt(field.block, 'block_id') ?? '',
    value: typed,
  }
  const answer = await slack.send({ type: 'interactive', payload, acceptsAnswer: true })
  if (answer.kind !== 'acked') return trouble(slack, person, answer.kind)
  const problems = checkSuggestions(answer.body ?? null)
  return problems.length > 0 ? trouble(slack, person, problems.join('; ')) : optionsOf(answer.body ?? {})
}

function trouble({ workspace }: Slack, person: Person, why: string): readonly JsonObject[] {
  workspace.news.tell('toast', { user: person.id, text: `The options could not be loaded (${why}).` })
  return []
}
