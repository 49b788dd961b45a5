import { afterEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { effects } from '../support/ends.ts'
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
async function begin(more = two, env: Record<string, string> = key): Promise<Town> {
  town = await startTown({ policy: policy(more), slack, env })
  return town
}
afterEach(() => town.stop())

/** The messages of the operations channel, one per line. */
function channel(): string {
  return town.slack.transcript('ops')
}

describe('A request that needs two approvals', () => {
  test('counts each approval and runs after the second', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint status my-llm')
    await ana.sees('🔒 Stopping it needs 2 approvals.', { in: 'ops' })
    await ana.types('ops', '/endpoint stop my-llm')
    const ben = town.slack.as('U0BEN')
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    expect(effects(town)).toEqual([])
    await town.slack.as('U0DORA').presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('Stopped my-llm', { in: 'ops' })
    expect(effects(town)).toEqual(['stop'])
  })

  test('counts neither a second approval by the same person nor the requester’s own', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('You can’t approve your own request', { in: 'ops' })
    const ben = town.slack.as('U0BEN')
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('You’ve already approved', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })

  test('ends with the reason when one approver declines', async () => {
    await begin()
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm because="a new driver"')
    await town.slack.as('U0BEN').sees('Stop my-llm?', { in: 'ops' })
    await town.slack.as('U0BEN').types('ops', '/endpoint decline my-llm because="the demo is on"')
    await town.slack.as('U0ANA').sees('❌ Stop my-llm declined by @ben', { in: 'ops' })
    await town.slack.as('U0ANA').sees('the demo is on', { in: 'ops' })
    await town.slack.as('U0ANA').types('ops', '/endpoint history')
    await town.slack
      .as('U0ANA')
      .sees('· request: “a new driver” · answer: “the demo is on” · declined by @ben', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })

  test('can be declined with a reason in a form that names the request', async () => {
    await begin()
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
    const ben = town.slack.as('U0BEN')
    await ben.presses('Decline…', { in: 'ops' })
    const { blocks } = await ben.opens('Decline a request')
    expect(JSON.stringify(blocks)).toMatch(/Stop my-llm · Requested by .*U0ANA/)
    expect(blocks?.map(({ block_id }) => block_id)).not.toContain('request')
    await ben.chooses('Reason', 'the demo is on')
    expect(await ben.submits()).toMatchObject({ outcome: 'cleared' })
    await ben.sees('declined by @ben: “the demo is on”', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })

  test('can be withdrawn by its requester', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.presses('Decline…', { in: 'ops' })
    await ana.opens('Decline a request')
    await ana.submits()
    await ana.sees('🚫 Stop my-llm cancelled. Nothing changed.', { in: 'ops' })
  })

  test('accepts typed approvals', async () => {
    await begin()
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
    const ben = town.slack.as('U0BEN')
    // A phone's notification shows no more than this.
    expect((await ben.sees('Stop my-llm?', { in: 'ops' })).text).toMatch(/^ana: Stop my-llm\? /)
    await ben.types('ops', '/endpoint approve my-llm')
    await ben.sees(/Stop my-llm: you’ve approved \(1 of 2\)\. 1 more needed by to(day|morrow) at/, { in: 'ops' })
    const cleo = town.slack.as('U0CLEO')
    await cleo.types('ops', '/endpoint approve my-llm')
    await cleo.sees('Only someone with the approver role', { in: 'ops' })
    await town.slack.as('U0DORA').types('ops', '/endpoint approve my-llm')
    await ben.sees('Stopped my-llm', { in: 'ops' })
  })

  test('reminds after ten minutes and asks the fallback group after fifteen', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees('Stop my-llm?', { in: 'ops' })
    const eve = town.slack.as('U0EVE')
    await eve.types('ops', '/endpoint approve my-llm')
    await eve.sees('Only someone with the approver role', { in: 'ops' })
    await town.minutesPass(11)
    await ana.sees('Reminder: ', { in: 'ops' })
    expect(channel()).not.toContain('@leads')
    await town.minutesPass(5)
    await ana.sees('@leads', { in: 'ops' })
    await eve.presses('Approve: Stop my-llm', { in: 'ops' })
    await eve.sees('1 more needed', { in: 'ops' })
    await town.slack.as('U0BEN').presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('Stopped my-llm', { in: 'ops' })
    // Every question and reminder is replaced by the outcome.
    await expect.poll(() => channel().split('✅ Approved by @eve and @ben.')).toHaveLength(4)
    expect(channel()).not.toContain('Reminder: ')
  })

  test('expires after half an hour with one approval', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await town.slack.as('U0BEN').presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('1 more needed', { in: 'ops' })
    await town.minutesPass(31)
    await ana.sees(/expired after 30 min with 1 of 2 approvals\.(?!.*1 of 2).*Approved by @ben\./s, { in: 'ops' })
    await ana.types('ops', '/endpoint history')
    await ana.sees(/It expired after 30 min with 1 of 2 approvals\.(?!.*1 of 2).*Approved by @ben\./s)
    expect(effects(town)).toEqual([])
  })

  test('is refused without a signing key', async () => {
    await begin(two, {})
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees('LAMPLIGHTER_KEY', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })
})

