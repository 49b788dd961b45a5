import { setTimeout as wait } from 'node:timers/promises'
import type { App, ViewSubmitAction } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { Row } from '../../../core/commands/define.ts'
import { type Given, isEnded } from '../../../core/model/request.ts'
import { formId, keptIn, type Origin } from '../forms/form.ts'
import { foretellAt, foretoldId, foretoldView, keptWith } from '../forms/preview.ts'
import { type Errors, type Filled, readForm } from '../forms/read-submission.ts'
import { sentence } from '../messages/query-answer.ts'
import { actorIn, closedTo, type Door, doorFor } from '../projects.ts'
import { arrive, requestIdOf } from './accept.ts'
import type { Arrival, Listening, Taken } from './arrival.ts'
import { noticeView } from './reply.ts'

/** What a submission is answered with: what has become of it, what is wrong with it, or what it would come to. */
type Outcome = Taken | { readonly errors: Errors } | { readonly kind: 'foretold'; readonly view: ModalView }

/** Forms that come back. What is wrong stands at its field; what is right is a line like any other. */
export function listenToForms(app: App, listening: Listening): void {
  listenTo(formId, submitted)
  listenTo(foretoldId, agreed)

  function listenTo(callback_id: string, take: typeof submitted): void {
    app.view<ViewSubmitAction>({ callback_id, type: 'view_submission' }, async ({ ack, body, view }) => {
      const outcome = await take(listening, body, view)
      if ('errors' in outcome) return ack({ response_action: 'errors', errors: outcome.errors })
      if (outcome.kind === 'foretold') return ack({ response_action: 'push', view: outcome.view })
      if (outcome.kind === 'said') return ack({ response_action: 'update', view: noticeView(outcome.message) })
      return ack({ response_action: 'clear' })
    })
  }
}

const oldForm = 'This form is from an older version of me. Please open it again.'

async function submitted(
  listening: Listening,
  body: ViewSubmitAction,
  view: ViewSubmitAction['view'],
): Promise<Outcome> {
  const { doors, commands, isSlacks } = listening
  const from = keptIn(view.private_metadata)
  const row = from === null ? undefined : commands.find(from.verb)
  if (from === null || row === undefined) return { kind: 'said', message: sentence(oldForm) }
  const filled = readForm(commands, row, view.state.values)
  if ('errors' in filled) return filled

  const place = {
    ...from,
    channel: filled.channel ?? from.channel,
    ...(filled.channel !== undefined && { chosen: true }),
  }
  const arrival = arrivalOf(body, view, place, isSlacks, filled.line)
  const door = doorFor(doors, arrival)
  // Whoever has no role by now is told nothing here, and refused when the line is taken up.
  const sees = row.kind === 'operation' && (await closedTo(door, arrival)) === null
  if (sees && (await isHeldByAnother(door, row, filled, requestIdOf(arrival.delivery))))
    return { errors: { endpoint: heldByAnother } }
  if (filled.secrets.length > 0)
    return sealed(doors, arrival, filled, (line) => arrive(listening, { ...arrival, typed: line, sealed: true }))
  const foreseen = sees ? await foretellAt(door, arrival.actor, filled.line) : null
  if (foreseen?.kind === 'wrong') return { errors: { [timesIn(row, filled.values)]: foreseen.says } }
  if (foreseen !== null && row.kind === 'operation') {
    const { values, line } = filled
    return { kind: 'foretold', view: foretoldView(foreseen, { ...place, line }, { row, values }) }
  }
  return arrive(listening, arrival)
}

/** Slack takes an answer for 3 s, and storing takes up to one of them. ms */
const patience = 500

const heldByAnother =
  'Another request is open on this endpoint. Submit again once it is over, or cancel it: nothing you typed is lost.'

/**
 * Whether the endpoint is held by a request that would have this one refused: the form stays open then, as a refusal
 * would throw away everything typed. Where that cannot be read in time, the lifecycle decides.
 */
async function isHeldByAnother(
  door: Door | undefined,
  row: Row,
  { values }: Filled,
  request: string,
): Promise<boolean> {
  const endpoint = values['endpoint']
  if (door === undefined || row.kind !== 'operation' || typeof endpoint !== 'string') return false
  // A change of our own records holds nothing, and a stop may take over.
  const holds = row.deed === undefined && (row.change === undefined || row.laterBy?.(values) === false)
  if (!holds || row.wants === 'down') return false
  return Promise.race([isHeld(door.store, endpoint, request).catch(() => false), wait(patience, false, { ref: false })])
}

async function isHeld(store: Door['store'], endpoint: string, request: string): Promise<boolean> {
  // A form that was opened by a line has the name that was typed.
  const called = (await store.names())?.endpoints.filter(({ name }) => name === endpoint) ?? []
  const holder = await store.holderOf(called.length === 1 ? (called[0]?.id ?? endpoint) : endpoint)
  if (holder === null || holder === request) return false
  const other = await store.load(holder)
  return other !== null && !isEnded(other.status) && other.requirement !== 'notice'
}

/** Somebody has seen what a rule comes to, and asks for it. */
async function agreed(listening: Listening, body: ViewSubmitAction, view: ViewSubmitAction['view']): Promise<Outcome> {
  const from = keptWith(view.private_metadata)
  if (from === null) return { kind: 'said', message: sentence(oldForm) }
  return arrive(listening, arrivalOf(body, view, from, listening.isSlacks, from.line))
}

function arrivalOf(
  body: ViewSubmitAction,
  { id }: ViewSubmitAction['view'],
  { channel, chosen, project, replyUrl }: Origin & { readonly chosen?: boolean | undefined },
  isSlacks: Listening['isSlacks'],
  typed: string,
): Arrival {
  return {
    // A form is handed in once, however often its button is pressed or Slack delivers it.
    delivery: `form ${id}`,
    typed,
    via: 'form',
    actor: actorIn(body),
    channel,
    ...(chosen === true && { chosen }),
    ...(project !== undefined && { project }),
    replyUrl: replyUrl !== undefined && isSlacks(replyUrl) ? replyUrl : undefined,
  }
}

/** The field at which to say what is wrong with a rule: its times, else the endpoint. */
function timesIn({ fields }: Row, values: Given): string {
  const filled = Object.entries(fields).filter(([name]) => values[name] !== undefined)
  return filled.find(([, { kind }]) => kind === 'window' || kind === 'when')?.[0] ?? filled[0]?.[0] ?? ''
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
      if (!(await sealer.seal({ request, endpoint, actor: arrival.actor, field }, entries)))
        return { errors: { [field]: 'This form is being handed in already, with the values that came first.' } }
  } catch {
    return {
      errors: { [first]: 'Nothing was done: the values could not be stored under seal. Try again in a minute.' },
    }
  }
  return then(line)
}
