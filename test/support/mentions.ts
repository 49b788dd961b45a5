import type { Message } from '../../sandbox/slack/message.ts'
import { mentionsIn } from '../../sandbox/slack/mrkdwn/mentions.ts'

/**
 * Returns everything in a message that Slack would not show as plain text, verbatim. Bare URLs are left out, because
 * messages are sent with `parse: none`, which leaves them alone.
 */
export function tokensIn(message: Message): readonly string[] {
  return mentionsIn(message)
    .filter(({ kind, where }) => kind !== 'bare-link' || where !== 'text')
    .map(({ raw }) => raw)
}

/** The requester, whom every outcome mentions once in a paragraph and once in the line below it. */
export const anaTokens: readonly string[] = ['{"type":"user","user_id":"U0ANA"}', '<@U0ANA>']