describe('A delegate', () => {
  test('approves for an absent approver until the approver is back', async () => {
    await begin('    matrix: { disruptive: { active: approval } }\n')
    const ben = town.slack.as('U0BEN')
    await ben.types('ops', '/endpoint away until 2d to @cleo')
    await ben.sees('Delegated approvals', { in: 'ops' })
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
    const cleo = town.slack.as('U0CLEO')
    await cleo.presses('Approve: Stop my-llm', { in: 'ops' })
    await cleo.sees('Stopped my-llm', { in: 'ops' })
    await ben.types('ops', '/endpoint back')
    await ben.sees('Ended the delegation', { in: 'ops' })
    await town.slack.as('U0ANA').types('ops', '/endpoint start my-llm')
    await cleo.sees('Started my-llm', { in: 'ops' })
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
    await town.calm()
    await cleo.types('ops', '/endpoint approve my-llm')
    await cleo.sees('Only someone with the approver role', { in: 'ops' })
    expect(effects(town)).toEqual(['stop', 'start'])
  })
})

describe('A waiting question', () => {
  test('names a delegate as soon as an approver is away and drops the name once they are back', async () => {
    await begin()
    const ben = town.slack.as('U0BEN')
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
    const asked = await ben.sees(/The requester can’t approve\. Expires/, { in: 'ops' })
    await ben.types('ops', '/endpoint away until 2d to @cleo')
    const now = await ben.sees(/The requester can’t approve\. @cleo can approve for @ben until .*\. Expires/, {
      in: 'ops',
    })
    expect(now.ts).toBe(asked.ts)
    await ben.types('ops', '/endpoint back')
    const then = await ben.sees(/The requester can’t approve\. Expires/, { in: 'ops' })
    expect(then.ts).toBe(asked.ts)
    expect(effects(town)).toEqual([])
  })
})

describe('A delegate’s approval', () => {
  const both = '    approvals: { needed: 2 }\n    matrix: { disruptive: { active: approval } }\n'

  /** cleo approves for ben, then something happens, then dora gives the second approval. */
  async function votedThen(happens: () => Promise<void>): Promise<void> {
    await begin(both)
    const ben = town.slack.as('U0BEN')
    await ben.types('ops', '/endpoint away until 2d to @cleo')
    await ben.sees('Delegated approvals', { in: 'ops' })
    await town.slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
    await town.slack.as('U0CLEO').presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await happens()
    await town.slack.as('U0DORA').presses('Approve: Stop my-llm', { in: 'ops' })
  }

  test('still counts after the delegation ends, and the approver can’t vote again', async () => {
    await votedThen(async () => {
      const ben = town.slack.as('U0BEN')
      await ben.types('ops', '/endpoint back')
      await ben.sees('Ended the delegation', { in: 'ops' })
      await ben.types('ops', '/endpoint approve my-llm')
      await ben.sees('@cleo has already approved for you', { in: 'ops' })
    })
    await town.slack.as('U0DORA').sees('Stopped my-llm', { in: 'ops' })
    expect(effects(town)).toEqual(['stop'])
  })

  test('no longer counts once the absent approver loses the role', async () => {
    await votedThen(async () => {
      await town.rules(policy(both).replace('user:U0BEN, ', ''))
      await expect.poll(() => town.log()).toContain('applied the changed policy file')
    })
    await town.slack.as('U0DORA').sees(/one of the approvers can no longer approve this/i, { in: 'ops' })
    expect(effects(town)).toEqual([])
  })
})

