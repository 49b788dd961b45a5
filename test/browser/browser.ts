import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'
import { findChromium, launchArgs } from './chromium.ts'

const executablePath = findChromium()
/** The one of this process, with which it ends: a start costs as much as several tests. */
let started: Promise<Browser> | undefined

/** Tests that drive a browser; where there is none they are skipped, and `findChromium` has said so. */
export const inBrowser = describe.skipIf(executablePath === undefined)

/** A page in a context of its own, as if another person had opened it. Waiting on it is bounded only for what hangs. */
export async function newPage(options?: BrowserContextOptions): Promise<Page> {
  started ??= chromium.launch({ executablePath: executablePath ?? '', args: launchArgs })
  const page = await (await (await started).newContext(options)).newPage()
  page.setDefaultTimeout(120_000)
  return page
}

export async function closePages(): Promise<void> {
  for (const context of (await started)?.contexts() ?? []) await context.close()
}

/** Takes a page to #ops, as this person sees it. */
export async function goToOps(page: Page, address: string, as = 'U0ANA'): Promise<Page> {
  await page.goto(`${address}#as=${as}&in=C0OPS`)
  await page.getByRole('heading', { name: 'ops' }).waitFor()
  return page
}
