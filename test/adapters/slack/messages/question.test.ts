import { describe, expect, test } from 'vitest'
import { usualApprovalSettings } from '../../../../src/core/model/policy.ts'
import type { Request } from '../../../../src/core/model/request.ts'
import { say } from '../../../../src/core/model/words.ts'
import { agreed, approving, ask, asked, ben, claimOf, cleo, dana, ended, start, thawing } from '../requests.ts'
import { linesAt, linesOf, messagesOf, wanted } from '../showing.ts'

const one = [{ by: ben, at: start, for: dana }]
const two = [...one, { by: cleo, at: start }]
const leads = { after: 900_000, to: [{ kind: 'group', id: 'S0LEADS' }] } as const

function keysOf(request: Request): readonly string[] {
  return wanted(request).map(({ key, where, fresh }) => `${key} in ${where}${fresh ? '' : ' if it is there'}`)
}

/** The people and groups that a message mentions. */
function calledIn(request: Request, key: string): readonly string[] {
  const sent = JSON.stringify(wanted(request).find((found) => found.key === key)?.message.blocks)
  return [...sent.matchAll(/"(?:user_id|usergroup_id)":"(\w+)"/g)].map(([, id]) => id ?? '')
}

describe('A requested approval', () => {
  test('names who can give it, how many it needs and the rule, and has one way to decline', () => {
    expect(linesAt(approving(), 'ask.1')).toEqual([
      'Stop my-llm? It’s running with 3 replicas. Needs 2 approvals from @sre. The requester can’t approve. Expires Jan 15, 2027 at 08:30.',
      'Why: the endpoint is protected.',
      '[Approve: Stop my-llm] [Decline…]',
    ])
    const [, question] = wanted(approving())
    expect(question?.message.text).toBe('Stop my-llm? It’s running with 3 replicas. Needs 2 approvals.')
    expect(JSON.stringify(question?.message.blocks)).toContain(`"value":"decline ${'r'.repeat(22)}"`)
  })

  test('has no empty block for what an agreement means, if that is nothing', () => {
    const lines = linesAt({ ...approving(), means: [['', ''], 'It stays so.'] }, 'ask.1')
    expect(lines).toHaveLength(4)
    expect(lines).not.toContain('')
  })

  test('mentions exactly the listed approvers, never the requester or a fallback that still waits', () => {
    const from = [
      { kind: 'user', id: 'U0ANA' },
      { kind: 'user', id: 'U0CLEO' },
      { kind: 'group', id: 'S0SRE' },
      { kind: 'group', id: 'S0SRE' },
      { kind: 'channel', id: 'C0OPS' },
    ] as const
    const request = approving({}, {}, { needed: 1, from, fallback: leads })
    expect(calledIn(request, 'ask.1')).toEqual(['U0CLEO', 'S0SRE'])
    expect(linesAt(request, 'ask.1')[0]).toContain('Needs 1 approval from @cleo or @sre. The requester')
    const fallen = {
      ...request,
      ask: ask({ asking: { ...usualApprovalSettings, from, fallback: leads }, fellBackAt: start }),
    }
    expect(calledIn(fallen, 'ask.1')).toEqual(['U0CLEO', 'S0SRE', 'S0LEADS'])
  })

  test('mentions nobody if the policy names nobody or everybody', () => {
    const nobody = messagesOf(claimOf(approving()), start, null, () => []).find(({ key }) => key === 'ask.1')
    expect(linesOf(nobody?.message ?? { blocks: [] })[0]).toContain(
      'Needs 2 approvals, but none of the approvers in lamplighter.yaml can give one right now.',
    )
    const everybody = approving({}, {}, { from: [{ kind: 'everyone' }, { kind: 'group', id: 'S0SRE' }] })
    expect(linesAt(everybody, 'ask.1')[0]).toContain('Needs 2 approvals from anyone in this workspace')
    expect(calledIn(everybody, 'ask.1')).toEqual([])
  })

  test('says so if the policy names fewer people than must approve, but not of a group', () => {
    const named = (...users: string[]) => users.map((id) => ({ kind: 'user', id }) as const)
    const few = approving({}, {}, { needed: 3, from: named('U0ANA', 'U0CLEO', 'U0BEN') })
    expect(linesAt(few, 'ask.1')[0]).toContain('Needs 3 approvals, but only @cleo and @ben can give one right now.')
    const enough = approving({}, {}, { needed: 2, from: named('U0ANA', 'U0CLEO', 'U0BEN') })
    expect(linesAt(enough, 'ask.1')[0]).toContain('Needs 2 approvals from @cleo or @ben.')
    const group = approving({}, {}, { needed: 2, from: [{ kind: 'group', id: 'S0SRE' }] })
    expect(linesAt(group, 'ask.1')[0]).toContain('Needs 2 approvals from @sre.')
  })

  test('asks the admins if there is no approver, and mentions only some of many', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ kind: 'user', id: `U${at}` }) as const)
    const found = messagesOf(claimOf(approving()), start, null, (role) => (role === 'admin' ? many : []))
    const line = linesOf(found.find(({ key }) => key === 'ask.1')?.message ?? { blocks: [] })[0]
    expect(line).toContain('from @U0, @U1, @U2, @U3, @U4, @U5, @U6, @U7, @U8, @U9, or 20 more. The requester')
  })

  test('shows each vote on the card and the question, and keeps its buttons until the last one', () => {
    const request = approving({}, { votes: one })
    expect(linesAt(request, 'card')).toContain('Approved by @ben (for @dana). 1 more needed.')
    expect(linesAt(request, 'card').at(-1)).not.toContain('needs')
    const lines = linesAt(request, 'ask.1')
    expect(lines).toContain('Approved by @ben (for @dana). 1 more needed.')
    expect(lines.at(-1)).toContain('[Approve: Stop my-llm] [Decline…]')
  })

  test('names all approvers once it is decided, and has no buttons any more', () => {
    const decision = { by: cleo, at: start, yes: true }
    const { ask: question } = approving()
    const request = agreed({}, { requirement: 'approval', ...(question && { ask: question }), votes: two, decision })
    expect(linesAt(request, 'ask.1')).toEqual(['Stop my-llm? ✅ Approved by @cleo and @ben (for @dana).'])
    expect(linesAt(request, 'card')).toContain('Approved by @cleo and @ben (for @dana).')
    expect(linesAt(ended(request, 'succeeded'), 'card').join('\n')).toContain(
      'requested by @ana · approved by @cleo and @ben (for @dana)',
    )
  })

  test('that was declined says who declined it and why', () => {
    const decision = { by: ben, at: start, yes: false, because: 'the demo is on' }
    const request = ended(approving({}, { decision }), 'declined', { says: 'my-llm was left as it is.' })
    expect(linesAt(request, 'ask.1')).toEqual(['Stop my-llm? ❌ Declined by @ben: “the demo is on”'])
    expect(linesAt(request, 'end')[0]).toMatch(/^❌ Stop my-llm declined by @ben: “the demo is on”/)
    const half = ended(approving({}, { decision, votes: one }), 'declined', { says: 'my-llm was left as it is.' })
    for (const key of ['card', 'ask.1'])
      expect(linesAt(half, key).join(' ')).toMatch(/^(?!.*more needed).*1 of 2 approvals: @ben \(for @dana\)/)
  })

  test('that was declined without a reason shows the requester’s reason as theirs', () => {
    const request = ended(approving({}, { decision: { by: ben, at: start, yes: false } }), 'declined', {
      says: 'my-llm was left as it is.',
    })
    expect(linesAt(request, 'card')).toContain('@ana’s reason: “moving to v2”')
  })
})

