import type { App } from '@slack/bolt'
import type { KnownBlock, ModalView } from '@slack/types'

const plain = (text: string) => ({ type: 'plain_text', text }) as const
const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } })

const ask: KnownBlock[] = [
  section('It is serving traffic.'),
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: 'stop',
        style: 'danger',
        text: plain('Stop my-llm'),
        confirm: { title: plain('Stop my-llm?'), text: plain('3 replicas go away.'), confirm: plain('Stop it') },
      },
      { type: 'button', action_id: 'leave', text: plain('Leave it running') },
    ],
  },
]

const settings: ModalView = {
  type: 'modal',
  callback_id: 'settings',
  title: plain('Patch my-llm'),
  submit: plain('Save'),
  blocks: [
    {
      type: 'input',
      block_id: 'port',
      label: plain('Container port'),
      element: { type: 'number_input', action_id: 'value', is_decimal_allowed: false },
    },
    {
      type: 'input',
      block_id: 'endpoint',
      label: plain('Endpoint'),
      element: { type: 'external_select', action_id: 'find', min_query_length: 1, placeholder: plain('Find') },
    },
  ],
}

/** A small app that shows every kind of thing the page can draw. */
export function prepare(bolt: App): void {
  bolt.command('/endpoint', async ({ command, ack, client }) => {
    const channel = command.channel_id
    if (command.text.startsWith('echo ')) {
      await ack()
      await client.chat.postMessage({ channel, text: command.text.slice(5) })
    } else if (command.text === 'patch') {
      await ack()
      await client.views.open({ trigger_id: command.trigger_id, view: settings })
    } else if (command.text === 'stop my-llm') {
      await ack()
      const card = await client.chat.postMessage({ channel, text: 'Stop my-llm? It’s running.' })
      await client.chat.postMessage({ channel, thread_ts: card.ts ?? '', text: 'It is serving traffic.', blocks: ask })
    } else await ack({ text: `Nothing is called “${command.text}”.` })
  })
  bolt.action('stop', async ({ ack, body, client }) => {
    await ack()
    if (body.type !== 'block_actions') return
    const channel = body.channel?.id ?? ''
    const blocks = [section(`Confirmed by <@${body.user.id}>.`)]
    await client.chat.update({ channel, ts: body.message?.ts ?? '', text: 'Confirmed.', blocks })
    const thread_ts = String(body.message?.['thread_ts'])
    await client.chat.postMessage({ channel, thread_ts, reply_broadcast: true, text: 'Stopped my-llm.' })
  })
  bolt.options('find', async ({ ack, options }) => {
    const found = ['my-llm', 'my-vlm'].filter((name) => name.includes(options.value))
    await ack({ options: found.map((name) => ({ text: plain(name), value: name })) })
  })
  bolt.view('settings', async ({ ack, view, client, body }) => {
    const { port, endpoint } = view.state.values
    const chosen = port?.['value']?.value ?? ''
    if (chosen === '22') return await ack({ response_action: 'errors', errors: { port: 'Port 22 is taken.' } })
    await ack()
    const name = endpoint?.['find']?.selected_option?.value ?? ''
    await client.chat.postMessage({ channel: body.user.id, text: `${name} listens on ${chosen}.` })
  })
  bolt.event('app_home_opened', async ({ event, client }) => {
    const blocks = [{ type: 'header', text: plain('Endpoints') } as const, section('*my-llm* is active')]
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } })
  })
}
