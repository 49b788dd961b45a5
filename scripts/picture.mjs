import { stat } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { startDemo } from '../sandbox/demo/start.ts'
import { findChromium, launchArgs } from '../test/browser/chromium.ts'

/** Makes `docs/demo.png`, the picture in the README: the demo's real page, in which ana stops an endpoint. */

const file = 'docs/demo.png'
const most = 150_000
// A weekday morning in Madrid, where ana lives.
const ahead = Date.parse('2026-11-25T09:12:00Z') - Date.now()

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('Install Chromium to make the picture.')
const parts = []
const browser = await chromium.launch({ executablePath, args: launchArgs })
try {
  const { slack } = await startDemo(parts, () => undefined, ahead)
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 }, timezoneId: 'Europe/Madrid' })
  await page.goto(slack.pageUrl)
  const say = async (line) => {
    await page.getByRole('textbox', { name: 'Message #ops' }).fill(line)
    await page.getByRole('main').getByRole('button', { name: 'Send' }).click()
  }
  await page.getByRole('button', { name: 'Close the tour' }).click()
  const log = page.getByRole('log')
  await say('/endpoint list running')
  await log.getByText('image-gen').first().waitFor()
  await say('/endpoint stop rerank reason="moving to v2"')
  await log.getByRole('button', { name: 'Stop rerank' }).first().click()
  await log.getByText('Stopped rerank').first().waitFor()
  await say('/endpoint stop code-llm')
  await log.getByRole('button', { name: 'Stop code-llm' }).first().waitFor()
  await log.getByRole('link', { name: 'Answer in the thread' }).waitFor()
  await page.screenshot({ path: file })
} finally {
  await browser.close()
  for (const part of parts.reverse()) await part.stop()
}
const { size } = await stat(file)
if (size > most) throw new Error(`${file} has ${size} bytes, and may have ${most}.`)
process.stdout.write(`${file}: ${size} bytes\n`)
process.exit(0)
