import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'
import { findChromium, launchArgs } from './chromium.ts'

const executablePath = findChromium()
/** One browser for the whole process, because starting one costs as much as several tests. */
let started: Promise<Browser> | undefined

/** Tests that drive a browser. Without one they are skipped, and `findChromium` has printed a notice. */
export const inBrowser = describe.skipIf(executablePath === undefined)

/** Opens a page in a context of its own, as a separate person would. The timeout only catches hangs. */
export async function newPage(options?: BrowserContextOptions): Promise<Page> {
  started ??= chromium.launch({ executablePath: executablePath ?? '', args: launchArgs })
  const page = await (await (await started).newContext(options)).newPage()
  page.setDefaultTimeout(120_000)
  return page
}

export async function closePages(): Promise<void> {
  for (const context of (await started)?.contexts() ?? []) await context.close()
}

/** Opens #ops as this person. */
export async function goToOps(page: Page, address: string, as = 'U0ANA'): Promise<Page> {
  await page.goto(`${address}#as=${as}&in=C0OPS`)
  await page.getByRole('heading', { name: 'ops' }).waitFor()
  return page
}