describe('People who do not answer', () => {
  const reminded = (times: number, more: Partial<Request> = {}): Request =>
    approving({}, { ask: ask({ asking: { ...usualApprovalSettings, needed: 2 }, reminded: times }), ...more })

  test('are reminded in the thread by the newest reminder only, and not after the decision', () => {
    expect(keysOf(approving())).toEqual(['card in channel', 'ask.1 in thread'])
    expect(keysOf(reminded(3))).toEqual(['card in channel', 'ask.1 in thread', 'reminder.1.3 in thread'])
    const again = reminded(0, { ask: ask({ n: 2, reminded: 1 }) })
    expect(keysOf(again).at(-1)).toBe('reminder.2.1 in thread')
    const decided = agreed({}, { ask: ask({ reminded: 2 }) })
    const over = ['reminder.1.1', 'reminder.1.2'].map((key) => `${key} in thread if it is there`)
    expect(keysOf(decided)).toEqual(['card in channel', 'ask.1 in thread if it is there', ...over])
    expect(linesAt(decided, 'reminder.1.1')).toEqual(['✅ Confirmed by @ben.'])
    const says = say('request.unanswered', { length: { lasting: 1_800_000 }, votes: 'none', needed: 2 })
    const expired = ended(reminded(1), 'expired', {}, { says })
    expect(linesAt(expired, 'ask.1')).toEqual(['Stop my-llm? Expired.'])
    expect(linesAt(expired, 'reminder.1.1')).toEqual(['Expired.'])
  })

  test('are mentioned unless they have answered', () => {
    expect(linesAt(reminded(1), 'reminder.1.1')).toEqual(['Reminder: Stop my-llm needs 2 approvals from @sre.'])
    const from = [ben, cleo].map(({ user: id }) => ({ kind: 'user', id }) as const)
    const some = reminded(1, {
      votes: one,
      ask: ask({ asking: { ...usualApprovalSettings, needed: 2, from }, reminded: 1 }),
    })
    expect(linesAt(some, 'reminder.1.1')).toEqual(['Reminder: Stop my-llm needs 1 more approval from @cleo.'])
    const standIns = [{ to: ben, of: cleo, until: start + 3_600_000 }]
    expect(linesAt(reminded(1, { ask: ask({ reminded: 1, standIns }) }), 'reminder.1.1')[0]).toMatch(
      /approval from @sre\. @ben can approve for @cleo until /,
    )
  })

  test('are the requester and operators for a confirmation', () => {
    const request = asked({}, { ask: ask({ reminded: 1 }) })
    expect(linesAt(request, 'reminder.1.1')).toEqual([
      'Reminder: Stop my-llm is waiting for confirmation. @ana or any operator can confirm.',
    ])
  })

  test('are not joined by fallback approvers who can’t approve', () => {
    const fallenTo = (...ids: readonly string[]) => {
      const to = ids.map((id) => ({ kind: 'user', id }) as const)
      const asking = { ...usualApprovalSettings, fallback: { ...leads, to } }
      return approving({}, { ask: ask({ asking, fellBackAt: start + 900_000, unable: ['U0GUS'] }) })
    }
    expect(linesAt(fallenTo('U0BEN', 'U0GUS'), 'fallback.1')).toEqual([
      'No answer from @sre for 15 min; @ben can now approve too.',
    ])
    const nobody = fallenTo('U0GUS', 'U0ANA')
    expect(linesAt(nobody, 'fallback.1')).toEqual([
      'No answer from @sre for 15 min; none of the fallback approvers in lamplighter.yaml can approve.',
    ])
    expect(wanted(nobody).find(({ key }) => key === 'fallback.1')?.message.text).toContain('nobody else can approve')
  })

  test('are joined by a fallback, which is mentioned only then, and once', () => {
    const asking = { ...usualApprovalSettings, needed: 2, fallback: leads }
    const waiting = approving({}, { ask: ask({ asking }) })
    const fallen = approving({}, { ask: ask({ asking, fellBackAt: start + 900_000 }) })
    expect(JSON.stringify(wanted(waiting))).not.toContain('S0LEADS')
    expect(keysOf(fallen).at(-1)).toBe('fallback.1 in thread')
    expect(linesAt(fallen, 'fallback.1')).toEqual(['No answer from @sre for 15 min; @leads can now approve too.'])
    const later = { ...fallen, votes: [{ by: cleo, at: start + 1_000_000 }] }
    expect(linesAt(later, 'fallback.1')).toEqual(linesAt(fallen, 'fallback.1'))
    const sooner = { ...fallen, votes: one }
    expect(linesAt(sooner, 'fallback.1')).toEqual([
      '1 approval still missing after 15 min; @leads can now approve too.',
    ])
  })
})

