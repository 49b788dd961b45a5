import { afterEach, expect, test } from 'vitest'
import type { Row } from '../../src/core/commands/define.ts'
import { maybeSay } from '../../src/core/commands/phrases.ts'
import { rows } from '../../src/features/command-table.ts'
import { asks, presses } from '../support/ops.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'
import { english } from '../support/words.ts'

let town: Town
afterEach(() => town.stop())
async function begin(options: TownOptions = {}) {
  town = await startTown({ listed: true, ...options })
  return { ana: town.slack.as('U0ANA'), ben: town.slack.as('U0BEN') }
}

test('A command without its endpoint opens a form with what was typed, which works like a typed line', async () => {
  const { ana } = await begin()
  expect(await ana.types('ops', '/endpoint stop')).toBe('')
  await ana.opens('Stop an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  await ana.chooses('Reason', 'moving to v2')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Stop my-llm? It’s running with 3 replicas.', { in: 'ops' })
  await ana.sees('“moving to v2”', { in: 'ops' })
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  // It is also answered like one if the state contradicts it.
  await ana.types('ops', '/endpoint stop')
  await ana.opens('Stop an endpoint')
  await ana.chooses('Endpoint', 'my-tts')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('my-tts is already stopped', { in: 'ops' })
  // What was typed is in the form already.
  await ana.types('ops', '/endpoint start because="demo at three"')
  const { blocks } = await ana.opens('Start an endpoint')
  expect(JSON.stringify(blocks)).toContain('"initial_value":"demo at three"')
  await ana.chooses('Endpoint', 'my-tts')
  await ana.submits()
  await ana.sees('Started my-tts', { in: 'ops' })
})

const unreadable: readonly (readonly [string, string, readonly string[], string])[] = [
  [
    'start my-tts for ever reason="a batch"',
    'Start an endpoint',
    ['ep-tts', 'a batch'],
    'for: Running time must be a length of time',
  ],
  [
    'patch my-tts port=abc health=/x reason="a probe"',
    'Patch an endpoint',
    ['ep-tts', '/x', 'a probe'],
    'port: Port must be a whole number from 1 to 65535, not “abc”.',
  ],
  ['patch my-tts port=abc', 'Patch an endpoint', ['ep-tts'], 'port: Port must be'],
  [
    'schedule my-llm weekdays 9-20 reason="a plan"',
    'Schedule an endpoint',
    ['ep-llm', 'weekdays 09:00-20:00', 'a plan'],
    'direction: State must be up or down, not “weekdays”.',
  ],
]

test('The form of a line that can’t be read contains what can be, and the error at its field', async () => {
  const { ana } = await begin()
  for (const [line, title, values, error] of unreadable) {
    await ana.types('ops', `/endpoint ${line}`)
    await ana.presses('Open the form', { in: 'ops' })
    const { blocks } = await ana.opens(title)
    const shown = blocks as readonly { readonly block_id?: string; readonly hint?: { readonly text: string } }[]
    const hints = shown.map(({ block_id: id = '', hint }) => `${id}: ${hint?.text ?? ''}`)
    expect(
      hints.filter((hint) => hint.startsWith(error)),
      line,
    ).toHaveLength(1)
    for (const value of values)
      expect(JSON.stringify(blocks), line).toMatch(new RegExp(`"(initial_)?value":"${value}"`))
    await ana.closes()
  }
})

test('A form whose trigger has expired is offered again by a button', async () => {
  const { ana } = await begin()
  town.slack.fault('views.open', { kind: 'error', error: 'expired_trigger_id' }, 1)
  await asks(ana, 'stop because="too dear"', 'Usage: /endpoint stop <endpoint> [at 19:00] [reason="…"]')
  await ana.presses('Open the form', { in: 'ops' })
  const { blocks } = await ana.opens('Stop an endpoint')
  expect(JSON.stringify(blocks)).toContain('too dear')
})

test('A query’s form is answered where it was opened, even if the bot is not a member', async () => {
  const members = ['U0ANA', 'U0BEN']
  const channels = [
    { id: 'C0OPS', name: 'ops', members },
    { id: 'C0AWAY', name: 'away', members, botIsMember: false },
  ]
  const { ana } = await begin({ slack: { channels } })
  await ana.types('away', '/endpoint status')
  await ana.opens('Show status')
  await ana.chooses('Endpoint', 'my-llm')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('running', { in: 'away' })
})

