import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  ButtonAction,
  OverflowAction,
  SlackCommandMiddlewareArgs,
  StaticSelectAction,
} from '@slack/bolt'
import * as z from 'zod'
import { writeWord } from '../../../core/commands/quoting.ts'
import type { Press } from '../../../core/model/request.ts'
import type { Actor } from '../../../core/model/roles.ts'
import { say } from '../../../core/model/words.ts'
import { accept, acceptAnswer, type IntakeResult, openForm } from '../../../core/requests/accept.ts'
import { type Arrival, languageFor } from '../../../core/requests/gateway.ts'
import { asText } from '../../../core/words/render.ts'
import { acceptFromWorkflow, type WorkflowResult } from '../../../features/programs/accept-workflow.ts'
import { failStep, steps } from '../delivery/tell-workflow.ts'
import { behindOption } from '../kit/buttons.ts'
import { typedText } from '../kit/text.ts'
import { projectIn } from '../messages/draw.ts'
import { listenToTyping } from './autocomplete.ts'
import { listenToForms, listenToPicks } from './form-listeners.ts'
import { listenAtHome, listenToMenu, menuMessage, publishSoon, showMenu } from './home-listeners.ts'
import {
  actorIn,
  channelOf,
  deliveryOf,
  type ListenerContext,
  messageFor,
  type ReplyTarget,
  replacePressed,
  replyUrlIn,
  replyWith,
  sayTo,
} from './interaction.ts'

type Commanded = SlackCommandMiddlewareArgs & AllMiddlewareArgs

/** Registers all listeners. Each only reads, stores and acknowledges. */
export function listen(app: App, listening: ListenerContext): void {
  const { gateways, commands, log } = listening

  // Commands are the most frequent, so they skip all other listeners.
  app.use(async (args) => ('command' in args && args.payload === args.command ? onCommand(args) : args.next()))

  async function onCommand({ command, ack, context, respond, client }: Commanded): Promise<void> {
    const actor: Actor = { team: command.team_id, user: command.user_id }
    const language = () => languageFor(gateways, actor)
    const asker: ReplyTarget = { client, user: actor.user, trigger: command.trigger_id, respond, language, log }
    const typed = typedText(command.text ?? '')
    if (/^(menu|메뉴)?$/i.test(typed.trim())) {
      await ack()
      return sayTo(asker, await menuMessage(listening, { actor, channel: command.channel_id }, 'top'))
    }
    const taken = await accept(listening, {
      delivery: deliveryOf(context, command.trigger_id),
      typed,
      via: 'typed',
      actor,
      channel: command.channel_id,
      replyUrl: replyUrlIn(listening, command.response_url),
    })
    if (taken.kind === 'accepted' || taken.kind === 'form')
      return void (await Promise.all([replyWith(asker, taken), ack()]))
    const { text, blocks } = messageFor(taken, await language())
    await ack({ response_type: 'ephemeral', text, blocks: [...blocks] })
  }

  /** A press is acknowledged without text. Any answer goes to the person who pressed. */
  app.action<BlockAction<ButtonAction | OverflowAction | StaticSelectAction>>(
    /^(line|show|answer|form|more)\b/,
    async (args) => {
      const { body, action, ack, context, client, respond } = args
      const { trigger_id: trigger, response_url: replyUrl, view } = body
      const actor = actorIn(body)
      const modal = view?.type === 'modal' ? view.id : undefined
      const way = replyUrl === undefined ? undefined : respond
      const language = () => languageFor(gateways, actor)
      const asker: ReplyTarget = { client, user: actor.user, trigger, modal, respond: way, language, log }
      const arrival = {
        project: projectIn(action.block_id),
        delivery: deliveryOf(context, trigger),
        via: 'button',
        actor,
        channel: channelOf(body),
        replyUrl: replyUrlIn(listening, replyUrl),
      } as const
      const { message } = body
      // A message with replies names a thread too: its own.
      const isInThread = message?.['thread_ts'] !== undefined && message['thread_ts'] !== message.ts
      const { id, value = '' } =
        action.type === 'button' ? { ...action, id: action.action_id } : behindOption(action.selected_option.value)
      if (id.startsWith('menu')) {
        const read = commands.parse(value)
        const about = read.kind === 'line' ? read.read.values['endpoint'] : undefined
        return void (await Promise.all([ack(), showMenu(listening, asker, arrival, 'about', `${about ?? ''}`)]))
      }
      const taken = await take(id, { ...arrival, ...(!isInThread && { outside: true }) }, value)
      await Promise.all([replyWith(asker, taken), ack()])
      if (taken.kind === 'accepted' && body.container['is_ephemeral'] === true)
        await replacePressed(listening, asker, id, { ...arrival, typed: value })
      if (view?.type === 'home') await publishSoon(listening, client, actor)
    },
  )

  async function take(
    id: string,
    arrival: Omit<Arrival, 'typed'> & Pick<Press, 'outside'>,
    value: string,
  ): Promise<IntakeResult> {
    const [kind, which] = id.split(':')
    if (kind === 'answer') return acceptAnswer(listening, { ...arrival, value, yes: which === 'yes' })
    if (kind === 'form') return openForm(listening, { ...arrival, typed: value })
    return accept(listening, { ...arrival, typed: value, ...(kind === 'show' && { open: true }) })
  }

  listenToForms(app, listening)
  listenToPicks(app, listening)
  listenToTyping(app, listening)
  listenToMenu(app, listening)
  listenAtHome(app, listening)
  listenToWorkflows(app, listening)
}

/** One line of plain text, because the inputs of a workflow may have line breaks and mentions. */
const text = z.string().transform((given) => typedText(given).replace(/\s+/g, ' ').trim())
const inputsOf = z.object({
  person: z.string().regex(/^[UW][A-Z0-9]{2,20}$/),
  reason: text.default(''),
  endpoint: text.default(''),
  question: text.default(''),
  project: text.optional(),
})

/** Acknowledges a step once it is stored or its workflow knows why not. Slack delivers any other step again. */
function listenToWorkflows(app: App, listening: ListenerContext): void {
  for (const [name, { verb, about }] of steps)
    app.function(name, { autoAcknowledge: false }, async ({ event, body, client, ack }) => {
      const { function_execution_id: run } = event
      const { success, data } = inputsOf.safeParse(event.inputs)
      const actor = { team: body.team_id, user: success ? data.person : '' }
      const taken: WorkflowResult = success
        ? await acceptFromWorkflow(listening, {
            step: { name, run },
            actor,
            project: data.project || undefined,
            line: `${verb} ${writeWord(data[about])}`,
            reason: data.reason,
          })
        : { kind: 'refused', says: say('workflow.noPerson') }
      if (taken.kind === 'refused') {
        const language = await languageFor(listening.gateways, actor)
        const told = await failStep(client, run, asText(taken.says, language))
        if (told.kind === 'done') return ack()
      }
      if (taken.kind === 'accepted') return ack()
      listening.log.warn({ step: name, run }, 'could not answer a workflow step; Slack sends it again')
    })
}
