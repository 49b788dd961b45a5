import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  ButtonAction,
  Context,
  SlackCommandMiddlewareArgs,
} from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../../../core/model/actor.ts'
import type { Log } from '../../../core/ports/services.ts'
import { menu } from '../home/menu.ts'
import { projectIn } from '../kit/project-tag.ts'
import { typedText } from '../kit/text.ts'
import { sentence } from '../messages/query-answer.ts'
import { actorIn, doorFor, reachIn } from '../projects.ts'
import { answerArrives, arrive, calledBy, formFor } from './accept.ts'
import type { Arrival, Listening, Taken } from './arrival.ts'
import { listenToTyping } from './autocomplete.ts'
import { listenToForms } from './form-listeners.ts'
import { listenAtHome, publishSoon } from './home-listeners.ts'
import { type Asker, tell } from './reply.ts'

type Commanded = SlackCommandMiddlewareArgs & AllMiddlewareArgs

/** Every door there is. Each does nothing but read, store and acknowledge. */
export function listen(app: App, listening: Listening): void {
  const { doors, commands, log } = listening

  // Commands come most: they are taken before they have to pass by every other listener.
  app.use(async (args) => ('command' in args && args.payload === args.command ? onCommand(args) : args.next()))

  async function onCommand({ command, ack, context, respond, client }: Commanded): Promise<void> {
    const actor: Actor = { team: command.team_id, user: command.user_id }
    const asker: Asker = { client, user: actor.user, trigger: command.trigger_id, respond, log }
    const typed = typedText(command.text ?? '')
    if (typed.trim() === '') {
      await ack()
      const message = menu(commands, await reachIn(doors, actor, command.channel_id))
      return tell(asker, { kind: 'said', message })
    }
    const taken = await arrive(listening, {
      delivery: deliveryOf(context, command.trigger_id),
      typed,
      via: 'typed',
      actor,
      channel: command.channel_id,
      replyUrl: slacks(listening, command.response_url),
    })
    if (taken.kind === 'said')
      return ack({ response_type: 'ephemeral', text: taken.message.text, blocks: [...taken.message.blocks] })
    await Promise.all([tell(asker, taken), ack()])
  }

  /** A press is acknowledged without words; what there is to say goes to the one who pressed. */
  app.action<BlockAction<ButtonAction>>(/^(line|show|answer|form)\b/, async (args) => {
    const { body, action, ack, context, client, respond } = args
    const asker = askerOf(body, client, log, body.response_url === undefined ? undefined : respond)
    const arrival = pressed(listening, body, action, context)
    const taken = await take(action.action_id, arrival, action.value ?? '')
    await Promise.all([tell(asker, taken), ack()])
    if (body.view?.type === 'home') await publishSoon(listening, client, arrival.actor)
  })

  /** What each of our buttons hands in; the id says which it is, the value what it carries. */
  async function take(id: string, arrival: Omit<Arrival, 'typed'>, value: string): Promise<Taken> {
    const [kind, which] = id.split(':')
    if (kind === 'answer') return answerArrives(listening, { ...arrival, value, yes: which === 'yes' })
    if (kind !== 'form') return arrive(listening, { ...arrival, typed: value, ...(kind === 'show' && { open: true }) })
    const read = commands.parse(value)
    if (read.kind === 'misread') return { kind: 'said', message: sentence(read.says) }
    const { row, values } = read.kind === 'line' ? read.read : read
    const door = doorFor(doors, arrival)
    return formFor(door, { ...arrival, typed: value }, { row, values, ...(await calledBy(door, commands, values)) })
  }

  listenToForms(app, listening)
  listenToTyping(app, listening)
  listenAtHome(app, listening)
}

function askerOf(
  { user, trigger_id: trigger, view }: BlockAction<ButtonAction>,
  client: WebClient,
  log: Log,
  respond: Asker['respond'],
): Asker {
  const modal = view?.type === 'modal' ? view.id : undefined
  return { client, user: user.id, trigger, log, ...(modal !== undefined && { modal }), ...(respond && { respond }) }
}

function pressed(
  listening: Listening,
  body: BlockAction<ButtonAction>,
  { block_id: block }: ButtonAction,
  context: Context,
): Omit<Arrival, 'typed'> {
  const project = projectIn(block)
  return {
    ...(project !== undefined && { project }),
    delivery: deliveryOf(context, body.trigger_id),
    via: 'button',
    actor: actorIn(body),
    channel: body.channel?.id ?? '',
    replyUrl: slacks(listening, body.response_url),
  }
}

/** The receiver's own id of the delivery; the trigger is as unique, where a receiver has none. */
function deliveryOf(context: Context, trigger: string): string {
  const delivery: unknown = Reflect.get(context, 'deliveryId')
  return typeof delivery === 'string' ? delivery : trigger
}

function slacks({ isSlacks }: Listening, url: string | undefined): string | undefined {
  return url !== undefined && isSlacks(url) ? url : undefined
}
