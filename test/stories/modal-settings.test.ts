import { afterEach, expect, test } from 'vitest'
import { presses } from '../support/ops.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const secret = 'hunter2-postgres://user:pass@db'

let town: Town
afterEach(() => town.stop())

async function openPatch(options: TownOptions = {}) {
  town = await startTown({ listed: true, ...options })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-tts')
  await ana.opens('Patch an endpoint')
  return ana
}

test('patch without settings opens its form with the endpoint filled in', async () => {
  const ana = await openPatch()
  const { blocks } = await ana.opens('Patch an endpoint')
  expect(JSON.stringify(blocks)).toContain('"initial_option":{"text":{"type":"plain_text","text":"my-tts"')
  expect(JSON.stringify(blocks)).toContain('The current settings of my-tts aren’t known')
  expect(JSON.stringify(blocks)).not.toContain('another open request')
  await ana.chooses('Port', '8080')
  await ana.chooses('Health check path', '/healthz')
  await ana.chooses('Clear settings', ['Metrics path'])
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Patched my-tts', { in: 'ops' })
  expect(town.platform.endpoints().find(({ name }) => name === 'my-tts')).toMatchObject({
    settings: { container_port: 8080, container_health_check_path: '/healthz', container_metric_path: null },
  })
  await ana.types('ops', '/endpoint patch my-tts')
  const again = JSON.stringify((await ana.opens('Patch an endpoint')).blocks)
  for (const known of ['Now: 8080.', 'Now: /healthz.', 'Now: not set.']) expect(again).toContain(known)
})

test('A form changes the endpoint that it was filled for, even if another one has got its name', async () => {
  const ana = await openPatch()
  town.platform.rename('ep-tts', 'old-tts')
  await town.platform.add({ id: 'ep-new', name: 'my-tts', active: false })
  await ana.chooses('Port', '9100')
  await ana.submits()
  await ana.sees('Patched old-tts', { in: 'ops' })
  expect(town.platform.changes().map(({ endpointId }) => endpointId)).toEqual(['ep-tts'])
})

test('A mistake is shown at its field, and nothing is stored until it is corrected', async () => {
  const ana = await openPatch()
  expect(await ana.submits()).toMatchObject({
    outcome: 'errors',
    errors: { port: expect.stringContaining('Change at least one setting.') },
  })
  await ana.chooses('Health check path', 'healthz')
  await ana.chooses('Metrics path', '/metrics')
  await ana.chooses('Clear settings', ['Metrics path'])
  const { outcome, errors } = await ana.submits()
  expect(outcome).toBe('errors')
  expect(errors).toEqual({
    health: 'Health check path must be a path that begins with /, not “healthz”.',
    metrics: 'Metrics path: enter a value or choose to clear, not both.',
  })
  await ana.chooses('Port', '70000')
  expect((await ana.submits()).errors).toMatchObject({ port: expect.stringContaining('65535') })
  // Texts that are too long together are reported at the longest field.
  await ana.chooses('Port', '8080')
  await ana.chooses('Health check path', '/healthz')
  await ana.chooses('Clear settings', [])
  await ana.chooses('Start command', '"'.repeat(500))
  await ana.chooses('Reason', '"'.repeat(300))
  expect((await ana.submits()).errors).toEqual({ command: expect.stringContaining('too long') })
  expect(town.platform.changes()).toEqual([])
})

test('A form submitted twice is one request', async () => {
  const ana = await openPatch()
  await ana.chooses('Port', '8080')
  const stack = town.slack.workspace.modals.get('U0ANA') ?? []
  await ana.submits()
  town.slack.workspace.modals.set('U0ANA', stack)
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Patched my-tts', { in: 'ops' })
  await town.calm()
  expect(town.platform.changes().filter(({ kind }) => kind === 'patch')).toHaveLength(1)
})

