import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { audit } from '../../src/cli/audit.ts'
import { sends } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana is an admin, and ben is an operator. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0BEN]
      admin: [user:U0ANA]
`)

let town: Town
let redis: Redis
beforeEach(async () => {
  town = await startTown({ policy, env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') } })
  redis = new Redis(inject('redisUrl'))
})
afterEach(async () => {
  redis.disconnect()
  await town.stop()
})

test('doctor shows a lockdown and a freeze, and ending the lockdown says that the freeze stays', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await asks(ana, 'protect my-llm because="customers"', 'Protected my-llm')
  await asks(ana, 'freeze because="release week"', 'Paused all automation')
  await asks(ana, 'doctor', 'Automation is paused until someone resumes it.')
  await town.calm()

  await redis.del(keysOf(tagOf(town.prefix, 'default')).root)
  await asks(ana, 'protect my-tts because="customers"', 'All changes in project default are blocked')
  await asks(ana, 'doctor', 'After that, an admin can end this with /endpoint thaw.')
  await asks(ben, 'explain thaw', 'only an admin can end that')
  await ana.types('ops', '/endpoint thaw')
  await presses(ana, 'End the lockdown', 'Ended the lockdown. Changes are possible again. Automation stays paused')
})

test('A lockdown says what is missing, and the audit records that the admin who ends it accepts the loss', async () => {
  const ana = town.slack.as('U0ANA')
  for (const [line, end] of [
    ['protect my-llm', 'Protected my-llm'],
    ['protect my-tts', 'Protected my-tts'],
    ['freeze because="release week"', 'Paused all automation'],
    ['freeze because="again"', 'already paused'],
  ] as const) {
    await asks(ana, line, end)
  }
  await town.calm()
  const keys = keysOf(tagOf(town.prefix, 'default'))
  const entries = await redis.xlen(keys.audit)
  await redis.xdel(keys.audit, '2-0')
  expect(await verified()).toMatchObject({ code: 1, says: expect.stringContaining('Entries 2 to 3 are missing') })

  await redis.del(keys.root)
  await asks(
    ana,
    'protect my-llm because="customers"',
    'The audit trail isn’t intact. Entries 2 to 3 are missing or can’t be verified.',
  )
  await asks(ana, 'explain thaw', 'Dry run: End the lockdown.')
  await ana.sees('By ending the lockdown, an admin accepts that loss', { in: 'ops' })
  await ana.sees('Needs confirmation.', { in: 'ops' })
  await asks(ana, 'doctor', 'An admin can end this with /endpoint thaw. The audit trail isn’t intact. Entries 2')
  await asks(ana, 'thaw', 'Any admin can confirm.')
  await presses(ana, 'End the lockdown', 'Ended the lockdown. Changes are possible again.')
  await town.calm()
  expect(await verified()).toMatchObject({
    code: 0,
    says: expect.stringContaining('Exception: entries 2 to 3 are lost or changed. @U0ANA accepted this'),
  })

  await redis.xdel(keys.audit, `${entries + 1}-0`)
  expect(await verified()).toMatchObject({
    code: 1,
    says: expect.stringContaining(`Entries ${entries + 1} to ${entries + 2} are missing`),
  })
})

test('A request from before a loss ends with the reason once an admin has accepted the loss', async () => {
  await town.stop()
  town = await startTown({ policy, env: { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }, roles: ['bot'] })
  const ana = town.slack.as('U0ANA')
  const before = await town.begin('worker')
  await ana.types('ops', '/endpoint stop my-llm')
  const agree = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town.calm()
  await before.stop()
  const { audit } = keysOf(tagOf(town.prefix, 'default'))
  for (const [id] of await redis.xrange(audit, '-', '+')) await redis.xdel(audit, id)

  await town.begin('worker')
  await ana.sees('All changes in project default are blocked', { in: 'ops' })
  await ana.types('ops', '/endpoint thaw')
  await presses(ana, 'End the lockdown', 'Ended the lockdown.')
  expect(town.log()).toContain('"msg":"changes are possible again"')
  await ana.pressesRaw(agree)
  await ana.sees('Data was lost after this was requested, so the outcome is unknown.', { in: 'ops' })
  await town.calm()
  expect(sends(town)).toEqual([])
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ana, 'Stop my-llm', 'Stopped my-llm.')
  expect(town.slack.transcript('ops').split('All changes in project default are blocked')).toHaveLength(2)
})

test('thaw in a lockdown asks an admin first, shows what is missing and takes no operator’s answer', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  for (const name of ['my-llm', 'my-tts']) {
    await asks(ana, `protect ${name}`, `Protected ${name}`)
  }
  await town.calm()
  const keys = keysOf(tagOf(town.prefix, 'default'))
  await redis.xdel(keys.audit, '1-0')
  await redis.del(keys.root)
  await asks(ana, 'stop my-llm', 'All changes in project default are blocked')
  await asks(
    ana,
    'thaw',
    /End the lockdown\?.*Redis has lost data.*The audit trail isn’t intact.*\[Keep the lockdown\]/s,
  )
  await asks(ana, 'freeze because="until it is clear"', /Paused all automation.*All changes are blocked as well/s)
  await presses(ben, 'End the lockdown', 'Only someone with the admin role in project default can answer this: @ana.')
  await asks(ben, 'start my-tts', /All changes are blocked.*Still allowed: protect, freeze/s)
  await asks(ana, 'decline thaw', 'Cancelled: End the lockdown.')
  await asks(ben, 'start my-tts', 'All changes are blocked')
  expect(sends(town)).toEqual([])
})

test('A question that was tampered with is soon set aside, so that an admin can end the lockdown', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'stop my-llm', '[Stop my-llm]')
  // By now it is looked at only every two minutes.
  await town.minutesPass(20)
  await town.calm()
  const keys = keysOf(tagOf(town.prefix, 'default'))
  const [id = ''] = await redis.zrange(keys.wake, '0', '0')
  await redis.hset(keys.request(id), 'text', 'x'.repeat(60))
  await asks(ana, 'list', 'All changes are blocked')
  await expect.poll(() => redis.exists(keys.request(id))).toBe(0)
  await asks(ana, 'thaw', 'End the lockdown?')
})

/** Returns the exit code of `npm start -- audit verify` and what it says. */
async function verified(): Promise<{ readonly code: number; readonly says: string }> {
  const lines: string[] = []
  const papers = { out: (line: string) => void lines.push(line), err: () => undefined, now: town.clock.now() }
  const code = await audit(['verify'], {}, town.configFor('worker'), papers)
  return { code, says: (JSON.parse(lines[0] ?? '') as { readonly says: string }).says }
}
