import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTown, type Town } from '../support/town.ts'
import { closePages, goToOps, inBrowser, newPage } from './browser.ts'
import { said, sends } from './hands.ts'

let town: Town

inBrowser('Savings in the browser', () => {
  beforeAll(async () => {
    // All savings must fall on the same day.
    town = await startTown({ listed: true, at: '2026-11-25T10:00:00Z' })
  })
  afterAll(async () => {
    await closePages()
    await town?.stop()
  })

  test('appear as a chart that is described for screen readers', async () => {
    const page = await goToOps(await newPage(), town.slack.pageUrl)
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
    // The highest bar fills its column except for the base line.
    expect(whole?.height).toBeGreaterThan(100)
    expect(high?.height).toBeGreaterThan((whole?.height ?? 0) - 3)
  })
})