test('Every command with required fields opens a form or offers the requests it may mean', async () => {
  const roles = '{ viewer: [everyone], operator: [], approver: [], admin: ["user:U0ANA"] }'
  const policy = policyOf(`
    roles: ${roles}
`)
  const { ana } = await begin({ policy })
  const needy = rows.filter(({ fields }) => Object.values(fields).some(({ optional }) => !optional))
  expect(needy.length).toBeGreaterThan(5)
  for (const row of needy) {
    await ana.types('ops', `/endpoint ${row.name}`)
    if (row.kind === 'operation' && row.deed !== undefined) {
      await ana.sees(/^(Nothing is waiting for you|You have no open requests|You haven’t changed anything)/, {
        in: 'ops',
      })
      continue
    }
    const { given } = await ana.opens(titleOf(row))
    expect(given['submit']).toMatchObject({
      text: row.kind === 'operation' ? said(`form.${row.name}.submit`, row.name) : 'Show',
    })
    await ana.closes(true)
  }
})

function titleOf(row: Row): string {
  return said(`form.${row.name}.title`, row.name)
}

/** The sentence if the row has one, otherwise the row's name. */
function said(id: string, name: string): string {
  return english(maybeSay(id) ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
}

test('A form for an endpoint with another open request stays open with everything typed', async () => {
  const { ana, ben } = await begin()
  await ana.types('ops', '/endpoint patch my-llm')
  await ana.opens('Patch an endpoint')
  await ana.chooses('Port', '9000')
  await asks(ben, 'restart my-llm', 'Restart my-llm?')
  const { errors } = await ana.submits()
  expect(errors['endpoint']).toMatch(
    /^This endpoint has another open request: Restart my-llm, requested by @ben, waiting until [^.]*\. Wait until it ends/,
  )
  await presses(ben, 'Leave it running', 'Restart my-llm cancelled')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Patch my-llm (port 9000)?', { in: 'ops' })
})

test('A stop’s form that an open question would refuse stays open with the reason', async () => {
  const { ana, ben } = await begin()
  await asks(ben, 'scale my-llm to 2', 'Scale my-llm to 2?')
  await ana.types('ops', '/endpoint stop')
  await ana.opens('Stop an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  const { errors } = await ana.submits()
  expect(errors['endpoint']).toMatch(
    /^This endpoint has another open request: Scale my-llm to 2, requested by @ben, waiting until /,
  )
  await ana.closes()
  // A form that is opened for the endpoint says so before anything is typed.
  await ana.types('ops', '/endpoint patch my-llm')
  const { blocks } = await ana.opens('Patch an endpoint')
  expect(JSON.stringify(blocks)).toContain('This endpoint has another open request: Scale my-llm to 2, requested by ')
  expect(JSON.stringify(blocks)).toContain('You can submit this form once it has ended.')
})

const refused: readonly (readonly [string, string, Readonly<Record<string, string>>, string, RegExp])[] = [
  ['scale my-llm', 'Scale an endpoint', { Replicas: '7' }, 'to', /^The policy allows at most 6 replicas/],
  [
    'start replicas=7',
    'Start an endpoint',
    { Endpoint: 'my-tts' },
    'replicas',
    /^The policy allows at most 6 replicas/,
  ],
  [
    'freeze until 2026-11-20t09:00z',
    'Pause all automation',
    { Reason: 'x' },
    'until',
    /^That time has passed: 20 Nov 2026, \d\d:\d\d\. /,
  ],
  [
    'keep my-llm',
    'Pause automation',
    { 'Pause length': '8d' },
    'for',
    /^The policy allows pausing automation for at most/,
  ],
  ['idle', 'Idle stop', { Endpoint: 'my-llm', 'Warning time': '3h' }, 'warn', /^The warning has to come/],
  [
    'idle',
    'Idle stop',
    { Endpoint: 'my-llm', 'Idle time': '90d' },
    'after',
    /^The policy allows idle times from .*\.$/,
  ],
  ['away until tomorrow', 'Delegate approvals', { Delegate: 'U0BEN' }, 'to', /yourself/],
  ['start', 'Start an endpoint', { Endpoint: 'my-tts', 'Running time': '500d' }, 'for', /more than a year\./],
  ['protect', 'Protect an endpoint', { Endpoint: 'my-llm' }, 'endpoint', /already protected/],
  ['token new', 'Create or revoke a token', { Name: '*' }, 'name', /^A token’s name can only/],
  ['token revoke', 'Create or revoke a token', { Name: 'ci' }, 'name', /“ci”/],
  ['explain', 'Dry run', { Command: 'zzz my-llm' }, 'line', /./],
]

test('A form with a value that would be refused stays open and says why at the field', async () => {
  const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN], admin: [] }
    tokens: [user:U0BEN]
    bounds: { replicas: 6 }
`)
  const { ben } = await begin({ policy })
  await asks(ben, 'protect my-llm', 'my-llm')
  for (const [line, title, chosen, field, says] of refused) {
    await ben.types('ops', `/endpoint ${line}`)
    await ben.opens(title)
    for (const [label, value] of Object.entries(chosen)) await ben.chooses(label, value)
    expect((await ben.submits()).errors, line).toEqual({ [field]: expect.stringMatching(says) })
    await ben.closes()
  }
})
