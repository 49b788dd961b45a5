import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { titleOf } from '../../src/core/commands/help.ts'
import { rows } from '../../src/features/command-table.ts'
import { sampleOf } from '../support/search.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'
import { english } from '../support/words.ts'
import { closePages, goToOps, inBrowser, newPage } from './browser.ts'
import { fieldOf, fillsIn, said, sends, tabTo, types } from './hands.ts'

/** One page for all tests; each test opens its own town's address in it. */
let page: Page
let town: Town

/** A line that is run first, the text it leads to, and the button that confirms it. */
type Before = readonly [who: 'U0ANA' | 'U0BEN', line: string, says: string, press?: string]

/** How a form is filled in and what the channel shows in the end. */
interface Filling {
  readonly before?: readonly Before[]
  /** Empty if the command opens no form. */
  readonly fields: Readonly<Record<string, string>>
  /** The button in the answer, if the command has no form. */
  readonly offers?: RegExp
  /** The form shows a preview before it is submitted. */
  readonly foretold?: true
  /** The button that confirms the request; `approves` is pressed by ben, `asks` by ana. */
  readonly asks?: string
  readonly approves?: string
  readonly ends: string
}

/** ana runs every command; ben approves. */
const policy = policyOf(`
    roles: { viewer: [everyone], operator: [], approver: [user:U0BEN], admin: [user:U0ANA] }
    tokens: [user:U0ANA]
`)

const inTwoDays = 'in two days'
const scheduled: Before = [
  'U0BEN',
  '/endpoint schedule my-llm up daily 00:00-24:00 UTC',
  'Scheduled my-llm',
  'Save schedule',
]
const isProtected: Before = ['U0ANA', '/endpoint protect my-llm', 'Protected my-llm']
const waiting: readonly Before[] = [isProtected, ['U0BEN', '/endpoint unprotect my-llm', 'Needs 1 approval']]

const fillings: readonly (readonly [verb: string, Filling])[] = [
  ['Start', { fields: { Endpoint: 'my-tts', Reason: 'demo at three' }, ends: 'Started my-tts' }],
  ['Stop', { fields: { Endpoint: 'my-llm' }, asks: 'Stop my-llm', ends: 'Stopped my-llm.' }],
  ['Restart', { fields: { Endpoint: 'my-llm' }, asks: 'Restart my-llm', ends: 'Restarted my-llm' }],
  ['Scale', { fields: { Replicas: '5', Endpoint: 'my-llm' }, asks: 'Scale my-llm', ends: 'Scaled my-llm to 5.' }],
  ['Patch', { fields: { Endpoint: 'my-tts', Port: '8080' }, ends: 'Patched my-tts' }],
  [
    'Cancel',
    {
      before: [['U0ANA', '/endpoint stop my-llm', 'Stop my-llm?']],
      fields: {},
      offers: /^Cancel request: stop my-llm/,
      ends: 'Stop my-llm cancelled. Nothing changed.',
    },
  ],
  [
    'Undo',
    {
      before: [['U0ANA', '/endpoint start my-tts', 'Started my-tts']],
      fields: {},
      offers: /^Undo start my-tts/,
      asks: 'Stop my-tts',
      ends: 'Stopped my-tts.',
    },
  ],
  [
    'Schedule',
    {
      fields: {
        Endpoint: 'my-llm',
        State: 'Running only at these times',
        Times: 'weekdays 09:00-20:00',
      },
      foretold: true,
      asks: 'Save schedule',
      ends: 'Scheduled my-llm: running weekdays 09:00–20:00',
    },
  ],
  ['Unschedule', { before: [scheduled], fields: { Endpoint: 'my-llm' }, ends: 'Removed the schedule of my-llm.' }],
  ['Keep', { fields: { Endpoint: 'my-llm', 'Pause length': '2h' }, ends: 'Paused automation for my-llm until' }],
  [
    'Resume',
    {
      before: [['U0ANA', '/endpoint keep my-llm 2h', 'Paused automation for my-llm until']],
      fields: { Endpoint: 'my-llm' },
      ends: 'Resumed automation for my-llm',
    },
  ],
  [
    'Idle',
    {
      fields: { Endpoint: 'my-llm', 'Idle time': '60m' },
      asks: 'Turn on idle stop',
      ends: 'Turned on idle stop for my-llm.',
    },
  ],
  ['Protect', { fields: { Endpoint: 'my-llm' }, ends: 'Protected my-llm.' }],
  [
    'Unprotect',
    {
      before: [isProtected],
      fields: { Endpoint: 'my-llm' },
      approves: 'Approve: Unprotect my-llm',
      ends: 'Unprotected my-llm.',
    },
  ],
  [
    'Ask',
    {
      fields: { Question: 'move my-llm to v2' },
      approves: 'Approve',
      ends: 'Approved: “move my-llm to v2”.',
    },
  ],
  ['Freeze', { fields: { Reason: 'release week' }, ends: 'Paused all automation until someone resumes it.' }],
  [
    'Thaw',
    {
      before: [['U0ANA', '/endpoint freeze because=release', 'Paused all automation']],
      fields: {},
      approves: 'Approve: Resume all automation',
      ends: 'Resumed all automation.',
    },
  ],
  ['Approve', { before: waiting, fields: {}, offers: /^Approve: Unprotect my-llm/, ends: 'Unprotected my-llm.' }],
  [
    'Decline',
    {
      before: waiting,
      fields: { Reason: 'not today' },
      offers: /^Decline…/,
      ends: 'Unprotect my-llm declined by @ana',
    },
  ],
  [
    'Break-glass',
    {
      before: waiting,
      offers: /^Bypass approval: Unprotect my-llm/,
      fields: { Reason: 'outage' },
      ends: 'Unprotected my-llm.',
    },
  ],
  ['Away', { fields: { 'End time': inTwoDays, Delegate: 'ben' }, ends: 'Delegated approvals' }],
  ['Token', { fields: { Name: 'ci' }, ends: 'Created the token “ci”' }],
  [
    'Back',
    {
      before: [['U0ANA', '/endpoint away until mon to @ben', 'Delegated approvals']],
      fields: {},
      ends: 'Ended the delegation',
    },
  ],
]