describe('Approvers that the policy narrows while a question is open', () => {
  const any = '    matrix: { disruptive: { active: approval } }\n    approvals: { needed: 2 }\n'

  test('are asked again, and earlier approvals no longer count', async () => {
    await begin(any)
    const [ana, ben, dora] = ['U0ANA', 'U0BEN', 'U0DORA'].map((id) => town.slack.as(id)) as [Actor, Actor, Actor]
    await ana.types('ops', '/endpoint stop my-llm')
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await town.rules(policy(any.replace('needed: 2', 'needed: 2, from: [user:U0DORA, user:U0DANA]')))
    await expect.poll(() => town.log()).toContain('applied the changed policy file')
    await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('Replaced by a newer question', { in: 'ops' })
    expect(effects(town)).toEqual([])
    await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('1 more needed', { in: 'ops' })
    await town.slack.as('U0DANA').presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('Stopped my-llm', { in: 'ops' })
    expect(effects(town)).toEqual(['stop'])
  })
})

describe('The list of possible approvers', () => {
  test('shows delegates and the bypass in explain, and roles and waiting requests in whoami', async () => {
    await begin()
    const [ana, ben, cleo] = ['U0ANA', 'U0BEN', 'U0CLEO'].map((id) => town.slack.as(id)) as [Actor, Actor, Actor]
    await ben.types('ops', '/endpoint away until 2d to @cleo')
    await ben.sees('Delegated approvals', { in: 'ops' })
    await ana.sees(/@cleo can approve for @ben until .*\./, { in: 'ops' })
    await cleo.sees(/You can approve for @ben until .*\./)
    await ana.types('ops', '/endpoint explain stop my-llm')
    await ana.sees(/Can answer for someone else until .*: @cleo/, { in: 'ops' })
    await ana.sees('@ben is away', { in: 'ops' })
    await ana.sees('Emergency bypass (break-glass), with a reason and announced to everyone: @dana', {
      in: 'ops',
    })
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees(/The requester can’t approve\. @cleo can approve for @ben until .*\. Expires/, { in: 'ops' })
    await cleo.types('ops', '/endpoint whoami')
    await cleo.sees(
      /You’re a viewer.*You can see everything but logs.*1 request is waiting for you.*You can approve for @ben/s,
      {
        in: 'ops',
      },
    )
    await ben.types('ops', '/endpoint whoami')
    await ben.sees(
      /You’re an approver.*approve or cancel those of others.*role to you by name.*Can approve for you until .*: @cleo/s,
      { in: 'ops' },
    )
    await ana.types('ops', '/endpoint whoami')
    await ana.sees(/You’re an operator.*Nothing is waiting for you/s, { in: 'ops' })
  })
})

