import { type Browser, type BrowserContextOptions, chromium, type Page, type ViewportSize } from 'playwright-core'
import { describe } from 'vitest'
import { findChromium, launchArgs } from './chromium.ts'

const executablePath = findChromium()
/** One browser for the whole process, because starting one costs as much as several tests. */
let started: Promise<Browser> | undefined

/** Tests that drive a browser. Without one they are skipped, and `findChromium` has printed a notice. */
export const inBrowser = describe.skipIf(executablePath === undefined)

/** Pages between two tests, by their options: a new page costs as much as a test. */
const idle = new Map<string, Page[]>()
const inUse: { readonly page: Page; readonly options: string }[] = []

/** Opens a page in a context of its own, as a separate person would. The timeout only catches hangs. */
export async function newPage({
  viewport = { width: 1280, height: 720 },
  ...options
}: BrowserContextOptions & { readonly viewport?: ViewportSize } = {}): Promise<Page> {
  const key = JSON.stringify(options)
  const page = idle.get(key)?.pop() ?? (await openPage(options))
  inUse.push({ page, options: key })
  await page.setViewportSize(viewport)
  return page
}

async function openPage(options: BrowserContextOptions): Promise<Page> {
  started ??= chromium.launch({ executablePath: executablePath ?? '', args: launchArgs })
  const page = await (await (await started).newContext(options)).newPage()
  page.setDefaultTimeout(120_000)
  return page
}

/** Ends what the pages show, and forgets what they stored. */
export async function closePages(): Promise<void> {
  for (const { page, options } of inUse.splice(0)) {
    page.removeAllListeners('console').removeAllListeners('pageerror')
    if (page.url().startsWith('http')) await page.evaluate(() => sessionStorage.clear())
    await page.goto('about:blank')
    idle.set(options, [...(idle.get(options) ?? []), page])
  }
}

/** Opens #ops as this person. */
export async function goToOps(page: Page, address: string, as = 'U0ANA'): Promise<Page> {
  await page.goto(`${address}#as=${as}&in=C0OPS`)
  await page.getByRole('heading', { name: 'ops' }).waitFor()
  return page
}
