import { app, given, ready } from './bolt.ts'

const platform = given('PLATFORM_BASE_URL')
const headers = { authorization: `Bearer ${given('PLATFORM_API_KEY')}` }

/** What an afternoon gives: the call in the listener, its answer as a message, nothing kept and nothing checked. */
app.command('/endpoint', async ({ ack, command, client }) => {
  await ack()
  const [, id] = command.text.split(' ')
  const answer = await fetch(`${platform}/endpoints/${id}/start`, { method: 'POST', headers })
  const { message } = (await answer.json()) as { message?: string }
  await client.chat.postMessage({ channel: command.channel_id, text: `Started ${id}. ${message}` })
})

await ready()