test('Secret values are sealed: they reach the platform and appear nowhere else', async () => {
  const ana = await openPatch({ env: { LAMPLIGHTER_KEY: key } })
  await ana.chooses('Environment variables', `DB_URL=${secret}\n\nTOKEN=t0ken=with=signs`)
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await ana.sees('Patch my-tts', { in: 'ops' })
  await presses(ana, 'Patch my-tts', 'Patched my-tts')
  expect(town.platform.endpoints().find(({ name }) => name === 'my-tts')?.settings.container_env_vars).toEqual([
    { key: 'DB_URL', value: secret },
    { key: 'TOKEN', value: 't0ken=with=signs' },
  ])
  expect(JSON.stringify([...town.slack.workspace.messages.values()])).toContain(
    'all environment variables replaced by DB_URL, TOKEN',
  )
  for (const place of [JSON.stringify([...town.slack.workspace.messages.values()]), town.log()])
    expect(place).not.toContain('hunter2')
})

test('A repeated form does not replace the values that were confirmed', async () => {
  const ana = await openPatch({ env: { LAMPLIGHTER_KEY: key } })
  await ana.chooses('Environment variables', 'TOKEN=agreed')
  const stack = town.slack.workspace.modals.get('U0ANA') ?? []
  await ana.submits()
  await ana.sees('Patch my-tts', { in: 'ops' })
  town.slack.workspace.modals.set('U0ANA', stack)
  await ana.chooses('Environment variables', 'TOKEN=another')
  await ana.submits()
  await presses(ana, 'Patch my-tts', 'Patched my-tts')
  expect(JSON.stringify(town.platform.endpoints())).toContain('"value":"agreed"')
})

test('Secret values need a key, and a line that isn’t KEY=value is named only by its number', async () => {
  const ana = await openPatch()
  await ana.chooses('Environment variables', `A=1\n${secret}`)
  const { errors } = await ana.submits()
  expect(errors['env']).toBe(
    'Line 2 isn’t KEY=value. A key has only letters, digits and _, and doesn’t begin with a digit.',
  )
  await ana.chooses('Environment variables', 'A=1\nA=2')
  expect((await ana.submits()).errors['env']).toBe('A is set twice (line 2).')
  await ana.chooses('Environment variables', 'A=1')
  expect((await ana.submits()).errors['env']).toContain('LAMPLIGHTER_KEY')
})

test('A typed line with secrets is refused and offers the form', async () => {
  town = await startTown({ listed: true, env: { LAMPLIGHTER_KEY: key } })
  const ana = town.slack.as('U0ANA')
  const says = await ana.types('ops', '/endpoint patch my-tts port=8080 env=DB_URL')
  expect(says).toContain('are set in the form')
  await ana.presses('Open the form', { in: 'ops' })
  const { blocks } = await ana.opens('Patch an endpoint')
  expect(JSON.stringify(blocks)).toContain('"initial_value":"8080"')
  expect(await ana.types('ops', `/endpoint patch my-tts env=DB_URL=${secret}`)).not.toContain('hunter2')
})

test('A form that can’t be stored says so, and nothing is done', async () => {
  town = await startTown({ listed: true, wired: true })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint scale')
  await ana.opens('Scale an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  await ana.chooses('Replicas', '5')
  await town.wires.redis.cut()
  expect(await ana.submits()).toMatchObject({ outcome: 'updated' })
  expect(JSON.stringify((await ana.opens('Lamplighter')).blocks)).toContain('Nothing was done')
  await town.wires.redis.pass()
})

test('Values are sealed for an endpoint that was typed by name before the first list', async () => {
  town = await startTown({ env: { LAMPLIGHTER_KEY: key } })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint patch my-tts')
  await ana.opens('Patch an endpoint')
  await ana.chooses('Environment variables', 'TOKEN=of-a-new-one')
  expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
  await presses(ana, 'Patch my-tts', 'Patched my-tts')
  expect(town.platform.endpoints().find(({ name }) => name === 'my-tts')?.settings.container_env_vars).toEqual([
    { key: 'TOKEN', value: 'of-a-new-one' },
  ])
})
