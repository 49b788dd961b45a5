import { App, type Logger, type Receiver } from '@slack/bolt'
import { clientOptions, type Identity } from '../web/client.ts'
import type { ListenerContext } from './interaction.ts'
import { listen } from './listeners.ts'

export interface BotOptions extends ListenerContext {
  readonly receiver: Receiver
  readonly botToken: string
  readonly apiUrl: string | undefined
  readonly identity: Identity
  readonly logger: Logger
}

/** ms; what answers a person must not hang. */
const interactive = 2_500

/**
 * The Bolt app over a receiver. It knows who it is from the start, so no delivery waits for `auth.test`; and it keeps
 * no conversations, which would cost a tenth of each command for nothing.
 */
export function createBot({ receiver, botToken, apiUrl, identity, logger, ...listening }: BotOptions): App {
  const app = new App({
    receiver,
    logger,
    convoStore: false,
    attachFunctionToken: false,
    ignoreSelf: false,
    authorize: async () => ({ botToken, botId: identity.botId, botUserId: identity.botUserId }),
    clientOptions: clientOptions({ apiUrl, logger, timeoutMs: interactive }),
  })
  app.error(async (error) => logger.error('A listener failed:', error))
  listen(app, listening)
  return app
}
