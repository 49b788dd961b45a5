import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  ButtonAction,
  Context,
  SlackCommandMiddlewareArgs,
} from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../domain/actor.ts'
import type { Log } from '../lifecycle/ports.ts'
import { sentence } from './answer.ts'
import { type Arrival, answerArrives, arrive, formFor, type Reception, type Taken } from './arrivals.ts'
import { calledBy } from './called-by.ts'
import { actorIn, doorFor, reachIn } from './door.ts'
import { listenAtHome, publishSoon } from './household.ts'
import { menu } from './menu.ts'
import { listenToForms } from './modal.ts'
import { listenToTyping } from './suggest.ts'
import { type Asker, tell } from './telling.ts'
import { typedText } from './text.ts'
import { projectIn } from './whose.ts'

export interface Listening extends Reception {
  readonly log: Log
  /** Whether an address is Slack's, so that an answer may be sent there later. */
  readonly isSlacks: (url: string) => boolean
}

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
