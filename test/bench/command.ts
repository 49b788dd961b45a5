import { createHmac, randomBytes } from 'node:crypto'

export interface Command {
  readonly text: string
  readonly channel: string
}

let count = 0
// Several programs send independently, and no two may create the same signature.
const sender = randomBytes(6).toString('hex')

/** Returns a signed slash command as the bytes of one HTTP request. Each is unique, as with Slack. */
export function requestFor({ text, channel }: Command, secret: string, port: number): Buffer {
  count += 1
  const body = new URLSearchParams({
    token: 'deprecated',
    team_id: 'T0SANDBOX',
    team_domain: 'sandbox',
    channel_id: channel,
    channel_name: 'ops',
    user_id: 'U0ANA',
    user_name: 'ana',
    command: '/endpoint',
    text,
    api_app_id: 'A0APP',
    is_enterprise_install: 'false',
    response_url: `http://127.0.0.1:9/respond/${sender}/${count}`,
    trigger_id: `${count}.${sender}`,
  }).toString()
  const stamp = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')
  return Buffer.from(
    [
      'POST /slack/events HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      'content-type: application/x-www-form-urlencoded',
      `content-length: ${body.length}`,
      `x-slack-request-timestamp: ${stamp}`,
      `x-slack-signature: v0=${signature}`,
      '',
      body,
    ].join('\r\n'),
  )
}
