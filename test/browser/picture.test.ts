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
    town = await startTown({ listed: true })
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await town?.stop()
  })

  test('what was saved is seen as a picture, and said to whoever does not see it', async () => {
    const page = await openOps(browser, town)
    await sends(page, '/endpoint stop my-llm')
    await page.getByRole('button', { name: /1 reply/ }).click()
    await page.getByRole('complementary', { name: 'Thread' }).getByRole('button', { name: 'Stop my-llm' }).click()
    await said(page, 'Stopped my-llm.')
    await town.minutesPass(90)
    await sends(page, '/endpoint savings')
    await page.getByRole('log').getByRole('button', { name: 'Show here' }).click()
    const picture = page
      .getByRole('log')
      .getByRole('img', { name: /^Hours of replicas saved each day\. .*people 4\.5 h/ })
    await picture.waitFor()
    const width = await picture.evaluate(async (element) => {
      const image = element as HTMLImageElement
      await image.decode()
      return image.naturalWidth
    })
    expect(width).toBe(1520)
  })
})
