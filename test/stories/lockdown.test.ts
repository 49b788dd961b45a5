import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { audit } from '../../src/cli/audit.ts'
import { sends } from '../support/ends.ts'
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
  await ana.types('ops', '/endpoint protect my-llm because="customers"')
  await ana.sees('Protected my-llm', { in: 'ops' })
  await ana.types('ops', '/endpoint freeze because="release week"')
  await ana.sees('Paused all automation', { in: 'ops' })
  await ana.types('ops', '/endpoint doctor')
  await ana.sees('Automation is paused until someone resumes it.', { in: 'ops' })
  await town.calm()

  await redis.del(keysOf(tagOf(town.prefix, 'default')).root)
  await ana.types('ops', '/endpoint protect my-tts because="customers"')
  await ana.sees('All changes in project default are blocked', { in: 'ops' })
  await ana.types('ops', '/endpoint doctor')
  await ana.sees('After that, an admin can end this with /endpoint thaw.', { in: 'ops' })
  await ben.types('ops', '/endpoint explain thaw')
  await ben.sees('only an admin can end that', { in: 'ops' })
  await ana.types('ops', '/endpoint thaw')
  await ana.presses('End the lockdown', { in: 'ops' })
  await ana.sees('Ended the lockdown. Changes are possible again. Automation stays paused', { in: 'ops' })
})

test('A lockdown says what is missing, and the audit records that the admin who ends it accepts the loss', async () => {
  const ana = town.slack.as('U0ANA')
  for (const [line, end] of [
    ['protect my-llm', 'Protected my-llm'],
    ['protect my-tts', 'Protected my-tts'],
    ['freeze because="release week"', 'Paused all automation'],
    ['freeze because="again"', 'already paused'],
  ] as const) {
    await ana.types('ops', `/endpoint ${line}`)
    await ana.sees(end, { in: 'ops' })
  }
  await town.calm()
  const keys = keysOf(tagOf(town.prefix, 'default'))
  const entries = await redis.xlen(keys.audit)
  await redis.xdel(keys.audit, '2-0')
  expect(await verified()).toMatchObject({ code: 1, says: expect.stringContaining('Entry 2 is missing') })

  await redis.del(keys.root)
  await ana.types('ops', '/endpoint protect my-llm because="customers"')
  await ana.sees('The audit trail isn’t intact. Entry 2 is missing or out of place.', { in: 'ops' })
  await ana.types('ops', '/endpoint explain thaw')
  await ana.sees('Dry run: End the lockdown.', { in: 'ops' })
  await ana.sees('By ending the lockdown, an admin accepts that loss', { in: 'ops' })
  await ana.sees('Needs confirmation.', { in: 'ops' })
  await ana.types('ops', '/endpoint doctor')
  await ana.sees('An admin can end this with /endpoint thaw. The audit trail isn’t intact. Entry 2', {
    in: 'ops',
  })
  await ana.types('ops', '/endpoint thaw')
  await ana.sees('Any admin can confirm.', { in: 'ops' })
  await ana.presses('End the lockdown', { in: 'ops' })
  await ana.sees('Ended the lockdown. Changes are possible again.', { in: 'ops' })
  await town.calm()
  expect(await verified()).toMatchObject({
    code: 0,
    says: expect.stringContaining('Exception: entries 2 to 3 are lost or changed. @U0ANA accepted this'),
  })

  await redis.xdel(keys.audit, `${entries + 1}-0`)
  expect(await verified()).toMatchObject({ code: 1, says: expect.stringContaining(`Entry ${entries + 1} is missing`) })
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
  await ana.presses('End the lockdown', { in: 'ops' })
  await ana.sees('Ended the lockdown.', { in: 'ops' })
  await ana.pressesRaw(agree)
  await ana.sees('Data was lost after this was requested, so the outcome is unknown.', { in: 'ops' })
  await town.calm()
  expect(sends(town)).toEqual([])
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.presses('Stop my-llm', { in: 'ops' })
  await ana.sees('Stopped my-llm.', { in: 'ops' })
  expect(town.slack.transcript('ops').split('All changes in project default are blocked')).toHaveLength(2)
})

test('thaw in a lockdown asks an admin first, shows what is missing and takes no operator’s answer', async () => {
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  for (const name of ['my-llm', 'my-tts']) {
    await ana.types('ops', `/endpoint protect ${name}`)
    await ana.sees(`Protected ${name}`, { in: 'ops' })
  }
  await town.calm()
  const keys = keysOf(tagOf(town.prefix, 'default'))
  await redis.xdel(keys.audit, '1-0')
  await redis.del(keys.root)
  await ana.types('ops', '/endpoint stop my-llm')
  await ana.sees('All changes in project default are blocked', { in: 'ops' })
  await ana.types('ops', '/endpoint thaw')
  await ana.sees(/End the lockdown\?.*Redis has lost data.*The audit trail isn’t intact.*\[Keep the lockdown\]/s, {
    in: 'ops',
  })
  await ana.types('ops', '/endpoint freeze because="until it is clear"')
  await ana.sees(/Paused all automation.*All changes are blocked as well/s, { in: 'ops' })
  await ben.presses('End the lockdown', { in: 'ops' })
  await ben.sees('Only someone with the admin role in project default can answer this: @ana.', { in: 'ops' })
  await ben.types('ops', '/endpoint start my-tts')
  await ben.sees(/All changes are blocked.*Still allowed: protect, freeze/s, { in: 'ops' })
  await ana.types('ops', '/endpoint decline thaw')
  await ana.sees('Cancelled: End the lockdown.', { in: 'ops' })
  await ben.types('ops', '/endpoint start my-tts')
  await ben.sees('All changes are blocked', { in: 'ops' })
  expect(sends(town)).toEqual([])
})

/** Returns the exit code of `npm start -- audit verify` and what it says. */
async function verified(): Promise<{ readonly code: number; readonly says: string }> {
  const lines: string[] = []
  const papers = { out: (line: string) => void lines.push(line), err: () => undefined, now: town.clock.now() }
  const code = await audit(['verify'], {}, town.configFor('worker'), papers)
  return { code, says: (JSON.parse(lines[0] ?? '') as { readonly says: string }).says }
}
