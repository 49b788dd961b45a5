import type { App, ViewSubmitAction } from '@slack/bolt'
import { rows } from '../operations/index.ts'
import { rowOf } from '../operations/line.ts'
import { sentence } from './answer.ts'
import { type Arrival, arrive, requestIdOf, type Taken } from './arrivals.ts'
import { type Door, doorFor } from './door.ts'
import { formId, keptIn } from './form.ts'
import type { Listening } from './listeners.ts'
import { type Errors, type Filled, readForm } from './submission.ts'
import { noticeView } from './telling.ts'

/** Forms that come back. What is wrong stands at its field; what is right is a line like any other. */
export function listenToForms(app: App, listening: Listening): void {
  app.view<ViewSubmitAction>({ callback_id: formId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const outcome = await submitted(listening, body, view)
    if ('errors' in outcome) return ack({ response_action: 'errors', errors: outcome.errors })
    if (outcome.kind === 'said') return ack({ response_action: 'update', view: noticeView(outcome.message) })
    return ack({ response_action: 'clear' })
  })
}

async function submitted(
  { doors, clock, isSlacks }: Listening,
  { user, team }: ViewSubmitAction,
  view: ViewSubmitAction['view'],
): Promise<Taken | { readonly errors: Errors }> {
  const from = keptIn(view.private_metadata)
  const row = from === null ? undefined : rowOf(from.verb, rows)
  if (from === null || row === undefined)
    return { kind: 'said', message: sentence('This form is from an older version of me. Please open it again.') }
  const filled = readForm(row, view.state.values)
  if ('errors' in filled) return filled

  const { replyUrl } = from
  const arrival: Arrival = {
    // A form is handed in once, however often its button is pressed or Slack delivers it.
    delivery: `form ${view.id}`,
    typed: filled.line,
    via: 'form',
    actor: { team: user.team_id ?? team?.id ?? '', user: user.id },
    channel: filled.channel ?? from.channel,
    ...(filled.channel !== undefined && { chosen: true }),
    ...(from.project !== undefined && { project: from.project }),
    replyUrl: replyUrl !== undefined && isSlacks(replyUrl) ? replyUrl : undefined,
  }
  if (filled.secrets.length === 0) return arrive(doors, clock, arrival)
  return sealed(doors, arrival, filled, (line) => arrive(doors, clock, { ...arrival, typed: line, sealed: true }))
}

/** Secret values are put under seal before the line that names them is stored, or nothing is stored at all. */
async function sealed(
  doors: readonly Door[],
  arrival: Arrival,
  { secrets, values, line }: Filled,
  then: (line: string) => Promise<Taken>,
): Promise<Taken | { readonly errors: Errors }> {
  const door = doorFor(doors, arrival)
  const first = secrets[0]?.field ?? ''
  if (door?.sealer === undefined)
    return { errors: { [first]: 'Secret values need LAMPLIGHTER_KEY: make one with openssl rand -base64 32.' } }
  const { sealer } = door
  const request = requestIdOf(arrival.delivery)
  try {
    // A form that comes again must not put other values under a request that people may have agreed to.
    if ((await door.store.load(request)) !== null) return then(line)
    const endpoint = String(values['endpoint'] ?? '')
    for (const { field, entries } of secrets)
      await sealer.seal({ request, endpoint, actor: arrival.actor, field }, entries)
  } catch {
    return {
      errors: { [first]: 'Nothing was done: the values could not be stored under seal. Try again in a minute.' },
    }
  }
  return then(line)
}
