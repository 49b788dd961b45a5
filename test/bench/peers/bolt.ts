import { App, HTTPReceiver } from '@slack/bolt'

/** Returns an environment variable; the bench sets them all. */
export function given(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set; this program is started by the bench.`)
  return value
}

/** Bolt over HTTP as in its documentation, but without the conversation store, which costs a quarter of its rate. */
export const app = new App({
  token: given('SLACK_BOT_TOKEN'),
  receiver: new HTTPReceiver({ signingSecret: given('SLACK_SIGNING_SECRET') }),
  convoStore: false,
  clientOptions: { slackApiUrl: given('SLACK_API_URL') },
})

export async function ready(): Promise<void> {
  process.once('SIGTERM', () => process.exit(0))
  await app.start({ port: Number(given('PORT')), host: '127.0.0.1' })
  console.log(JSON.stringify({ msg: 'ready' }))
}