describe('Break-glass', () => {
  test('takes an admin and a reason, and is announced', async () => {
    await begin()
    await town.slack.as('U0ANA').types('general', '/endpoint stop my-llm')
    const dana = town.slack.as('U0DANA')
    await dana.sees('Stop my-llm?', { in: 'general' })
    await town.slack.as('U0BEN').types('general', '/endpoint break-glass my-llm because="nobody answers"')
    await town.slack.as('U0BEN').sees('You need the admin role', { in: 'general' })
    expect(await town.slack.as('U0BEN').types('general', '/endpoint break-glass')).toContain('You need the admin role')
    await dana.types('general', '/endpoint break-glass')
    await dana.presses('Bypass approval: Stop my-llm…', { in: 'general' })
    await dana.opens('Bypass approval')
    await dana.chooses('Reason', 'nobody answers')
    await dana.submits()
    await dana.sees('Stopped my-llm', { in: 'general' })
    await dana.sees(/Break-glass: @dana ran .*nobody answers/s, { in: 'ops' })
    expect(effects(town)).toEqual(['stop'])
  })

  test('can’t bypass a refusal', async () => {
    await begin('    endpoints: [{ match: [my-llm], matrix: { disruptive: { active: refusal } } }]\n')
    const dana = town.slack.as('U0DANA')
    await dana.types('ops', '/endpoint stop my-llm')
    const why = 'The policy doesn’t allow this. Why: this changes a running endpoint (policy for my-llm). An admin can'
    await dana.sees(why, { in: 'ops' })
    await dana.types('ops', '/endpoint break-glass my-llm because="now"')
    await dana.sees('No waiting request matches “my-llm”', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })
})

describe('Safeguards', () => {
  test('keep a pending request from being made again with another reason', async () => {
    await begin('')
    const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
    await ana.types('ops', '/endpoint freeze because="release"')
    await ana.sees('Paused all automation', { in: 'ops' })
    await ana.types('ops', '/endpoint explain thaw')
    await ana.sees('Needs approval by someone else. Why: this removes a safeguard.', {
      in: 'ops',
    })
    await ben.types('ops', '/endpoint thaw')
    await ben.sees('Resume all automation?', { in: 'ops' })
    await ben.types('ops', '/endpoint explain approve thaw')
    await ben.sees('You can’t approve your own request.', { in: 'ops' })
    await ben.types('ops', '/endpoint thaw because="sooner"')
    await ben.sees(/This was already requested.*View request/s, { in: 'ops' })
  })

  test('require an approval to stop or unprotect a protected endpoint', async () => {
    await begin('')
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint protect my-llm because="customers"')
    await ana.sees('Protected my-llm', { in: 'ops' })
    const cleo = town.slack.as('U0CLEO')
    await cleo.types('ops', '/endpoint status my-llm')
    await cleo.sees('🔒 Protected: stopping it needs 1 approval.', { in: 'ops' })
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees('It’s protected and running', { in: 'ops' })
    await ana.presses('Decline…', { in: 'ops' })
    await ana.opens('Decline a request')
    await ana.submits()
    await ana.sees('Stop my-llm cancelled', { in: 'ops' })
    await ana.types('ops', '/endpoint unprotect my-llm')
    const ben = town.slack.as('U0BEN')
    await ben.presses('Approve: Unprotect my-llm', { in: 'ops' })
    await ben.sees('Unprotected my-llm', { in: 'ops' })
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.presses('Stop my-llm', { in: 'ops' })
    await ana.sees('Stopped my-llm', { in: 'ops' })
  })

  test('let anyone freeze at once but require an approval to thaw', async () => {
    await begin('')
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint freeze until 4h because="release"')
    await ana.sees('Paused all automation', { in: 'ops' })
    await ana.types('ops', '/endpoint thaw')
    await town.slack.as('U0BEN').presses('Approve: Resume all automation', { in: 'ops' })
    await ana.sees('Resumed all automation', { in: 'ops' })
    await ana.types('ops', '/endpoint thaw')
    await ana.sees('Automation isn’t paused', { in: 'ops' })
  })

  test('cancel a pending thaw when its freeze ends, unless a longer freeze has replaced it', async () => {
    await begin('    approvals: { expires: 24h, remind: 3h }\n')
    const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
    await ana.types('ops', '/endpoint freeze until 1h because="release"')
    await ana.sees('Paused all automation', { in: 'ops' })
    await ana.types('ops', '/endpoint thaw')
    await ana.sees('[Approve: Resume all automation]', { in: 'ops' })
    await ana.types('ops', '/endpoint freeze until 2h because="longer"')
    await ana.sees('longer', { in: 'ops' })
    await town.minutesPass(61)
    await town.calm()
    expect(channel()).toContain('[Approve: Resume all automation]')
    await town.minutesPass(60)
    await ben.sees(/^Resume all automation cancelled\. The pause has already ended\./, {
      in: 'ops',
    })
    await town.minutesPass(120)
    await town.calm()
    expect(channel()).not.toContain('Reminder: ')
  })
})

describe('A policy file', () => {
  test('that becomes stricter after the confirmation makes Lamplighter ask again', async () => {
    await begin('')
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees('Stop my-llm?', { in: 'ops' })
    await town.rules(policy('    matrix: { disruptive: { active: approval } }\n'))
    await expect.poll(() => town.log()).toContain('applied the changed policy file')
    await ana.presses('Stop my-llm', { in: 'ops' })
    await ana.sees('replaced by a newer one', { in: 'ops' })
    expect(effects(town)).toEqual([])
    await ana.sees(/^Please answer again: it now needs 1 approval\. The earlier answer no longer counts\.$/, {
      in: 'ops',
    })
    await ana.sees(/Stop my-llm\?.*Needs 1 approval from .*Please answer again: it now needs 1 approval/s, {
      in: 'ops',
    })
    await town.slack.as('U0BEN').presses('Approve: Stop my-llm', { in: 'ops' })
    await ana.sees('Stopped my-llm', { in: 'ops' })
  })

  test('that requires more approvals than were given discards the earlier ones and says so', async () => {
    await begin()
    const [ana, ben, dora] = [town.slack.as('U0ANA'), town.slack.as('U0BEN'), town.slack.as('U0DORA')]
    await ana.types('ops', '/endpoint stop my-llm')
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await town.rules(policy(two.replace('needed: 2', 'needed: 3')))
    await expect.poll(() => town.log()).toContain('applied the changed policy file')
    await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    await dora.sees(/^Please answer again: it now needs 3 approvals\. The 2 earlier approvals no longer count\.$/, {
      in: 'ops',
    })
    await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    await dora.sees('2 more needed', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })

  test('with a mistake is not applied, and the channel reads which line is wrong', async () => {
    await begin('')
    await town.rules(policy('    approvals: { needed: none }\n'))
    const ana = town.slack.as('U0ANA')
    await ana.sees(/lamplighter\.yaml:\d+ .*needed/, { in: 'ops' })
    await town.rules(policy('    approvals: { from: [group:S0NOBODY] }\n'))
    await ana.sees(/^The policy file is valid again: version \w+ applies\./, { in: 'ops' })
    await ana.sees(/The policy file has changed and has these problems.*group:S0NOBODY, which isn’t a user group/s, {
      in: 'ops',
    })
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.presses('Stop my-llm', { in: 'ops' })
    await ana.sees('Stopped my-llm', { in: 'ops' })
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

  test('refuses requests and votes while Slack can’t say who somebody is', async () => {
    town = await startTown({ policy: policy(two), slack: grid, env: key })
    const [far, dora] = [town.slack.as('U0BEN', 'T0SECOND'), town.slack.as('U0DORA')]
    town.slack.fault('users.info', { kind: 'error', error: 'internal_error' }, 1)
    await far.types('ops', '/endpoint stop my-llm')
    await far.sees('I couldn’t check your role with Slack, so nothing was done.', { in: 'ops' })
    await far.types('ops', '/endpoint stop my-llm')
    await dora.presses('Approve: Stop my-llm', { in: 'ops' })
    await dora.sees('1 more needed', { in: 'ops' })
    // Slack's answers about people are cached for a minute.
    await town.minutesPass(2)
    await town.calm()
    town.slack.fault('users.info', { kind: 'error', error: 'internal_error' }, 1)
    const again = town.slack.as('U0DORA', 'T0SECOND')
    await again.presses('Approve: Stop my-llm', { in: 'ops' })
    await again.sees('I couldn’t check your role with Slack, so nothing was done.', { in: 'ops' })
    expect(effects(town)).toEqual([])
  })

  test('sends secret values to the platform from any workspace and id', async () => {
    town = await startTown({ policy: policy().replace('[everyone]', '[]'), slack: grid, env: key, listed: true })
    for (const [id, from] of [
      ['U0ANA', 'T0SECOND'],
      ['W0ANA', 'T0SECOND'],
    ] as const) {
      const one = town.slack.as(id, from)
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
    await town.slack.as('U0ANA').types('ops', '/endpoint away until 2d to @ben')
    await town.slack.as('U0ANA').sees('Delegated approvals', { in: 'ops' })
    for (const id of ['U0ANA', 'W0ANA'])
      expect(await town.slack.as(id, 'T0SECOND').types('ops', '/endpoint help')).toContain('end the delegation')
  })
})
