import type { App, ViewResponseAction } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { errorOf, socketApp } from './slack-app.ts'

const plain = (text: string) => ({ type: 'plain_text', text }) as const
let now: number
let slack: SlackSandbox
let app: App
/** The app's answer to a submission; `triggers` has the trigger ids that it received. */
let answer: ViewResponseAction | undefined
let triggers: string[]
let events: string[]

function modal(title: string, extra: Partial<ModalView> = {}): ModalView {
  return {
    type: 'modal',
    callback_id: 'settings',
    title: plain(title),
    submit: plain('Save'),
    blocks: [
      {
        type: 'input',
        block_id: 'port',
        label: plain('Port'),
        element: {
          type: 'number_input',
          action_id: 'value',
          is_decimal_allowed: false,
          min_value: '1',
          max_value: '65535',
        },
      },
      {
        type: 'input',
        block_id: 'mode',
        optional: true,
        label: plain('Mode'),
        element: {
          type: 'static_select',
          action_id: 'value',
          options: ['keep', 'set'].map((value) => ({ text: plain(value), value })),
        },
      },
      {
        type: 'section',
        block_id: 'which',
        text: plain('Endpoint'),
        accessory: { type: 'external_select', action_id: 'endpoint', min_query_length: 1, placeholder: plain('Find') },
      },
      {
        type: 'actions',
        block_id: 'more',
        elements: [
          { type: 'button', action_id: 'push', text: plain('More') },
          {
            type: 'overflow',
            action_id: 'rest',
            options: ['Stop', 'Restart'].map((word) => ({ text: plain(word), value: word.toLowerCase() })),
          },
        ],
      },
    ],
    ...extra,
  }
}

beforeEach(async () => {
  now = 1_750_000_000_000
  answer = undefined
  triggers = []
  events = []
  slack = await startSlack({ clock: { now: () => now } })
  app = await socketApp(slack, (bolt) => {
    bolt.command('/endpoint', async ({ command, ack, client }) => {
      triggers.push(command.trigger_id)
      await ack()
      if (command.text === 'patch') await client.views.open({ trigger_id: command.trigger_id, view: modal('Settings') })
    })
    bolt.action('push', async ({ ack, body, client }) => {
      await ack()
      if (body.type !== 'block_actions') return
      // The fourth view is refused, which a test reads from the log of calls.
      await client.views.push({ trigger_id: body.trigger_id, view: modal('More') }).catch(() => undefined)
    })
    bolt.action(/^(endpoint|rest)$/, async ({ ack, action }) => {
      events.push(`chosen ${JSON.stringify(action)}`)
      await ack()
    })
    bolt.options('endpoint', async ({ ack, options }) => {
      await ack({
        options: ['my-llm', 'my-vlm']
          .filter((n) => n.includes(options.value))
          .map((n) => ({ text: plain(n), value: n })),
      })
    })
    bolt.view('settings', async ({ ack, view }) => {
      events.push(`submitted ${view.state.values['port']?.['value']?.value}`)
      if (answer) await ack(answer)
      else await ack()
    })
    bolt.view({ callback_id: 'settings', type: 'view_closed' }, async ({ ack, body }) => {
      events.push(`closed ${'is_cleared' in body && body.is_cleared === true}`)
      await ack()
    })
    bolt.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({
        user_id: event.user,
        view: { type: 'home', blocks: [{ type: 'header', text: plain('Endpoints') }] },
      })
    })
    bolt.shortcut('menu', async ({ ack, shortcut, client }) => {
      await ack()
      await client.views.open({ trigger_id: shortcut.trigger_id, view: modal('Menu') })
    })
  })
})

afterEach(async () => {
  await app.stop()
  await slack.stop()
})

const ana = () => slack.as('U0ANA')

describe('triggers', () => {
  const open = (trigger_id: string) => errorOf(app.client.views.open({ trigger_id, view: modal('Late') }))

  test('open one view within three seconds', async () => {
    await ana().types('#ops', '/endpoint list')
    const [first = ''] = triggers
    expect(await open(first)).toBe('nothing')
    expect(await open(first)).toBe('exchanged_trigger_id')
    await ana().types('#ops', '/endpoint list')
    now += 3001
    expect(await open(triggers[1] ?? '')).toBe('expired_trigger_id')
    expect(await open('made.up')).toBe('invalid_trigger_id')
  })

  test('are not used up by a view that is refused', async () => {
    await ana().types('#ops', '/endpoint list')
    const [first = ''] = triggers
    const wrong = app.client.views.open({
      trigger_id: first,
      view: { ...modal('A title that is much too long'), submit: plain('x') },
    })
    await expect(wrong).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: [expect.stringContaining('[json-pointer:/view/title/text]')] },
      },
    })
    const { submit: _, ...none } = modal('No submit')
    expect(await errorOf(app.client.views.open({ trigger_id: first, view: none }))).toBe('invalid_arguments')
    expect(await open(first)).toBe('nothing')
  })
})