describe('A break-glass', () => {
  const decision = { by: dana, at: start, yes: true, glass: true, because: 'production is down' } as const
  const request = agreed({}, { requirement: 'approval', decision })

  test('is shown on the card, the question and the end, and announced in the operations channel', () => {
    const loud = '🚨 @dana bypassed approval (break-glass): “production is down”.'
    expect(linesAt(request, 'card')).toContain(loud)
    expect(linesAt(request, 'ask.1')).toEqual(['Stop my-llm?', loud])
    expect(linesAt(ended(request, 'succeeded'), 'end')).toContain(loud)
    expect(keysOf(request)).toContain('glass in operations')
    expect(linesAt(request, 'glass')).toEqual([
      '🚨 Break-glass: @dana bypassed the approval of Stop my-llm. Reason: “production is down”',
      'requested by @ana',
    ])
  })

  test('has the same text as long as the request is kept, so it is sent once', () => {
    const said = (of: Request) => wanted(of).find(({ key }) => key === 'glass')?.message
    expect(said(ended(request, 'succeeded'))).toEqual(said(request))
    expect(said(agreed())).toBeUndefined()
  })
})

describe('A request about our own records', () => {
  test('reads well without an endpoint', () => {
    const texts = [thawing(), agreed({}, {}), ended(thawing(), 'succeeded', { says: 'Thawed automation.' })]
      .flatMap((request) => wanted(request))
      .flatMap(({ message }) => [message.text, ...linesOf(message)])
    for (const text of texts) expect(text).not.toMatch(/ {2}| [?….]/)
    expect(linesAt(thawing(), 'card')[0]).toMatch(/^Resume all automation\? It lets automation run again\.$/)
    expect(linesAt(thawing(), 'ask.1').at(-1)).toMatch(/^\[Approve: Resume/)
  })

  test('shows an endpoint that is named like a person as plain text', () => {
    const named = asked({ name: '@U0CLEO' })
    expect(linesAt(named, 'card')[0]).toContain('Stop @U0CLEO?')
    expect(calledIn(named, 'card')).not.toContain('U0CLEO')
  })
})
