import { Redis } from 'ioredis'
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks, ops, policyApplied } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { type Part, policyOf, startTown, type Town } from '../support/town.ts'

/* Answers that are taken later than they were given, and what has changed by then. */

const policy = (more: string) =>
  policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA]
      approver: [user:U0BEN, user:U0DORA]
      admin: []
    matrix: { disruptive: { active: approval } }
${more}`)
const people = ['ANA', 'BEN', 'CLEO', 'DORA'].map((name) => ({ id: `U0${name}`, name: name.toLowerCase() }))
const everybody = people.map(({ id }) => id)
const slack = {
  people,
  usergroups: [{ id: 'S0LEADS', handle: 'leads', users: ['U0CLEO'] }],
  channels: [
    { id: 'C0GENERAL', name: 'general', members: everybody },
    { id: 'C0OPS', name: 'ops', members: everybody },
  ],
}
const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }

let town: Town
let worker: Part
async function begin(more = '') {
  town = await startTown({ policy: policy(more), slack, env, roles: ['bot'] })
  worker = await town.begin('worker')
  const [ana, ben, cleo, dora] = ['U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA'].map((id) => town.slack.as(id))
  return { ana: ana!, ben: ben!, cleo: cleo!, dora: dora! }
}
afterEach(() => town.stop())

async function rules(more: string) {
  await policyApplied(town, policy(more))
  await town.calm()
}

/** A stop waits for approval, and no worker runs. */
async function unattended(more = '') {
  const all = await begin(more)
  await asks(all.ana, 'stop my-llm', '[Approve: Stop my-llm]')
  await town.calm()
  await worker.stop()
  return all
}

/** Starts a worker and returns what it did. */
async function attended() {
  worker = await town.begin('worker')
  await timePassesUntil(town, town.slack.as('U0ANA').sees(/(✅ Stopped|🚫 Stop|❌ Stop) my-llm/, ops), 1 / 60)
  await town.calm()
  return effects(town)
}

describe('While no worker runs', () => {
  test('an approval that is typed in time counts', async () => {
    const { ben } = await unattended()
    await town.minutesPass(28)
    await ben.types('ops', '/endpoint approve my-llm')
    await town.minutesPass(3)
    expect(await attended()).toEqual(['stop'])
  })

  test.each([
    ['decline', 'U0BEN'],
    ['cancel', 'U0ANA'],
  ])('a %s that is typed before an approval is pressed comes first', async (verb, who) => {
    const { dora } = await unattended()
    await town.slack.as(who).types('ops', `/endpoint ${verb} my-llm`)
    await town.minutesPass(1)
    await dora.presses('Approve: Stop my-llm', ops)
    expect(await attended()).toEqual([])
  })

  test('an approval by a delegate counts whose time then runs out', async () => {
    const { ana, ben, cleo } = await begin()
    await asks(ben, 'away until 10m to @cleo', 'Delegated approvals')
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await town.calm()
    await worker.stop()
    await town.minutesPass(9)
    await cleo.presses('Approve: Stop my-llm', ops)
    await town.minutesPass(2)
    expect(await attended()).toEqual(['stop'])
  })

  test('an approval by a fallback approver counts after their delay', async () => {
    const { cleo } = await unattended('    approvals: { fallback: { after: 15m, to: [group:S0LEADS] } }\n')
    await town.minutesPass(16)
    await cleo.presses('Approve: Stop my-llm', ops)
    expect(await attended()).toEqual(['stop'])
  })

  test('the answer to a question counts, however late it is taken', async () => {
    const { ana, ben } = await begin()
    await asks(ana, 'ask "move my-llm to v2 tonight"', '[Approve')
    await town.calm()
    await worker.stop()
    await ben.presses('Approve', ops)
    await town.minutesPass(6)
    worker = await town.begin('worker')
    await ana.sees('✅', ops)
    await town.calm()
    expect(town.slack.transcript('ops')).not.toContain('🚫')
  })

  test('a delegation that is over before it begins is not made', async () => {
    const { ben } = await begin()
    await worker.stop()
    await ben.types('ops', '/endpoint away until 10m to @cleo')
    await town.minutesPass(12)
    worker = await town.begin('worker')
    await ben.sees('That time has passed', ops)
  })
})

describe('When the policy changes while a question waits', () => {
  test('the approvers that it now names are asked instead', async () => {
    const named = (who: string) => `    approvals: { expires: 2h, from: [user:${who}] }\n`
    const { ana, ben, dora } = await begin(named('U0BEN'))
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await rules(named('U0DORA'))
    await town.minutesPass(11)
    await town.calm()
    await asks(ben, 'decline my-llm', 'Only @dora can answer this')
    await asks(dora, 'approve my-llm', 'Approved: Stop my-llm. Its card shows the result.')
    await ana.sees('Stopped my-llm', ops)
  })

  test('everybody with the role is asked if an approval came from somebody it no longer names', async () => {
    const { ana, ben, cleo } = await begin('    approvals: { from: [user:U0CLEO] }\n')
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await town.calm()
    const stop = town.platform.onCall(async () => {
      stop()
      await policyApplied(town, policy(''))
    })
    await cleo.presses('Approve: Stop my-llm', ops)
    await ana.sees('Please answer again: others have to approve it now', ops)
    await ben.presses('Approve: Stop my-llm', ops)
    await ana.sees('Stopped my-llm', ops)
  })

  test('naming the same approvers in another order asks nobody again', async () => {
    const named = (...who: string[]) => `    approvals: { needed: 2, from: [${who.join(', ')}] }\n`
    const { ana, ben, dora } = await begin(named('user:U0BEN', 'user:U0DORA'))
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await ben.presses('Approve: Stop my-llm', ops)
    await ben.sees('1 more needed', ops)
    await rules(named('user:U0DORA', 'user:U0BEN'))
    await town.minutesPass(2)
    await town.calm()
    await dora.presses('Approve: Stop my-llm', ops)
    await ana.sees('Stopped my-llm', ops)
  })

  test('sealed values last as long as people may be asked again', async () => {
    const { ana } = await begin('    approvals: { expires: 4h }\n')
    const redis = new Redis(inject('redisUrl'))
    onTestFinished(() => redis.disconnect())
    await ana.types('ops', '/endpoint patch my-llm')
    await ana.opens('Patch an endpoint')
    await ana.chooses('Environment variables', 'DB=a-secret-value')
    await ana.submits()
    await ana.sees('[Approve: Patch my-llm', ops)
    const [sealed = ''] = await redis.keys(`*${town.prefix}*seal*env*`)
    expect(await redis.pttl(sealed)).toBeGreaterThan(3 * 4 * 3_600_000)
  })
})

describe('An approver through a user group', () => {
  const fromLeads = '    approvals: { from: [group:S0LEADS] }\n'
  const outage = () =>
    ['usergroups.list', 'usergroups.users.list'].map((method) =>
      town.slack.fault(method, { kind: 'status', status: 503 }),
    )

  /** The groups can't be read from the press on: the platform is read for the call. Cleared if `passes`. */
  async function approvedIn(passes: boolean) {
    const { ana, cleo } = await begin(fromLeads)
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await town.calm()
    let faults: ReturnType<typeof outage> | undefined
    town.platform.onCall(() => {
      faults ??= outage()
      if (passes && faults.some((fault) => fault.hits() > 0)) for (const fault of faults) fault.clear()
    })
    await cleo.presses('Approve: Stop my-llm', ops)
    await timePassesUntil(town, ana.sees(/(✅ Stopped|🚫 Stop) my-llm/, ops), 1 / 60)
    await town.calm()
    return effects(town)
  }

  test('still counts before the call once the groups can be read again', async () => {
    expect(await approvedIn(true)).toEqual(['stop'])
  })

  test('opens the form of a decline as soon as they are in the group', async () => {
    const { ana, dora } = await begin(fromLeads)
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await dora.presses('Decline…', ops)
    await dora.sees(/^You can’t answer this/, ops)
    town.slack.changes.usergroup('S0LEADS', { users: ['U0CLEO', 'U0DORA'] })
    await dora.presses('Decline…', ops)
    await dora.opens('Decline a request')
  })

  test('is told so if they press while the groups can’t be read', async () => {
    const { ana, cleo } = await begin(fromLeads)
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await town.calm()
    outage()
    await cleo.presses('Approve: Stop my-llm', ops)
    await cleo.sees(/^Slack can’t list the policy’s user groups right now/, ops)
  })

  test('is not said to have lost the role if they can’t be read before the call', async () => {
    expect(await approvedIn(false)).toEqual([])
    const text = town.slack.transcript('ops')
    expect(text).toContain(
      'Stop my-llm refused. I couldn’t check with Slack whether the approvers may still approve this',
    )
    expect(text).not.toContain('can no longer approve')
  })
})
