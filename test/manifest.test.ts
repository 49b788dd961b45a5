import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { manifestFor } from '../scripts/manifest.ts'
import { outputsOf, steps } from '../src/adapters/slack/delivery/tell-workflow.ts'
import { statuses } from '../src/core/model/request.ts'
import { rows } from '../src/features/command-table.ts'

const run = promisify(execFile)
const root = new URL('..', import.meta.url)
const file = readFileSync(new URL('manifest.yml', root), 'utf8')

const httpsUrl = z.url({ protocol: /^https$/ })

// Slack's limits for an app manifest: https://docs.slack.dev/reference/app-manifest
const parameters = z
  .strictObject({
    properties: z.record(
      z.string().regex(/^[a-z_]{1,40}$/),
      z.strictObject({
        type: z.enum(['string', 'slack#/types/user_id']),
        title: z.string().min(1).max(255),
        description: z.string().min(1).max(255),
      }),
    ),
    required: z.array(z.string()),
  })
  .refine(({ properties, required }) => required.every((name) => name in properties))
const manifest = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2) }).optional(),
  functions: z
    .record(
      z.string().max(100),
      z.strictObject({
        title: z.string().min(1).max(255),
        description: z.string().min(1),
        input_parameters: parameters,
        output_parameters: parameters,
      }),
    )
    .optional(),
  display_information: z.strictObject({
    name: z.string().min(1).max(35),
    description: z.string().max(140),
    long_description: z.string().min(174).max(4000).optional(),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(24),
          type: z.enum(['global', 'message']),
          callback_id: z.string().min(1).max(255),
          description: z.string().min(1).max(150),
        }),
      )
      .max(10),
    bot_user: z.strictObject({ display_name: z.string().regex(/^[\w .-]{1,80}$/), always_online: z.boolean() }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().regex(/^\/[a-z0-9_-]{1,31}$/),
          description: z.string().min(1).max(2000),
          usage_hint: z.string().max(1000),
          should_escape: z.boolean(),
          url: httpsUrl.optional(),
        }),
      )
      .min(1),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()).min(1) }) }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()).min(1), request_url: httpsUrl.optional() }),
    interactivity: z.strictObject({
      is_enabled: z.boolean(),
      request_url: httpsUrl.optional(),
      message_menu_options_url: httpsUrl.optional(),
    }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
    function_runtime: z.literal('remote').optional(),
  }),
})

describe('The manifest', () => {
  test('stays within Slack’s limits', () => {
    expect(() => manifest.parse(parse(file))).not.toThrow()
  })

  test('asks only for the scopes that the bot uses', () => {
    expect(manifest.parse(parse(file)).oauth_config.scopes.bot.toSorted()).toEqual([
      'channels:history',
      'channels:read',
      'chat:write',
      'commands',
      'files:write',
      'groups:history',
      'groups:read',
      'im:write',
      'usergroups:read',
      'users:read',
    ])
  })

  test('is for Socket Mode: no URL, escaped names, working buttons', () => {
    const { features, settings } = manifest.parse(parse(file))
    expect(features.slash_commands).toMatchObject([{ command: '/endpoint', should_escape: true }])
    expect(settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } })
    expect(file).not.toMatch(/^\s*\w*url:/m)
  })

  test('declares the Home tab, the shortcuts and the events that the listeners handle', () => {
    const { features, settings } = manifest.parse(parse(file))
    expect(features.app_home).toMatchObject({ home_tab_enabled: true, messages_tab_enabled: true })
    const heard = readFileSync(new URL('src/adapters/slack/inbound/home-listeners.ts', root), 'utf8')
    for (const { callback_id } of features.shortcuts) expect(heard).toContain(`app.shortcut('${callback_id}'`)
    for (const event of settings.event_subscriptions.bot_events) expect(heard).toContain(`app.event('${event}'`)
  })

  test('mentions only existing commands in its usage hint', () => {
    const hint = manifest.parse(parse(file)).features.slash_commands[0]?.usage_hint ?? ''
    const verbs = hint.split(' | ').map((line) => line.split(' ')[0])
    const names = rows.map((row) => row.name)
    expect(verbs.filter((verb) => !names.some((name) => name === verb))).toEqual([])
  })
})

