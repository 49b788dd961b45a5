import { WebClient } from '@slack/web-api'
import type { SlackSandbox } from '../../../sandbox/slack/start.ts'
import { clientOptions } from '../../../src/adapters/slack/web/client.ts'
import { heard } from './receivers/support.ts'

/** The product's client, connected to the sandbox. Tests that wait for the timeout make `timeoutMs` short. */
export function clientOf(slack: SlackSandbox, timeoutMs = 5_000): WebClient {
  return new WebClient(slack.botToken, clientOptions({ apiUrl: slack.url, logger: heard().logger, timeoutMs }))
}
