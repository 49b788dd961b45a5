import { type Browser, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'
import { findChromium, launchArgs } from './chromium.ts'
import { openOps, said, sends } from './hands.ts'

const executablePath = findChromium()
let browser: Browser
let town: Town

describe.skipIf(executablePath === undefined)('in the browser', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: launchArgs })
    // All that is saved has to fall into one day.
    town = await startTown({ listed: true, at: '2026-11-25T10:00:00Z' })
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await town?.stop()
  })

  test('what was saved is seen as a chart, and said to whoever does not see it', async () => {
    const page = await openOps(browser, town)
    await sends(page, '/endpoint stop my-llm')
    await page.getByRole('button', { name: /1 reply/ }).click()
    await page.getByRole('complementary', { name: 'Thread' }).getByRole('button', { name: 'Stop my-llm' }).click()
    await said(page, 'Stopped my-llm.')
    await town.minutesPass(90)
    await sends(page, '/endpoint savings 7d')
    const chart = page
      .getByRole('log')
      .getByRole('img', { name: /^Replica-hours saved per day\. Manual stops: .* 4\.5/ })
    const bar = chart.locator('.bar[title$="Manual stops: 4.5"]')
    await bar.waitFor()
    const [high, whole] = await Promise.all([bar.boundingBox(), chart.locator('.chart-column').first().boundingBox()])
    // The highest bar fills its column but for the line below it.
    expect(whole?.height).toBeGreaterThan(100)
    expect(high?.height).toBeGreaterThan((whole?.height ?? 0) - 3)
  })
})
