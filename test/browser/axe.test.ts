import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleOf } from '../support/search.ts'
import { startTown, type Town } from '../support/town.ts'
import { closePages, goToOps, inBrowser, newPage } from './browser.ts'
import { said, sends } from './hands.ts'

let town: Town

const looks = [
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 1280, height: 800 }],
  ['light', { width: 390, height: 844 }],
  ['dark', { width: 390, height: 844 }],
] as const

inBrowser('The page for people who use assistive technology', () => {
  beforeAll(async () => {
    town = await startTown({ listed: true })
  })
  afterAll(async () => {
    await closePages()
    await town?.stop()
  })

  test.for(sampleOf(looks, ([scheme, { width }]) => (scheme === 'light') === width > 1_000))(
    'has no serious axe violation, %s, at %o',
    async ([colorScheme, viewport]) => {
      // The page blocks foreign scripts, so the test injects axe itself.
      const page = await goToOps(await newPage({ colorScheme, viewport, bypassCSP: true }), town.slack.pageUrl)
      await page.addScriptTag({ content: axe.source })
      await sends(page, '/endpoint stop my-llm')
      const card = page.getByRole('log').getByRole('article').filter({ hasText: 'Stop my-llm?' })
      await card.getByRole('button', { name: '1 reply' }).click()
      const thread = page.getByRole('complementary', { name: 'Thread' })
      await thread.getByRole('button', { name: 'Leave it running' }).waitFor()
      expect(await findings(page)).toEqual([])
      await thread.getByRole('button', { name: 'Leave it running' }).click()
      await thread.getByRole('button', { name: 'Leave it running' }).waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await sends(page, '/endpoint list')
      await said(page, 'my-llm')
      await page.getByRole('log').getByLabel('More actions').first().click()
      await page.getByRole('menuitem').first().waitFor()
      await page.keyboard.press('Escape')
      await sends(page, '/endpoint')
      await page.getByRole('combobox', { name: 'Choose an endpoint' }).click()
      await page.getByRole('option', { name: 'my-llm' }).hover()
      expect(await findings(page)).toEqual([])
      await page.getByRole('option', { name: 'my-llm' }).click()
      await page.getByRole('button', { name: 'Back to the menu' }).waitFor()
      await sends(page, '/endpoint keep')
      const form = page.getByRole('dialog')
      await form.waitFor()
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'hidden' })
      await sends(page, '/endpoint history')
      await sends(page, '/endpoint schedule my-llm up weekdays 09:00-20:00')
      await said(page, 'Schedule my-llm:')
      expect(await findings(page)).toEqual([])
      await page.goto(`${town.slack.pageUrl}#as=U0ANA&in=app&tab=home`)
      await page.reload()
      await page.addScriptTag({ content: axe.source })
      await page.getByRole('button', { name: 'Refresh' }).waitFor()
      expect(await findings(page)).toEqual([])
    },
  )
})

/** The violations that axe rates serious or critical, each with its first three elements. */
async function findings(page: Page): Promise<readonly string[]> {
  // An element that is still fading in would fail the contrast check.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((one) => `${one.html} ${one.failureSummary}`)
          .join(' | ')}`,
    )
}
