import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'
import { findChromium, launchArgs } from './chromium.ts'

const executablePath = findChromium()
let browser: Browser
let town: Town

describe.skipIf(executablePath === undefined)('forms in the browser', () => {
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

  async function open(as: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(8_000)
    await page.goto(`${town.slack.pageUrl}#as=${as}&in=C0OPS`)
    await page.getByRole('heading', { name: 'ops' }).waitFor()
    return page
  }

  test('a scale from the first letter to the card, with the keyboard alone', async () => {
    const page = await open('U0ANA')
    await page.keyboard.type('/endpoint scale because=demo')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Scale an endpoint' })
    await form.waitFor()
    const endpoint = form.getByRole('combobox', { name: 'Endpoint' })
    for (let tabs = 0; tabs < 8 && !(await isFocused(endpoint)); tabs += 1) await page.keyboard.press('Tab')
    await page.keyboard.type('my-l')
    await form.getByRole('option', { name: 'my-llm' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('5')
    expect(await form.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('demo')
    await form.getByRole('button', { name: 'Scale' }).press('Enter')
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('log').getByText('Scale my-llm to 5?').first().waitFor()
  })
})

function isFocused(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element.matches(':focus'))
}
