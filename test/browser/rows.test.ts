import { type Browser, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rows } from '../../src/operations/index.ts'
import { startTown, type Town } from '../support/town.ts'
import { findChromium, launchArgs } from './chromium.ts'
import { fieldOf, fillsIn, openOps, said, sends, tabTo, types } from './hands.ts'

const executablePath = findChromium()
let browser: Browser
let town: Town

/** A form as it is filled in, and what the channel reads in the end. */
interface Filling {
  /** What happens first, and the message that says that it has. */
  readonly before?: readonly [line: string, says: string]
  readonly fields: Readonly<Record<string, string>>
  /** The button that agrees to it, where it has to be agreed to. */
  readonly asks?: string
  readonly ends: string
}

const fillings: readonly (readonly [verb: string, Filling])[] = [
  ['Start', { fields: { Endpoint: 'my-tts', Because: 'demo at three' }, ends: 'Started my-tts' }],
  ['Stop', { fields: { Endpoint: 'my-llm' }, asks: 'Stop my-llm', ends: 'Stopped my-llm.' }],
  ['Restart', { fields: { Endpoint: 'my-llm' }, asks: 'Restart my-llm', ends: 'Restarted my-llm' }],
  ['Scale', { fields: { Endpoint: 'my-llm', Replicas: '5' }, asks: 'Scale my-llm', ends: 'Scaled my-llm to 5.' }],
  ['Patch', { fields: { Endpoint: 'my-tts', Port: '8080' }, ends: 'Patched my-tts' }],
  [
    'Cancel',
    {
      before: ['/endpoint stop my-llm', 'Stop my-llm?'],
      fields: { Endpoint: 'my-llm' },
      ends: 'Cancelled: stop my-llm',
    },
  ],
  [
    'Undo',
    {
      before: ['/endpoint start my-tts', 'Started my-tts'],
      fields: { Endpoint: 'my-tts' },
      asks: 'Stop my-tts',
      ends: 'Stopped my-tts.',
    },
  ],
]

/** What the menu offers to look at: the words of its form, if it has one, and the answer. */
const queries: readonly (readonly [verb: string, fields: Readonly<Record<string, string>> | null, says: RegExp])[] = [
  ['List', null, /2 endpoints/],
  ['Whoami', null, /You are an operator in project default/],
  ['Doctor', null, /All that the manifest asks for are granted\./],
  ['History', null, /There is no history\.|History, newest first/],
  ['Savings', null, /Saved by schedules and the idle watch, 30d back: 0 h/],
  ['Status', { Endpoint: 'my-llm' }, /active.*3 replicas.*ep-llm/s],
  ['Replicas', { Endpoint: 'my-llm' }, /my-llm has 3 replicas/],
  ['Logs', { Endpoint: 'my-llm' }, /my-llm: /],
  ['Explain', { Line: 'stop my-llm' }, /It would stop my-llm\. It is active, 3 replicas\./],
]

describe.skipIf(executablePath === undefined)('in the browser', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: launchArgs })
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    town = await startTown({ listed: true })
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    await town.stop()
  })

  test.for(fillings)('%s is filled in, handed in and agreed to with the keyboard alone', async ([verb, filling]) => {
    const page = await openOps(browser, town)
    if (filling.before !== undefined) {
      await types(page, filling.before[0])
      await said(page, filling.before[1])
    }
    await types(page, `/endpoint ${verb.toLowerCase()}`)
    const form = page.getByRole('dialog')
    await form.getByRole('heading', { name: new RegExp(`^${verb}`) }).waitFor()
    for (const [label, value] of Object.entries(filling.fields)) {
      await tabTo(page, fieldOf(form, label))
      await page.keyboard.type(value)
      if (label !== 'Endpoint') continue
      await form.getByRole('option', { name: value }).waitFor()
      await page.keyboard.press('Enter')
    }
    await tabTo(page, form.locator('button[type=submit]'))
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'hidden' })
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
    await said(page, filling.ends)
  })

  test('everything that can be looked at is reached from the menu with the mouse', async () => {
    const page = await openOps(browser, town)
    await sends(page, '/endpoint')
    const menu = page.getByRole('article').filter({ hasText: 'What would you like to do?' })
    for (const [verb, fields, says] of queries) {
      await menu.getByRole('button', { name: verb, exact: true }).click()
      if (fields !== null) await fillsIn(page, verb, fields)
      await page.getByRole('article').filter({ hasText: says }).last().waitFor()
    }
    await sends(page, '/endpoint help')
    await page.getByRole('log').getByText('What you can ask', { exact: true }).waitFor()
    expect(town.platform.changes()).toEqual([])
  })

  test('every row is reached in one way or the other', () => {
    const reached = [...fillings, ...queries].map(([verb]) => verb.toLowerCase())
    expect([...reached, 'help'].sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  test('a stop goes from the list to its end with the mouse', async () => {
    const page = await openOps(browser, town)
    await sends(page, '/endpoint list')
    await page.getByRole('log').getByRole('button', { name: 'Stop my-llm' }).click()
    await page.getByRole('button', { name: /1 reply/ }).click()
    await page.getByRole('complementary', { name: 'Thread' }).getByRole('button', { name: 'Stop my-llm' }).click()
    await said(page, 'Stopped my-llm.')
    expect(town.platform.changes().map(({ kind }) => kind)).toEqual(['stop'])
  })

  test('what cannot be taken back is asked a second time, and only a second yes counts', async () => {
    const page = await openOps(browser, town)
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
