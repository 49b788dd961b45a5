import type { Message } from '../../sandbox/slack/message.ts'
import { mentionsIn } from '../../sandbox/slack/mrkdwn/mentions.ts'

/**
 * Everything in a message that Slack would make more of than letters, as it stands there. Bare addresses of its text
 * are left out: all is sent with `parse: none`, with which Slack leaves them alone.
 */
export function tokensIn(message: Message): readonly string[] {
  return mentionsIn(message)
    .filter(({ kind, where }) => kind !== 'bare-link' || where !== 'text')
    .map(({ raw }) => raw)
}

/** The one person whom every outcome names, in a paragraph and in a line below one: who asked. */
export const anaTokens: readonly string[] = ['{"type":"user","user_id":"U0ANA"}', '<@U0ANA>']
