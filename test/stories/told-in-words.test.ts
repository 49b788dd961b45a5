import { afterEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { effects } from '../support/ends.ts'
import { asks } from '../support/ops.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/** ana makes requests, ben and dora approve, cleo is a viewer, and dana is an admin. */
const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA]
      approver: [user:U0BEN, user:U0DORA]
      admin: [user:U0DANA]
    approvals: { needed: 2 }
    matrix: { disruptive: { active: approval }, loosening: { active: approval } }
`)
const people = ['ANA', 'BEN', 'CLEO', 'DORA', 'DANA'].map((name) => ({ id: `U0${name}`, name: name.toLowerCase() }))
const members = people.map(({ id }) => id)
const channels = [{ id: 'C0OPS', name: 'ops', members }]
const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }

let town: Town
async function begin() {
  town = await startTown({ policy, slack: { people, channels }, env })
  const [ana, ben, cleo, dora, dana] = members.map((id) => town.slack.as(id))
  if (!ana || !ben || !cleo || !dora || !dana) throw new Error('Somebody is missing.')
  return { ana, ben, cleo, dora, dana }
}
afterEach(() => town.stop())

/** Leaves two questions on one endpoint waiting. */
async function asksTwice(one: Actor): Promise<void> {
  await asks(one, 'stop my-llm', 'Stop my-llm?')
  await asks(one, 'protect my-llm', 'Protected my-llm')
  await asks(one, 'unprotect my-llm', 'Unprotect my-llm?')
}

describe('Of two requests on one endpoint', () => {
  test('the chosen one is answered, with the reason already given', async () => {
    const { ana, cleo, dana } = await begin()
    await asksTwice(ana)
    await cleo.types('ops', '/endpoint approve my-llm')
    await cleo.sees(/^You can’t answer this\.[^[]+Unprotect my-llm\?[^[]+$/, { in: 'ops' })
    await town.minutesPass(2)
    await dana.types('ops', '/endpoint break-glass my-llm because="fire"')
    await dana.sees(
      /More than one request on “my-llm”.*Unprotect my-llm\?.*\s+requested by @ana · 2 min ago · expires to(?:day|morrow) at \S+ · needs 2/s,
      { in: 'ops' },
    )
    await dana.presses('Bypass approval: Unprotect my-llm…', { in: 'ops' })
    const { blocks } = await dana.opens('Bypass approval')
    expect(JSON.stringify(blocks)).toMatch(/Unprotect my-llm · Requested by .*"initial_value":"fire"/)
    await dana.submits()
    await dana.sees(/Break-glass: @dana bypassed the approval of .*fire/s, { in: 'ops' })
    expect(effects(town)).toEqual([])
  })
})

describe('An answer that names no request', () => {
  test('finds the only request that is waiting and decides nothing by itself', async () => {
    const { ana, ben, cleo, dana } = await begin()
    await ana.types('ops', '/endpoint stop my-llm because="moving to v2"')
    await ana.sees('Stop my-llm?', { in: 'ops' })
    await ana.types('ops', '/endpoint approve what ben wants')
    await ana.sees('No waiting request matches “what ben wants”', { in: 'ops' })
    const asked = [
      'Stop my-llm\\? It’s running with 3 replicas\\. Reason: “moving to v2”',
      'requested by @ana · expires to(?:day|morrow) at \\S+ · needs 2 approvals',
      '\\[Approve: Stop my-llm\\] \\[Decline…\\]',
    ]
    for (const line of ['approve what ana wants', 'approve ana’s request', 'decline @ana']) {
      await ben.types('ops', `/endpoint ${line}`)
      await ben.sees(new RegExp(`Waiting for an answer\\.\\s+${asked.join('\\s+')}`), { in: 'ops' })
    }
    for (const line of ['pending', 'yes', 'ok stop my-llm', 'approve', 'approve it', 'approve all requests']) {
      const said = await ben.types('ops', `/endpoint ${line}`)
      expect(said).toMatch(new RegExp(`1 request is waiting for you\\.\\s+${asked.join('\\s+')}`))
    }
    for (const line of ['긴급 실행', '승인 없이 my-llm 꺼줘'])
      expect(await dana.types('ops', `/endpoint ${line}`)).toContain('[Bypass approval: Stop my-llm…]')
    expect(town.slack.transcript('ops')).not.toContain('1 more needed')
    await town.minutesPass(2)
    const who = 'requested by @ana · Needs 2 approvals from @ben, @dora, or @dana\\. The requester can’t approve\\.'
    const told = `You can’t answer this\\.\\s+${asked[0]}\\s+${who} Expires to(?:day|morrow) at \\S+\\.`
    for (const [one, offered] of [
      [cleo, '(?!\\s*\\[)'],
      [ana, '\\s+\\[Cancel request: stop my-llm\\](?! \\[)'],
    ] as const) {
      for (const line of ['approve what ana wants', 'approve the stop of my-llm']) {
        await one.types('ops', `/endpoint ${line}`)
        await one.sees(new RegExp(`${told}${offered}`), { in: 'ops' })
      }
      for (const line of [
        'can you approve ana’s request',
        'ana가 요청한 거 승인해줘',
        'ana가 요청한 my-llm 중지 승인해줘',
      ])
        expect(await one.types('ops', `/endpoint ${line}`)).toMatch(new RegExp(`${told}${offered}`))
    }
    expect(await cleo.types('ops', '/endpoint 승인 대기 중인 거 있어?')).toMatch(
      new RegExp(`Nothing is waiting for you\\.\\s+1 request is waiting for others\\.\\s+${asked[0]}\\s+${who}`),
    )
    await ana.types('ops', '/endpoint cancel my request')
    await ana.presses('Cancel request: stop my-llm', { in: 'ops' })
    await ana.sees('Stop my-llm cancelled. Nothing changed.', { in: 'ops' })
    await ana.sees('Stop my-llm? 🚫 Cancelled by @ana. Nothing changed.', { in: 'ops' })
    for (const line of ['cancel', '취소해줘', '내 요청 취소해줘'])
      expect(await ana.types('ops', `/endpoint ${line}`)).toContain('You have no open requests.')
  })

  test('can decline in the card’s form, which keeps the typed reason', async () => {
    const { ana, ben } = await begin()
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees('Stop my-llm?', { in: 'ops' })
    await ben.types('ops', '/endpoint decline @ana because="not today"')
    await ben.sees('Waiting for an answer.', { in: 'ops' })
    await ben.presses('Decline…', { in: 'ops' })
    const { blocks } = await ben.opens('Decline a request')
    expect(JSON.stringify(blocks)).toContain('not today')
    await ben.chooses('Reason', 'the demo is on')
    await ben.submits()
    await ana.sees('Stop my-llm declined by @ben: “the demo is on”', { in: 'ops' })
  })

  test('shows the request’s name, and its button disappears after the press', async () => {
    const { ana, ben, dora } = await begin()
    await ana.types('ops', '/endpoint stop my-llm')
    await ana.sees('Stop my-llm?', { in: 'ops' })
    await town.minutesPass(2)
    await ben.types('ops', '/endpoint pending')
    await ben.sees('1 request is waiting for you', { in: 'ops' })
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await expect.poll(() => town.slack.transcript('ops')).not.toContain('1 request is waiting for you')
    await dora.types('ops', '/endpoint approve stop my-llm')
    await dora.sees('Approved: Stop my-llm.', { in: 'ops' })
  })
})

describe('A private list of several questions', () => {
  test('keeps only the other questions after an answer, and goes with the last', async () => {
    const { ana, ben } = await begin()
    await asksTwice(ana)
    await ben.types('ops', '/endpoint pending')
    await ben.sees('2 requests are waiting for you', { in: 'ops' })
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees(/Stop my-llm\?.*Approved by @ben. 1 more needed/s, { in: 'ops' })
    await ben.sees('1 request is waiting for you', { in: 'ops' })
    expect(town.slack.transcript('ops')).not.toContain('2 requests are waiting for you')
    await ben.presses('Approve: Unprotect my-llm', { in: 'ops' })
    await ben.sees(/Unprotect my-llm\?.*Approved by @ben. 1 more needed/s, { in: 'ops' })
    await expect.poll(() => town.slack.transcript('ops')).not.toContain('1 request is waiting for you')
    // A list of one's own requests keeps those that are still open.
    await ana.types('ops', '/endpoint cancel')
    await ana.presses('Cancel request: unprotect my-llm', { in: 'ops' })
    await ana.sees('Unprotect my-llm cancelled.', { in: 'ops' })
    const left = /^Which request do you want to cancel\?\s+Stop my-llm\?[^[]+\[Cancel request: stop my-llm\]$/
    await ana.sees(left, { in: 'ops' })
    await ana.presses('Cancel request: stop my-llm', { in: 'ops' })
    await expect.poll(() => town.slack.transcript('ops')).not.toContain('Which request do you want')
  })
})

describe('An approver who is back', () => {
  test('learns who has approved in their place', async () => {
    const { ana, ben, cleo } = await begin()
    await ben.types('ops', '/endpoint away until 2d to @cleo')
    await ben.sees('Delegated approvals', { in: 'ops' })
    await ana.types('ops', '/endpoint stop my-llm')
    await cleo.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await ben.types('ops', '/endpoint back')
    await ben.sees('Ended the delegation', { in: 'ops' })
    await ben.types('ops', '/endpoint explain approve my-llm')
    const says = '@cleo has already approved for you; someone else has to approve too'
    await ben.sees(says, { in: 'ops' })
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees(`${says}.`, { in: 'ops' })
    expect(effects(town)).toEqual([])
  })
})

describe('explain', () => {
  test('shows waiting requests and missing approvals, and offers nothing that would do nothing', async () => {
    const { ana, ben, dora } = await begin()
    await ana.types('ops', '/endpoint explain start my-llm')
    await ana.sees(/This would do nothing\. The answer would be: my-llm is already running\./, { in: 'ops' })
    expect(town.slack.transcript('ops')).not.toContain('You can request it here')
    await ana.types('ops', '/endpoint explain restart my-llm')
    await ana.sees(/You can request it here\.\s+\[Restart my-llm\]/, { in: 'ops' })
    await ana.types('ops', '/endpoint stop my-llm')
    await ben.presses('Approve: Stop my-llm', { in: 'ops' })
    await ben.sees('1 more needed', { in: 'ops' })
    await dora.types('ops', '/endpoint explain approve my-tts')
    await dora.sees(
      /Others are waiting\..*Stop my-llm\? .* 1 more needed\.\s+requested by @ana · expires .*\[Explain\]/s,
      { in: 'ops' },
    )
    await dora.presses('Explain', { in: 'ops' })
    await dora.sees('It needs 2 approvals; 1 is still missing.', { in: 'ops' })
  })

  test('says only once that no approval is needed, and of an endpoint its last change', async () => {
    const { ana } = await begin()
    await ana.types('ops', '/endpoint explain start my-tts')
    const { text } = await ana.sees('Needs no approval or confirmation.', { in: 'ops' })
    expect(text).not.toContain('nothing more')
    await ana.types('ops', '/endpoint start my-tts for 2h because="a demo"')
    await ana.sees('Started my-tts to run until', { in: 'ops' })
    await ana.types('ops', '/endpoint explain my-tts')
    const says = /The last change to my-tts:.*my-tts.*For example: \/endpoint explain stop my-tts/s
    await ana.sees(says, { in: 'ops' })
  })

  test('shows what an open request needs, from whom and until when', async () => {
    const { ana, ben } = await begin()
    await ana.types('ops', '/endpoint patch my-llm port=9000 because="a new server"')
    await ben.sees('Patch my-llm (port 9000)?', { in: 'ops' })
    await ben.types('ops', '/endpoint explain my-llm')
    await ben.sees(
      /Open request: Patch my-llm \(port 9000\)\. Needs 2 approvals from @ben, @dora, or @dana\..* Expires to(?:day|morrow) at .*“a new server”/,
      { in: 'ops' },
    )
    await ben.types('ops', '/endpoint status my-llm')
    const status = await ben.sees(/running[\s\S]*Open request: Patch my-llm \(port 9000\)\. Needs 2 approvals/, {
      in: 'ops',
    })
    expect(JSON.stringify(status)).not.toContain('Stop my-llm')
    expect(JSON.stringify(status)).toMatch(/"Approve: Patch my-llm".*"Decline…".*"Details"/)
    await ana.types('ops', '/endpoint status my-llm')
    const own = await ana.sees('Open request: Patch my-llm (port 9000).', { in: 'ops' })
    expect(JSON.stringify(own)).not.toContain('Approve: ')
    await ana.types('ops', '/endpoint patch my-llm port=9000')
    await ana.sees('You already requested “Patch my-llm (port 9000)”. Nothing was done.', { in: 'ops' })
    await ana.types('ops', '/endpoint explain patch my-llm port=9000')
    const explained = await ana.sees(/^patch my-llm port=9000/, { in: 'ops' })
    expect(JSON.stringify(explained)).toContain('Open request: Patch my-llm (port 9000).')
    // The request's own row has its buttons.
    expect(JSON.stringify(explained)).not.toContain('"Explain"')
  })
})

describe('A freeze', () => {
  test('is shown above list and status with its author', async () => {
    const { ana } = await begin()
    await ana.types('ops', '/endpoint freeze until 2h because=demo')
    await ana.sees('Paused all automation', { in: 'ops' })
    for (const line of ['list', 'status my-llm']) {
      await ana.types('ops', `/endpoint ${line}`)
      await ana.sees(/Automation is paused by @ana until .*: “demo”/, { in: 'ops' })
    }
  })

  test('is answered with how to end it when somebody undoes it or requests a shorter one', async () => {
    const { ana } = await begin()
    await ana.types('ops', '/endpoint freeze because=demo')
    await ana.sees('Paused all automation', { in: 'ops' })
    // explain understands the id behind an undo button.
    await ana.types('ops', '/endpoint history')
    const shown = await ana.sees('Undo pausing all automation', { in: 'ops' })
    const [, id] = /undo ([\w-]{22})/.exec(JSON.stringify(shown)) ?? []
    await ana.types('ops', `/endpoint explain undo ${id}`)
    await ana.sees(/The last change was “freeze reason=demo”, so this would request “thaw”/, { in: 'ops' })
    await ana.types('ops', '/endpoint undo freeze')
    await ana.sees(
      /No endpoint is named “freeze”\..*type \/endpoint thaw or use the history.*\[Resume all automation\].*\[History\]/s,
      {
        in: 'ops',
      },
    )
    await ana.types('ops', '/endpoint freeze until 2h because=x')
    await ana.sees(/already paused by @ana until someone resumes it \(“demo”\)\. Resume it with \/endpoint thaw\.$/m, {
      in: 'ops',
    })
  })
})
