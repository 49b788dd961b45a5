import type { App, BlockAction, ButtonAction, RespondFn } from '@slack/bolt'
import type { Actor } from '../domain/actor.ts'
import type { Clock, Log } from '../lifecycle/ports.ts'
import { type Arrival, answerArrives, arrive, type Door } from './arrivals.ts'
import type { Message } from './blocks.ts'
import { typedText } from './text.ts'

export interface Listening {
  readonly doors: readonly Door[]
  readonly clock: Clock
  readonly log: Log
  /** Whether an address is Slack's, so that an answer may be sent there later. */
  readonly isSlacks: (url: string) => boolean
}

/** Every door there is. Each does nothing but read, store and acknowledge. */
export function listen(app: App, listening: Listening): void {
  const { doors, clock } = listening

  app.command(/^\//, async ({ command, ack, context }) => {
    const answer = await arrive(doors, clock, {
      delivery: deliveryOf(context, command.trigger_id),
      typed: typedText(command.text ?? ''),
      actor: { team: command.team_id, user: command.user_id },
      channel: command.channel_id,
      replyUrl: slacks(listening, command.response_url),
    })
    await (answer === null ? ack() : ack({ response_type: 'ephemeral', text: answer.text, blocks: [...answer.blocks] }))
  })

  app.action<BlockAction<ButtonAction>>(/^line:\d+$/, async ({ body, action, ack, context, respond }) => {
    const answer = await arrive(doors, clock, { ...pressed(listening, body, context), typed: action.value ?? '' })
    await settle(listening, ack, respond, answer)
  })

  app.action<BlockAction<ButtonAction>>('show', async ({ body, action, ack, context, respond }) => {
    const answer = await arrive(doors, clock, {
      ...pressed(listening, body, context),
      typed: action.value ?? '',
      open: true,
    })
    await settle(listening, ack, respond, answer)
  })

  app.action<BlockAction<ButtonAction>>(/^answer:(yes|no)$/, async ({ body, action, ack, context, respond }) => {
    const yes = action.action_id === 'answer:yes'
    const answer = await answerArrives(doors, clock, {
      ...pressed(listening, body, context),
      value: action.value ?? '',
      yes,
    })
    await settle(listening, ack, respond, answer)
  })
}

/** A press is acknowledged without words; what there is to say goes to the one who pressed. */
async function settle(
  { log }: Listening,
  ack: () => Promise<void>,
  respond: RespondFn,
  answer: Message | null,
): Promise<void> {
  await ack()
  if (answer === null) return
  try {
    await respond({
      response_type: 'ephemeral',
      replace_original: false,
      text: answer.text,
      blocks: [...answer.blocks],
    })
  } catch (err) {
    log.warn({ err }, 'an answer to a press could not be sent')
  }
}

function pressed(listening: Listening, body: BlockAction<ButtonAction>, context: object): Omit<Arrival, 'typed'> {
  const actor: Actor = { team: body.user.team_id ?? body.team?.id ?? '', user: body.user.id }
  return {
    delivery: deliveryOf(context, body.trigger_id),
    actor,
    channel: body.channel?.id ?? '',
    replyUrl: slacks(listening, body.response_url),
  }
}

/** The receiver's own id of the delivery; the trigger is as unique, where a receiver has none. */
function deliveryOf(context: object, trigger: string): string {
  const delivery: unknown = Reflect.get(context, 'deliveryId')
  return typeof delivery === 'string' ? delivery : trigger
}

function slacks({ isSlacks }: Listening, url: string | undefined): string | undefined {
  return url !== undefined && isSlacks(url) ? url : undefined
}