/** The queries in the menu: the label, the fields of the form (null: no form), and the answer. */
const queries: readonly (readonly [verb: string, fields: Readonly<Record<string, string>> | null, says: RegExp])[] = [
  ['List', null, /2 endpoints/],
  ['Show my role', null, /You’re an admin in project default/],
  ['Run checks', null, /All scopes of the manifest are granted\./],
  ['History', null, /No history of any endpoint\.|History, newest first/],
  ['Schedules', null, /No schedules yet\./],
  ['Savings', null, /Saved by schedules and idle stops in the last 30 days: 0 replica-hours/],
  ['Tokens', null, /No tokens\./],
  ['Status', { Endpoint: 'my-llm' }, /running.*3 replicas.*Changed/s],
  ['Replicas', { Endpoint: 'my-llm' }, /my-llm has 3 replicas/],
  ['Logs', { Endpoint: 'my-llm' }, /my-llm: /],
  ['Explain', { Command: 'stop my-llm' }, /Dry run: Stop my-llm\. It’s running with 3 replicas\./],
]

/** These cover every kind of form and answer; the other commands only repeat them. */
const everyWay = [
  'Start',
  'Scale',
  'Patch',
  'Cancel',
  'Undo',
  'Decline',
  'Schedule',
  'Keep',
  'Unprotect',
  'Break-glass',
  'Away',
  'Back',
]

/** Returns whether picking an endpoint fills the form of a command anew. */
function isFilledAnew(verb: string): boolean {
  const row = rows.find(({ name }) => name === verb.toLowerCase())
  return row?.kind === 'operation' && row.current !== undefined
}