describe('npm run manifest', () => {
  test('prints the stored file', async () => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/manifest.ts'], { cwd: root })
    expect(stdout).toBe(file)
  })

  test.each(['https://bot.example.org', 'https://bot.example.org/', 'https://bot.example.org/slack/events'])(
    'with --url %s sends everything to /slack/events and turns Socket Mode off',
    (url) => {
      const written = manifestFor(['--url', url])
      expect(written.match(/^#.*$/gm)).toEqual(['# The Slack app, for HTTP.'])
      const http = manifest.parse(parse(written))
      const events = 'https://bot.example.org/slack/events'
      const expected = manifest.parse(parse(file))
      for (const command of expected.features.slash_commands) command.url = events
      expected.settings.event_subscriptions.request_url = events
      expected.settings.interactivity.request_url = events
      expected.settings.interactivity.message_menu_options_url = events
      expected.settings.socket_mode_enabled = false
      expect(http).toEqual(expected)
    },
  )

  test('with --workflows adds the workflow steps and changes nothing else', () => {
    const { _metadata, functions, ...rest } = manifest.parse(parse(manifestFor(['--workflows'])))
    const { function_runtime, ...settings } = rest.settings
    expect({ ...rest, settings: { ...settings, org_deploy_enabled: false } }).toEqual(manifest.parse(parse(file)))
    expect({ _metadata, function_runtime, org: settings.org_deploy_enabled }).toEqual({
      _metadata: { major_version: 2 },
      function_runtime: 'remote',
      org: true,
    })
    expect(Object.keys(functions ?? {})).toEqual([...steps.keys()])
    const overHttp = manifest.parse(parse(manifestFor(['--workflows', '--url', 'https://bot.example.org'])))
    expect(overHttp).toMatchObject({ functions, settings: { socket_mode_enabled: false } })
  })

  test.each([...steps])('declares the inputs and outputs of the step %s', (name, { about, results }) => {
    const { functions = {} } = manifest.parse(parse(manifestFor(['--workflows'])))
    const { input_parameters: takes, output_parameters: gives } = functions[name]!
    expect(Object.keys(takes.properties).toSorted()).toEqual([about, 'person', 'project', 'reason'].toSorted())
    expect(takes.required).toEqual([about, 'person', 'reason'])
    const by = { team: 'T0', user: 'U0' }
    const ended = { step: { name, run: 'Fx1' }, request: 'r', by, because: 'so' }
    for (const status of statuses) {
      const given = outputsOf({ ...ended, status }, 'Done.', 'https://example.org')
      expect(given?.['result']).toBe(results[status])
      if (given !== null) expect(Object.keys(given).toSorted()).toEqual(Object.keys(gives.properties).toSorted())
    }
    const { by: _, because: __, ...bare } = ended
    expect(Object.keys(outputsOf({ ...bare, status: 'succeeded' }, 'Done.', null) ?? {})).toEqual(gives.required)
  })

  test('keeps the path of a reverse proxy', () => {
    expect(manifestFor(['--url', 'https://example.org/lamps'])).toContain('url: https://example.org/lamps/slack/events')
  })

  test.each(['bot.example.org', 'http://bot.example.org', 'https://user:secret@bot.example.org', ''])(
    'refuses the address "%s" with one sentence',
    (url) => {
      expect(() => manifestFor(['--url', url])).toThrow(/^[^\n]+ is not an address that Slack can reach\. [^\n]+$/)
    },
  )

  test('prints only the error and fails if it refuses an address', async () => {
    const words = ['--import', 'tsx', 'scripts/manifest.ts', '--url', 'https://bot.example.org/?a=b']
    await expect(run(process.execPath, words, { cwd: root })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+ is not an address that Slack can reach\. [^\n]+\n$/),
    })
  })

  test('answers unknown options with a correct example', () => {
    expect(() => manifestFor(['--adress', 'https://bot.example.org'])).toThrow(
      'npm run manifest -- --url https://bot.example.org',
    )
  })
})
