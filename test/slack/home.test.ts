import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/domain/endpoint.ts'
import type { Request } from '../../src/domain/request.ts'
import type { Json } from '../../src/sandbox/slack/json.ts'
import { checkView, largestView } from '../../src/sandbox/slack/validate/views.ts'
import { type Corner, homeView, projectIn } from '../../src/slack/home.ts'
import { agreed, approving, ben, everyRequest, start } from './requests.ts'
import { linesOf } from './showing.ts'

const viewer = { team: 'T0SANDBOX', user: 'U0BEN' }

function checked(corners: readonly Corner[]): string {
  const sent = JSON.stringify(homeView(corners, viewer, start + 120_000))
  expect(checkView(JSON.parse(sent) as Json, 'home')).toEqual([])
  expect(sent.length).toBeLessThan(largestView)
  return sent
}

test.each(['x', '&<>', '👩‍💻', '\u202e', '\u0301', '"', '\n'])(
  'Slack takes the fullest Home there can be, made of %j',
  (part) => {
    const text = part.repeat(1_000)
    const endpoints = Array.from(
      { length: 10_000 },
      (_, at): Endpoint => ({
        id: `ep-${at}`,
        name: text.slice(0, 200),
        active: at % 2 === 0,
      }),
    )
    const open = everyRequest([text]).filter(({ kind }) => kind === 'operation')
    const corner: Corner = {
      project: 'p'.repeat(32),
      role: 'admin',
      mayAnswer: () => true,
      open,
      listed: { at: start, endpoints },
    }
    checked([corner])
    checked(Array.from({ length: 5 }, (_, at) => ({ ...corner, project: `project-${at}` })))
  },
)

test('a Home without anything says so', () => {
  expect(checked([])).toContain('You have no role')
  expect(checked([{ project: 'p', role: 'viewer', mayAnswer: () => false, open: [], listed: null }])).toContain(
    'not been listed yet',
  )
})

test('the active come first, and what does not fit is counted', () => {
  const endpoints = Array.from(
    { length: 2_000 },
    (_, at): Endpoint => ({
      id: `ep-${at}`,
      name: `n${at}`,
      active: at === 1_999,
    }),
  )
  const home = checked([
    { project: 'p', role: 'operator', mayAnswer: () => false, open: [], listed: { at: start, endpoints } },
  ])
  expect(home.indexOf('n1999')).toBeLessThan(home.indexOf('n10'))
  expect(home).toContain('1,980 more: /endpoint list')
  expect(home).toContain('Seen 2 min ago.')
})

test('a question waits for whoever may answer it, with its buttons and why it was asked; calls nobody else', () => {
  const [votes, other] = [[{ by: ben, at: start }], approving({}, { id: 's'.repeat(22), actor: ben })]
  const open = [approving({}, { votes }), other, agreed()]
  const mine = (request: Request) => request.id === open[0]?.id
  const home = homeView([{ project: 'p', role: 'approver', mayAnswer: mine, open, listed: null }], ben, start)
  const lines = linesOf(home)
  const asked = lines.slice(lines.indexOf('Waits for you'), lines.indexOf('You have asked for'))
  expect(asked).toEqual([
    'Waits for you',
    'Stop my-llm? It is active, 3 replicas. It takes 2 approvals. Any approver may give them, the requester may not.',
    '1 of 2 · @ben',
    'Asked by the rule matrix.disruptive.protected.',
    '[Stop my-llm] [Leave it running] [Decline with a reason…]',
    '“moving to v2”',
    '@ana stop my-llm',
  ])
  expect(lines).toContain('Stop my-llm? It is active, 3 replicas.')
})

test('nothing that is decided already waits for anybody', () => {
  const corner = { project: 'p', role: 'admin', mayAnswer: () => true, open: [agreed()], listed: null } as const
  expect(linesOf(homeView([corner], ben, start))).toContain('Nothing waits for you.')
})

test('only blocks of a Home name a project', () => {
  expect(projectIn('project:default:ask.0.1')).toBe('default')
  for (const block of ['', 'b1', 'project:', 'project:UPPER:x', 'project:a']) expect(projectIn(block)).toBeUndefined()
})