inBrowser('Commands in the browser', () => {
  beforeAll(async () => {
    page = await newPage()
  })
  afterAll(closePages)
  beforeEach(async () => {
    town = await startTown({ listed: true, policy, env: { LAMPLIGHTER_KEY: randomBytes(32).toString('base64') } })
  })
  afterEach(() => town.stop())

  test.for(sampleOf(fillings, ([verb]) => everyWay.includes(verb)))(
    '%s is filled in, submitted and confirmed with the keyboard alone',
    async ([verb, filling]) => {
      await goToOps(page, town.slack.pageUrl)
      for (const [who, line, says, press] of filling.before ?? []) {
        const somebody = town.slack.as(who)
        await somebody.types('ops', line)
        if (press !== undefined) await somebody.presses(press, { in: 'ops' })
        await somebody.sees(says, { in: 'ops' })
      }
      await types(page, `/endpoint ${verb.toLowerCase()}`)
      if (filling.offers !== undefined) await page.getByRole('button', { name: filling.offers }).press('Enter')
      if (Object.keys(filling.fields).length > 0) await fills(verb, filling)
      if (filling.asks !== undefined) {
        await page
          .getByRole('button', { name: /1 reply/ })
          .last()
          .press('Enter')
        await page
          .getByRole('complementary', { name: 'Thread' })
          .getByRole('button', { name: filling.asks })
          .press('Enter')
      }
      if (filling.approves !== undefined) await town.slack.as('U0BEN').presses(filling.approves, { in: 'ops' })
      await said(page, filling.ends)
    },
  )

  async function fills(verb: string, { fields, foretold }: Filling): Promise<void> {
    const title = english(titleOf({ name: verb.toLowerCase() }))
    const form = page.getByRole('dialog')
    await form.getByRole('heading', { name: new RegExp(`^${title}`) }).waitFor()
    for (const [label, value] of Object.entries(fields)) {
      const field = fieldOf(form, label)
      await tabTo(page, field)
      // Browsers differ in how a date is typed.
      if (value === inTwoDays) await field.fill(new Date(town.clock.now() + 172_800_000).toISOString().slice(0, 16))
      else await page.keyboard.type(value)
      if (label !== 'Endpoint' && label !== 'Request') continue
      await form.getByRole('option', { name: value }).waitFor()
      const before = await form.locator('form').elementHandle()
      await page.keyboard.press('Enter')
      // The form is drawn again with the values of the endpoint. Nobody types into the fields before that.
      if (label === 'Endpoint' && isFilledAnew(verb))
        await expect.poll(() => before?.evaluate((one) => one.isConnected)).toBe(false)
    }
    await tabTo(page, form.locator('button[type=submit]'))
    await page.keyboard.press('Enter')
    if (foretold === true) {
      await form.getByText('Next 7 days').first().waitFor()
      await tabTo(page, form.locator('button[type=submit]'))
      await page.keyboard.press('Enter')
    }
    await form.waitFor({ state: 'hidden' })
  }

  test('every query is reached from the menu with the mouse', async () => {
    await goToOps(page, town.slack.pageUrl)
    await sends(page, '/endpoint')
    const menu = page.getByRole('article').filter({ hasText: 'History, savings and checks' })
    await page.getByRole('button', { name: 'More…' }).click()
    for (const [verb, fields, says] of queries) {
      await menu.getByRole('button', { name: new RegExp(`^${verb}…?$`) }).click()
      if (fields !== null) await fillsIn(page, english(titleOf({ name: verb.toLowerCase() })), fields)
      await page.getByRole('article').filter({ hasText: says }).last().waitFor()
    }
    await sends(page, '/endpoint help')
    await page.getByRole('log').getByText('Commands: each begins with /endpoint', { exact: true }).waitFor()
    expect(town.platform.changes()).toEqual([])
  })

  test('every row of the command table is covered', () => {
    const labels = new Map([
      ['Show my role', 'whoami'],
      ['Run checks', 'doctor'],
    ])
    const reached = [...fillings, ...queries].map(([verb]) => labels.get(verb) ?? verb.toLowerCase())
    expect([...reached, 'help'].sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  test('a menu is walked through with the arrow keys', async () => {
    await goToOps(page, town.slack.pageUrl)
    await sends(page, '/endpoint list')
    await page.getByRole('log').getByLabel('More actions').first().press('Enter')
    const walked: (string | null)[] = []
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
      await page.keyboard.press(key)
      walked.push(await page.locator(':focus').textContent())
    }
    const items = await page.getByRole('menuitem').allTextContents()
    expect(walked).toEqual([items[0], items[1], items[0], items.at(-1)])
  })

  test('a stop goes from the list to its outcome with the mouse', async () => {
    await goToOps(page, town.slack.pageUrl)
    await sends(page, '/endpoint list')
    await page.getByRole('log').getByLabel('More actions').first().click()
    await page.getByRole('menuitem', { name: 'Stop' }).click()
    await page.getByRole('button', { name: /1 reply/ }).click()
    await page.getByRole('complementary', { name: 'Thread' }).getByRole('button', { name: 'Stop my-llm' }).click()
    await said(page, 'Stopped my-llm.')
    expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop'])
  })

  test('an irreversible change is asked twice, and only the second yes counts', async () => {
    await goToOps(page, town.slack.pageUrl)
    await sends(page, '/endpoint patch my-tts command="serve --fast"')
    await page.getByRole('button', { name: /1 reply/ }).click()
    const press = page.getByRole('complementary', { name: 'Thread' }).getByRole('button', { name: 'Patch my-tts' })
    const dialog = page.getByRole('dialog', { name: /^Patch my-tts/ })
    await press.click()
    await dialog.getByRole('button').first().click()
    await dialog.waitFor({ state: 'hidden' })
    expect(town.platform.changes()).toEqual([])
    await press.click()
    await dialog.getByRole('button', { name: 'Patch my-tts' }).click()
    await said(page, 'Patched my-tts')
    expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['patch'])
  })
})
