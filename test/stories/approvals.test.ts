import { afterEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { effects } from '../support/ends.ts'
import { asks, policyApplied, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana makes requests, ben and dora approve, dana is an admin, cleo is a viewer, and eve belongs to the leads. */
const policy = (more = '') =>
  policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA]
      approver: [user:U0BEN, user:U0DORA]
      admin: [user:U0DANA]
${more}`)

const two = `    approvals: { needed: 2, remind: 10m, fallback: { after: 15m, to: [group:S0LEADS] } }
    matrix: { disruptive: { active: approval } }
`
const key = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }

const people = ['ANA', 'BEN', 'CLEO', 'DORA', 'DANA', 'EVE'].map((name) => ({
  id: `U0${name}`,
  name: name.toLowerCase(),
}))
const everybody = people.map(({ id }) => id)
const slack = {
  people,
  channels: [
    { id: 'C0GENERAL', name: 'general', members: everybody },
    { id: 'C0OPS', name: 'ops', members: everybody },
  ],
  usergroups: [{ id: 'S0LEADS', handle: 'leads', users: ['U0EVE'] }],
}

let town: Town
/** Starts a town and returns its people. */
async function begin(more = two, env: Record<string, string> = key) {
  town = await startTown({ policy: policy(more), slack, env })
  const named = (name: string) => town.slack.as(`U0${name}`)
  return {
    ana: named('ANA'),
    ben: named('BEN'),
    cleo: named('CLEO'),
    dora: named('DORA'),
    dana: named('DANA'),
    eve: named('EVE'),
  }
}
afterEach(() => town.stop())

/** The messages of the operations channel, one per line. */
function channel(): string {
  return town.slack.transcript('ops')
}

describe('A request that needs two approvals', () => {
  test('counts each approver once, pressed or typed, never the requester, and runs after the second', async () => {
    const { ana, ben, cleo, dora } = await begin()
    await asks(ana, 'status my-llm', '🔒 Stopping it needs 2 approvals.')
    await ana.types('ops', '/endpoint stop my-llm')
    // A phone's notification shows no more than this.
    expect((await ben.sees('Stop my-llm?', { in: 'ops' })).text).toMatch(/^ana: Stop my-llm\? /)
    await presses(ana, 'Approve: Stop my-llm', 'You can’t approve your own request')
    await asks(ben, 'approve my-llm', /Stop my-llm: you’ve approved \(1 of 2\)\. 1 more needed by to(day|morrow) at/)
    await presses(ben, 'Approve: Stop my-llm', 'You’ve already approved')
    await asks(cleo, 'approve my-llm', 'Only someone with the approver role')
    expect(effects(town)).toEqual([])
    await presses(dora, 'Approve: Stop my-llm', 'Stopped my-llm')
    expect(effects(town)).toEqual(['stop'])
    await asks(ana, 'who stopped my-llm?', /requested by @ana, without a reason\. Approved by @ben and @dora\./)
  })

  test('can be declined by one approver with a reason, in a form that names the request', async () => {
    const { ana, ben, cleo } = await begin()
    await ana.types('ops', '/endpoint stop my-llm because="a new driver"')
    await cleo.presses('Decline…', { in: 'ops' })
    await cleo.sees(/^You can’t answer this\. Needs 2 approvals from .*@ben/, { in: 'ops' })
    await ben.presses('Decline…', { in: 'ops' })
    const { blocks } = await ben.opens('Decline a request')
    expect(JSON.stringify(blocks)).toMatch(/Stop my-llm · Requested by .*U0ANA/)
    expect(blocks?.map(({ block_id }) => block_id)).not.toContain('request')
    await ben.chooses('Reason', 'the demo is on')
    expect(await ben.submits()).toMatchObject({ outcome: 'cleared' })
    await ana.sees('❌ Stop my-llm declined by @ben: “the demo is on”', { in: 'ops' })
    await asks(ana, 'history', '· reason: “a new driver” · reason for the answer: “the demo is on” · declined by @ben')
    // Who approved first and then declines isn't named among those who approved.
    await town.calm()
    await ana.types('ops', '/endpoint restart my-llm')
    await presses(ben, 'Approve: Restart my-llm', 'Approved by @ben. 1 more needed.')
    await ben.types('ops', '/endpoint decline my-llm')
    await ana.sees('❌ Restart my-llm declined by @ben', { in: 'ops' })
    await town.calm()
    expect(channel()).not.toContain('1 of 2 approvals')
    expect(effects(town)).toEqual([])
  })

  test.each([
    ['approve', '1 request'],
    ['stop my-llm', 'already requested'],
  ])('is not approved by an older button of the answer to `%s` once it asks again', async (line, answer) => {
    const { ana, ben, dora } = await begin('    matrix: { disruptive: { active: approval, protected: approval } }\n')
    await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
    await asks(ben, line, answer)
    const button = await ben.remembers('Approve: Stop my-llm', { in: 'ops' })
    await asks(dora, 'protect my-llm because="customers are on it"', 'Protected my-llm')
    await town.minutesPass(3)
    await ana.sees('Replaced by a newer question', { in: 'ops' })
    await ben.pressesRaw(button)
    await ben.sees('replaced by a newer one', { in: 'ops' })
    await town.calm()
    expect(effects(town)).toEqual([])
  })

  test('reminds after ten minutes and asks the fallback group after fifteen', async () => {
    const { ana, ben, eve } = await begin()
    await asks(ana, 'stop my-llm', 'Stop my-llm?')
    await asks(eve, 'approve my-llm', 'Only someone with the approver role')
    await town.minutesPass(11)
    await ana.sees('Reminder: ', { in: 'ops' })
    expect(channel()).not.toContain('@leads')
    await town.minutesPass(5)
    await ana.sees('@leads', { in: 'ops' })
    await presses(eve, 'Approve: Stop my-llm', '1 more needed')
    await presses(ben, 'Approve: Stop my-llm', 'Stopped my-llm')
    // Every question and reminder is replaced by the outcome.
    await expect.poll(() => channel().split('✅ Approved by @eve and @ben.')).toHaveLength(4)
    expect(channel()).not.toContain('Reminder: ')
  })

  test('expires after half an hour with one approval', async () => {
    const { ana, ben } = await begin()
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ben, 'Approve: Stop my-llm', '1 more needed')
    await town.minutesPass(31)
    await ana.sees(/expired after 30 min with 1 of 2 approvals\.(?!.*1 of 2).*Approved by @ben\./s, { in: 'ops' })
    await asks(ana, 'history', /It expired after 30 min with 1 of 2 approvals\.(?!.*1 of 2).*Approved by @ben\./s)
    expect(effects(town)).toEqual([])
  })

  test('is refused without a signing key', async () => {
    const { ana } = await begin(two, {})
    await asks(ana, 'stop my-llm', 'LAMPLIGHTER_KEY')
    expect(effects(town)).toEqual([])
  })
})

describe('A delegate', () => {
  test('is named by a waiting question and approves, both only while the approver is away', async () => {
    const { ana, ben, cleo } = await begin('    matrix: { disruptive: { active: approval } }\n')
    const alone = /The requester can’t approve\. Expires/
    const stoodFor = /The requester can’t approve\. @cleo can approve for @ben until .*\. Expires/
    await ana.types('ops', '/endpoint stop my-llm')
    const { ts } = await ben.sees(alone, { in: 'ops' })
    expect((await asks(ben, 'away until 2d to @cleo', stoodFor)).ts).toBe(ts)
    expect((await asks(ben, 'back', alone)).ts).toBe(ts)
    await asks(cleo, 'approve my-llm', 'Only someone with the approver role')
    expect(effects(town)).toEqual([])
    await asks(ben, 'away until 2d to @cleo', stoodFor)
    await presses(cleo, 'Approve: Stop my-llm', 'Stopped my-llm')
    expect(effects(town)).toEqual(['stop'])
    // Once a guest, the delegate is no longer named by a waiting question.
    await town.calm()
    await town.platform.add({ id: 'ep-asr', name: 'asr', active: true })
    const other = await asks(ana, 'stop asr', stoodFor)
    await town.calm()
    town.slack.changes.person('U0CLEO', { guest: 'multi' })
    await town.minutesPass(2)
    expect((await ana.sees(alone, { in: 'ops' })).ts).toBe(other.ts)
  })
})

describe('A former delegate', () => {
  test('is told, whether somebody else took over or the approver came back', async () => {
    const { ana, ben, cleo, dora } = await begin()
    const over = 'You can no longer approve for @ben.'
    await asks(ben, 'away until 2d to @cleo', 'Delegated approvals')
    const told = await cleo.sees(/You can approve for @ben until .*\./)
    expect(told.text).toMatch(/^You can approve for @ben until /)
    await asks(ben, 'away until 3d to @cleo', 'Delegated approvals')
    await asks(ben, 'away until 2d to @dora', /@dora can approve for @ben until .*\. @cleo no longer can\./)
    await cleo.sees(over)
    await dora.sees(/You can approve for @ben until .*\./)
    // Her one vote is told, and questions don't name her as one who approves for somebody.
    await ben.sees('@dora is an approver already, and still has only one vote.', { in: 'ops' })
    await asks(ana, 'stop my-llm', /The requester can’t approve\. Expires/)
    await asks(ben, 'back', 'Ended the delegation')
    await dora.sees(over)
    expect(town.slack.transcript('U0CLEO').split('You can no longer')).toHaveLength(2)
  })
})

describe('A delegate’s approval', () => {
  test.each(['cleo', 'ben'] as const)('is no longer promised once %s has approved', async (first) => {
    const people = await begin()
    await asks(people.ben, 'away until 2d to @cleo', 'Delegated approvals')
    await asks(people.ana, 'stop my-llm', /@cleo can approve for @ben until .*\. Expires/)
    const by = first === 'cleo' ? '@cleo (for @ben)' : '@ben'
    await presses(people[first], 'Approve: Stop my-llm', `Approved by ${by}. 1 more needed`)
    await people.ana.sees(/can still approve\. Expires/, { in: 'ops' })
  })

  /** cleo approves for ben, then something happens, then dora gives the second approval. */
  async function votedThen(happens: (ben: Actor) => Promise<unknown>): Promise<Actor> {
    const { ana, ben, cleo, dora } = await begin()
    await asks(ben, 'away until 2d to @cleo', 'Delegated approvals')
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(cleo, 'Approve: Stop my-llm', '1 more needed')
    await happens(ben)
    await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    return dora
  }

  test('still counts after the delegation ends, and the approver can’t vote again', async () => {
    const dora = await votedThen(async (ben) => {
      await asks(ben, 'back', 'Ended the delegation')
      await asks(ben, 'approve my-llm', '@cleo has already approved for you')
    })
    await dora.sees('Stopped my-llm', { in: 'ops' })
    expect(effects(town)).toEqual(['stop'])
  })

  test('no longer counts once the absent approver loses the role', async () => {
    const dora = await votedThen(() => policyApplied(town, policy(two).replace('user:U0BEN, ', '')))
    await dora.sees(/one of the approvers can no longer approve this/i, { in: 'ops' })
    expect(effects(town)).toEqual([])
  })
})

test('A delegate’s approval is still called one if the change needs none any more', async () => {
  const { ana, ben, cleo } = await begin('    matrix: { disruptive: { active: approval } }\n')
  await asks(ben, 'away until 2d to @cleo', 'Delegated approvals')
  await asks(ana, 'patch my-llm port=9001', '[Approve: Patch my-llm]')
  town.platform.console.stop('ep-llm')
  // The platform turns the call away once, so the approval is checked again.
  town.platform.faults.add('patchEndpoint', { kind: 'answer', status: 429, retryAfter: '1' }, 1)
  await presses(cleo, 'Approve: Patch my-llm', /Patched my-llm.*approved by @cleo \(for @ben\)/s)
  await ana.sees('✅ Approved by @cleo (for @ben).', { in: 'ops' })
  await asks(ana, 'history who=@ben', /Patched my-llm.*approved by @cleo \(for @ben\)/s)
})

describe('Approvers that the policy narrows while a question is open', () => {
  test('are asked again, and earlier approvals no longer count', async () => {
    const { ana, ben, dora, dana } = await begin()
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ben, 'Approve: Stop my-llm', '1 more needed')
    await policyApplied(town, policy(two.replace('needed: 2', 'needed: 2, from: [user:U0DORA, user:U0DANA]')))
    await presses(dora, 'Approve: Stop my-llm', 'Replaced by a newer question')
    expect(effects(town)).toEqual([])
    await presses(dora, 'Approve: Stop my-llm', '1 more needed')
    await presses(dana, 'Approve: Stop my-llm', 'Stopped my-llm')
    expect(effects(town)).toEqual(['stop'])
  })
})

describe('The list of possible approvers', () => {
  test('shows delegates and the bypass in explain, and roles and waiting requests in whoami', async () => {
    const { ana, ben, cleo } = await begin()
    await asks(ben, 'away until 2d to @cleo', 'Delegated approvals')
    await ana.sees(/@cleo can approve for @ben until .*\./, { in: 'ops' })
    await cleo.sees(/You can approve for @ben until .*\./)
    await asks(ana, 'explain stop my-llm', /Can answer for someone else until .*: @cleo/)
    await ana.sees('@ben is away', { in: 'ops' })
    await ana.sees('Emergency bypass (break-glass), with a reason and announced to everyone: @dana', { in: 'ops' })
    await asks(ana, 'stop my-llm', /The requester can’t approve\. @cleo can approve for @ben until .*\. Expires/)
    const rights = 'You’re a viewer.*You can see everything but logs.*1 request is waiting for you'
    await asks(cleo, 'whoami', new RegExp(`${rights}.*You can approve for @ben`, 's'))
    const own = 'You’re an approver.*approve or cancel those of others.*role to you by name'
    await asks(ben, 'whoami', new RegExp(`${own}.*Can approve for you until .*: @cleo`, 's'))
    await asks(ana, 'whoami', /You’re an operator.*Nothing is waiting for you/s)
    await policyApplied(town, policy(two).replace('user:U0BEN, ', ''))
    for (const one of [cleo, ben]) {
      const { text } = await asks(one, 'whoami', /You’re a viewer.*Nothing is waiting for you/s)
      expect(text).not.toMatch(/an approve for/)
    }
  })
})

describe('Break-glass', () => {
  test('lists only what needs an approval', async () => {
    const { ana, dana } = await begin('')
    await asks(ana, 'stop my-llm', '[Leave it running]')
    await asks(dana, 'break-glass the-others because="now"', /^No waiting request matches “the-others”\.(?!.*Bypass)/s)
  })

  test('takes an admin and a reason, and is announced', async () => {
    const { ana, ben, dana } = await begin()
    await ana.types('general', '/endpoint stop my-llm')
    await dana.sees('Stop my-llm?', { in: 'general' })
    await ben.presses('Approve: Stop my-llm', { in: 'general' })
    await ben.sees('Approved by @ben. 1 more needed', { in: 'general' })
    await ben.types('general', '/endpoint break-glass my-llm because="nobody answers"')
    await ben.sees('You need the admin role', { in: 'general' })
    expect(await ben.types('general', '/endpoint break-glass')).toContain('You need the admin role')
    await dana.types('general', '/endpoint break-glass')
    await dana.presses('Bypass approval: Stop my-llm…', { in: 'general' })
    await dana.opens('Bypass approval')
    await dana.chooses('Reason', 'nobody answers')
    await dana.submits()
    await dana.sees(/Stopped my-llm.*1 of 2 approvals: @ben/s, { in: 'general' })
    await asks(ana, 'history who=@ben', /Stopped my-llm.*1 of 2 approvals: @ben/s)
    await dana.sees(/Break-glass: @dana bypassed the approval of .*nobody answers/s, { in: 'ops' })
    await asks(
      ana,
      'who stopped my-llm?',
      /requested by @ana.*@dana bypassed approval \(break-glass\): “nobody answers”/,
    )
    expect(effects(town)).toEqual(['stop'])
  })

  test('can’t bypass a refusal', async () => {
    const { dana } = await begin('    endpoints: [{ match: [my-llm], matrix: { disruptive: { active: refusal } } }]\n')
    const why = 'The policy doesn’t allow this. Why: this changes a running endpoint (policy for my-llm). An admin can'
    await asks(dana, 'stop my-llm', why)
    await asks(dana, 'break-glass my-llm because="now"', 'No waiting request matches “my-llm”')
    expect(effects(town)).toEqual([])
  })
})

describe('Safeguards', () => {
  test('let anyone freeze at once; a thaw is requested once and needs someone else’s approval', async () => {
    const { ana, ben, dora } = await begin('')
    await asks(ana, 'freeze because="release"', 'Paused all automation')
    await asks(ana, 'explain thaw', 'Needs approval by someone else. Why: this removes a safeguard.')
    await asks(ben, 'thaw', 'Resume all automation?')
    await asks(ben, 'explain approve thaw', 'You can’t approve your own request.')
    await asks(ben, 'thaw because="sooner"', /This was already requested.*View request/s)
    await presses(dora, 'Approve: Resume all automation', 'Resumed all automation')
    await asks(ana, 'thaw', 'Automation isn’t paused')
  })

  test('require an approval to stop or unprotect a protected endpoint', async () => {
    const { ana, ben, cleo } = await begin('')
    await asks(ana, 'protect my-llm because="customers"', 'Protected my-llm')
    await asks(cleo, 'status my-llm', '🔒 Protected: stopping it needs 1 approval.')
    await asks(ana, 'stop my-llm', 'It’s protected and running')
    await ana.presses('Decline…', { in: 'ops' })
    await ana.opens('Decline a request')
    await ana.submits()
    await ana.sees('🚫 Stop my-llm cancelled. Nothing changed.', { in: 'ops' })
    await ana.types('ops', '/endpoint unprotect my-llm')
    await presses(ben, 'Approve: Unprotect my-llm', 'Unprotected my-llm')
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  })

  test('cancel a pending thaw when its freeze ends, unless a longer freeze has replaced it', async () => {
    const { ana, ben } = await begin('    approvals: { expires: 24h, remind: 3h }\n')
    await asks(ana, 'freeze until 1h because="release"', 'Paused all automation')
    await asks(ana, 'thaw', '[Approve: Resume all automation]')
    await asks(ana, 'freeze until 2h because="longer"', 'longer')
    await town.minutesPass(61)
    await town.calm()
    expect(channel()).toContain('[Approve: Resume all automation]')
    await town.minutesPass(60)
    await ben.sees(/^Resume all automation cancelled\. The pause has already ended\./, { in: 'ops' })
    await town.minutesPass(120)
    await town.calm()
    expect(channel()).not.toContain('Reminder: ')
  })
})

test('An approved request is carried out although Slack fails to tell once who its requester is', async () => {
  const { ana, ben } = await begin('    matrix: { disruptive: { active: approval } }\n')
  await asks(ana, 'stop my-llm', 'Stop my-llm?')
  await town.calm()
  const users: string[] = []
  const forget = town.slack.onCall(({ method }, moment) => {
    // The answer looks up its approver, and the call then looks up the requester.
    if (method !== 'users.info' || moment === 'before' || users.push(method) !== 1) return
    town.slack.fault('users.info', { kind: 'status', status: 503 }, 1)
  })
  await ben.presses('Approve: Stop my-llm', { in: 'ops' })
  await timePassesUntil(town, ana.sees('Stopped my-llm', { in: 'ops' }))
  forget()
  expect(effects(town)).toEqual(['stop'])
})

test('A bypassed request is carried out although Slack fails once to tell who bypassed its approval', async () => {
  const { ana, dana } = await begin('    matrix: { disruptive: { active: approval } }\n')
  await asks(ana, 'stop my-llm', 'Stop my-llm?')
  await town.calm()
  const forget = town.slack.onCall(({ method, args }, moment) => {
    // Before the call, the requester is looked up, and then the admin.
    if (method !== 'users.info' || args['user'] !== 'U0ANA' || moment === 'before') return
    forget()
    town.slack.fault('users.info', { kind: 'status', status: 503 }, 1)
  })
  await dana.types('ops', '/endpoint break-glass my-llm because="fire"')
  await timePassesUntil(town, ana.sees(/(Stopped|🚫 Stop) my-llm/, { in: 'ops' }))
  expect(effects(town)).toEqual(['stop'])
})

describe('A policy file', () => {
  test('that becomes stricter after the confirmation makes Lamplighter ask again', async () => {
    const { ana, ben } = await begin('')
    await asks(ana, 'stop my-llm', 'Stop my-llm?')
    await policyApplied(town, policy('    matrix: { disruptive: { active: approval } }\n'))
    await presses(ana, 'Stop my-llm', 'replaced by a newer one')
    expect(effects(town)).toEqual([])
    const again = 'Please answer again: it now needs 1 approval'
    await ana.sees(new RegExp(`^${again}\\. The earlier answer no longer counts\\.$`), { in: 'ops' })
    await ana.sees(new RegExp(`Stop my-llm\\?.*Needs 1 approval from .*${again}`, 's'), { in: 'ops' })
    await presses(ben, 'Approve: Stop my-llm', 'Stopped my-llm')
  })

  test('that requires more approvals than were given discards the earlier ones and says so', async () => {
    const { ana, ben, dora } = await begin()
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ben, 'Approve: Stop my-llm', '1 more needed')
    await policyApplied(town, policy(two.replace('needed: 2', 'needed: 3')))
    const again = /^Please answer again: it now needs 3 approvals\. The 2 earlier approvals no longer count\.$/
    await presses(dora, 'Approve: Stop my-llm', again)
    await presses(dora, 'Approve: Stop my-llm', '2 more needed')
    expect(effects(town)).toEqual([])
  })

  test('with a mistake is not applied, and the channel reads which line is wrong', async () => {
    const { ana } = await begin('')
    await town.rules(policy('    approvals: { needed: none }\n'))
    await ana.sees(/lamplighter\.yaml:\d+ .*needed/, { in: 'ops' })
    await town.rules(policy('    approvals: { from: [group:S0NOBODY] }\n'))
    await ana.sees(/^The policy file is valid again: version \w+ applies\./, { in: 'ops' })
    await ana.sees(/has changed and has these problems.*group:S0NOBODY, which isn’t a user group/s, { in: 'ops' })
    await ana.types('ops', '/endpoint stop my-llm')
    await presses(ana, 'Stop my-llm', 'Stopped my-llm')
  })
})

describe('An Enterprise Grid', () => {
  const teams = ['T0SANDBOX', 'T0SECOND']
  /** ana has a second id in the other workspace; everyone else has one id for both. */
  const ana = { id: 'W0ANA', name: 'ana', enterpriseUserId: 'U0ANA', teamId: 'T0SECOND', teams }
  const grid = {
    ...slack,
    enterprise: { id: 'E0GRID', name: 'Grid' },
    people: [...people.map((one) => ({ ...one, teams })), ana],
    channels: slack.channels.map((one) => ({ ...one, members: [...everybody, ana.id] })),
  }

  test('lets nobody approve their own request from another workspace or vote twice', async () => {
    town = await startTown({ policy: policy(two), slack: grid, env: key })
    const ben = town.slack.as('U0BEN')
    await ben.types('ops', '/endpoint stop my-llm')
    await town.slack.as('U0BEN', 'T0SECOND').presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('You can’t approve your own request.', { in: 'ops' })
    await town.slack.as('U0DORA').presses('Approve: Stop my-llm', { in: 'ops' })
    await town.slack.as('U0DORA', 'T0SECOND').presses('Approve: Stop my-llm', { in: 'ops' })
    await town.slack.as('U0DORA').sees('You’ve already approved', { in: 'ops' })
    expect(effects(town)).toEqual([])
    await town.slack.as('U0DANA', 'T0SECOND').presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('Stopped my-llm', { in: 'ops' })
  })

  test('lets a delegate approve who was picked by the id of the other workspace, and nobody delegate to themselves', async () => {
    const [cleo, own] = ['CLEO', 'BEN'].map((name) => ({ ...ana, id: `W0${name}`, enterpriseUserId: `U0${name}` }))
    const far = [
      { ...cleo!, name: 'cleo2' },
      { ...own!, name: 'ben2' },
    ]
    const members = [...everybody, ...far.map(({ id }) => id)]
    const channels = slack.channels.map((one) => ({ ...one, members }))
    const one = two.replace('needed: 2', 'needed: 1')
    town = await startTown({
      policy: policy(one),
      slack: { ...grid, people: [...grid.people, ...far], channels },
      env: key,
    })
    const [ben, requester] = [town.slack.as('U0BEN'), town.slack.as('U0ANA')]
    await asks(ben, 'away until 2d to @ben2', 'You can’t delegate to yourself')
    await asks(ben, 'away until 2d to @cleo2', 'Delegated approvals')
    await asks(requester, 'stop my-llm', '[Approve: Stop my-llm]')
    await town.slack.as('W0CLEO', 'T0SECOND').presses('Approve: Stop my-llm', { in: 'ops' })
    await requester.sees('Stopped my-llm', { in: 'ops' })
  })

  test('refuses requests and votes while Slack can’t say who somebody is', async () => {
    town = await startTown({ policy: policy(two), slack: grid, env: key })
    const [far, dora] = [town.slack.as('U0BEN', 'T0SECOND'), town.slack.as('U0DORA')]
    town.slack.fault('users.info', { kind: 'error', error: 'internal_error' }, 1)
    await asks(far, 'stop my-llm', 'I couldn’t check your role with Slack, so nothing was done.')
    await far.types('ops', '/endpoint stop my-llm')
    await presses(dora, 'Approve: Stop my-llm', '1 more needed')
    // Slack's answers about people are cached for a minute.
    await town.minutesPass(2)
    await town.calm()
    town.slack.fault('users.info', { kind: 'error', error: 'internal_error' }, 1)
    const again = town.slack.as('U0DORA', 'T0SECOND')
    await presses(again, 'Approve: Stop my-llm', 'I couldn’t check your role with Slack, so nothing was done.')
    expect(effects(town)).toEqual([])
  })

  test('sends secret values to the platform from any workspace and id', async () => {
    town = await startTown({ policy: policy().replace('[everyone]', '[]'), slack: grid, env: key, listed: true })
    for (const id of ['U0ANA', 'W0ANA']) {
      const one = town.slack.as(id, 'T0SECOND')
      await one.types('ops', '/endpoint patch my-tts')
      await one.opens('Patch an endpoint')
      await one.chooses('Environment variables', `TOKEN=of-${id}`)
      expect(await one.submits()).toMatchObject({ outcome: 'cleared' })
      await one.presses('Patch my-tts', { in: 'ops' })
      const env = () => town.platform.endpoints().find(({ name }) => name === 'my-tts')?.settings.container_env_vars
      await expect.poll(env).toEqual([{ key: 'TOKEN', value: `of-${id}` }])
      // The first request holds the endpoint until it has ended.
      await town.calm()
    }
  })

  test('shows somebody the same commands in every workspace and under every id', async () => {
    const roles = policy().replace('[everyone]', '[]').replace('[user:U0BEN', '[user:U0ANA, user:U0BEN')
    town = await startTown({ policy: roles, slack: grid, env: key })
    await asks(town.slack.as('U0ANA'), 'away until 2d to @ben', 'Delegated approvals')
    for (const id of ['U0ANA', 'W0ANA'])
      expect(await town.slack.as(id, 'T0SECOND').types('ops', '/endpoint help')).toContain('end the delegation')
  })
})

test('An approver whom the policy names can approve without any other role', async () => {
  const roles = policyOf(`
    roles:
      viewer: [user:U0ANA]
      operator: [user:U0ANA]
    approvals: { from: [user:U0CLEO] }
`)
  town = await startTown({ policy: roles, env: key })
  const [ana, cleo] = [town.slack.as('U0ANA'), town.slack.as('U0CLEO')]
  await asks(ana, 'protect my-llm', 'Protected my-llm')
  await asks(ana, 'stop my-llm', 'Needs 1 approval from @cleo')
  await presses(cleo, 'Approve: Stop my-llm', /^Stopped my-llm/)
  expect(effects(town)).toEqual(['stop'])
})

test.each([
  ['break-glass my-llm because="all is well"', 'Bypass approval'],
  ['away until mon to @U0CLEO', 'Delegate approvals'],
  [`token new terminal code=${'a'.repeat(60)}`, 'Create or revoke a token'],
])('A button with a misleading label can only open the form of `%s`', async (value, title) => {
  const { ana, dana } = await begin()
  await asks(ana, 'stop my-llm', '[Approve: Stop my-llm]')
  const text = { type: 'plain_text', text: 'Good' }
  const elements = [{ type: 'button', text, action_id: 'line:0', value }]
  await fetch(`${town.slack.url}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${town.slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'C0OPS', text: 'All is well.', blocks: [{ type: 'actions', elements }] }),
  })
  await dana.presses('Good', { in: 'ops' })
  await dana.opens(title)
  await town.calm()
  expect(effects(town)).toEqual([])
})
