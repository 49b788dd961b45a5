import { app, given, ready } from './bolt.ts'

const platform = given('PLATFORM_BASE_URL')
const headers = { authorization: `Bearer ${given('PLATFORM_API_KEY')}` }

/** A bot written in an afternoon: it calls in the listener, posts the answer, and stores and checks nothing. */
app.command('/endpoint', async ({ ack, command, client }) => {
  await ack()
  const [, id] = command.text.split(' ')
  const answer = await fetch(`${platform}/endpoints/${id}/start`, { method: 'POST', headers })
  const { message } = (await answer.json()) as { message?: string }
  await client.chat.postMessage({ channel: command.channel_id, text: `Started ${id}. ${message}` })
})

await ready()