describe('a modal', () => {
  beforeEach(async () => {
    await ana().types('#ops', '/endpoint patch')
    await ana().opens('Settings')
  })

  test('never sends missing or out-of-range values to the app', async () => {
    expect(await ana().submits()).toEqual({
      outcome: 'errors',
      errors: { port: 'Please complete this required field.' },
    })
    await ana().chooses('Port', '70000')
    expect(await ana().submits()).toMatchObject({ errors: { port: 'Enter a number less than or equal to 65535.' } })
    expect(events).toEqual([])
    await ana().chooses('Port', '8080')
    expect(await ana().submits()).toEqual({ outcome: 'closed', errors: {} })
    expect(events).toEqual(['submitted 8080'])
    expect(slack.workspace.modals.get('U0ANA')).toEqual([])
  })

  test('stays open with errors from the app, which must name an input', async () => {
    await ana().chooses('Port', '22')
    answer = { response_action: 'errors', errors: { port: 'Port 22 is taken.' } }
    expect(await ana().submits()).toEqual({ outcome: 'errors', errors: { port: 'Port 22 is taken.' } })
    answer = { response_action: 'errors', errors: { which: 'not an input' } }
    expect(await ana().submits()).toMatchObject({ outcome: 'dispatch_failed' })
    await ana().opens('Settings')
  })

  test('keeps its values in an update if the ids stay the same', async () => {
    await ana().chooses('Port', '8080')
    answer = { response_action: 'update', view: modal('Again') }
    expect(await ana().submits()).toMatchObject({ outcome: 'updated' })
    expect((await ana().opens('Again')).values['port']?.['value']).toMatchObject({ value: '8080' })
  })

  test('can be stacked three deep, closed one by one and cleared', async () => {
    await ana().presses('More')
    await ana().opens('More')
    await ana().presses('More')
    await expect.poll(() => slack.workspace.modals.get('U0ANA')?.length).toBe(3)
    await ana().presses('More')
    await expect.poll(() => slack.calls('views.push').at(-1)?.answer).toMatchObject({ error: 'push_limit_reached' })
    await ana().closes()
    expect(slack.workspace.modals.get('U0ANA')).toHaveLength(2)
    await ana().chooses('Port', '1')
    answer = { response_action: 'clear' }
    expect(await ana().submits()).toMatchObject({ outcome: 'cleared' })
  })

  test('is guarded against races by its hash', async () => {
    const view = await ana().opens('Settings')
    const update = (hash: string) => errorOf(app.client.views.update({ view_id: view.id, hash, view: modal('New') }))
    expect(await update('1.old')).toBe('hash_conflict')
    expect(await update(view.hash)).toBe('nothing')
    expect(await update(view.hash)).toBe('hash_conflict')
    await ana().closes()
    expect(await errorOf(app.client.views.update({ view_id: view.id, view: modal('Gone') }))).toBe('not_found')
  })

  test('asks the app for suggestions and reports a choice at once', async () => {
    expect(await ana().suggests('Find', '')).toEqual([])
    expect(await ana().suggests('Find', 'my')).toEqual(['my-llm', 'my-vlm'])
    await ana().chooses('Find', 'my-vlm')
    expect(events[0]).toContain('"selected_option":{"text":{"type":"plain_text","text":"my-vlm"},"value":"my-vlm"}')
  })

  test('sends an option of a ⋯ menu like a press, with its value', async () => {
    await ana().presses('Restart')
    expect(events[0]).toContain('"selected_option":{"text":{"type":"plain_text","text":"Restart"},"value":"restart"}')
    const [view] = slack.workspace.modals.get('U0ANA') ?? []
    expect(JSON.stringify(view?.values)).not.toContain('restart')
  })

  test('reports its closing to an app that asked for it', async () => {
    const view = await ana().opens('Settings')
    await app.client.views.update({ view_id: view.id, view: modal('Settings', { notify_on_close: true }) })
    await ana().closes()
    await expect.poll(() => events).toEqual(['closed true'])
  })
})

test('the Home is published for one person, and a shortcut opens a modal', async () => {
  await ana().opensHome()
  await expect.poll(() => slack.workspace.homes.get('U0ANA')?.blocks[0]).toMatchObject({ type: 'header' })
  expect(slack.workspace.homes.has('U0BEN')).toBe(false)
  expect(await ana().runsShortcut('menu')).toBe('acked')
  await ana().opens('Menu')
})

test('a file is uploaded in three steps and appears in its thread', async () => {
  const { ts = '' } = await app.client.chat.postMessage({ channel: 'C0OPS', text: 'Logs of my-llm' })
  await app.client.filesUploadV2({
    channel_id: 'C0OPS',
    thread_ts: ts,
    filename: 'my-llm.log',
    content: 'line 1\nline 2',
    initial_comment: 'Here',
  })
  expect(slack.transcript('#ops')).toBe('App: Logs of my-llm\n  App: Here\n    [file: my-llm.log]')
  expect([...slack.workspace.files.values()][0]?.content?.toString()).toBe('line 1\nline 2')
})
