import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchArgs } from './chromium.ts'
import { said, sends } from './hands.ts'

const executablePath = findChromium()
let browser: Browser
let demo: ChildProcess
let address: string

describe.skipIf(executablePath === undefined)('the demo, as a newcomer plays it', () => {
  beforeAll(async () => {
    demo = spawn('node', ['--import', 'tsx', 'src/sandbox/demo.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: launchArgs })
    address = await addressOf(demo)
  })
  afterAll(async () => {
    await browser?.close()
    if (demo.exitCode !== null) return
    const ended = once(demo, 'exit')
    demo.kill('SIGINT')
    await ended
  })

  test('an idle stop, a notice that is put off, the start in the morning, and what that has saved', {
    timeout: 120_000,
  }, async () => {
    const page = await (await browser.newContext({ timezoneId: 'Asia/Tokyo' })).newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${address}#as=U0ANA&in=C0OPS`)
    await page.getByRole('heading', { name: 'ops' }).waitFor()
    const channel = page.getByRole('log')
    const thread = page.getByRole('complementary', { name: 'Thread' })

    await asks(page, '/endpoint idle embeddings after 60m')
    await thread.getByRole('button', { name: 'Set the idle watch of embeddings' }).click()
    await said(page, 'It is stopped after 1 h of known quiet')
    await page.getByRole('button', { name: 'World outside' }).click()
    await page.getByRole('button', { name: 'embeddings', exact: true }).click()
    await page.getByText('Nobody uses embeddings any more.').waitFor()
    await flies(page, channel.getByText(/0 requests for .+ on 2 of 2 replicas, vLLM metrics/))
    await channel.getByRole('button', { name: 'Keep 1 h · 1.50 USD' }).waitFor()
    await flies(page, channel.getByText('Stopped embeddings.').first())

    await asks(page, '/endpoint schedule code-llm up daily 09:00-20:00 Europe/Madrid')
    await thread.getByText('The next 7 days, by the clocks of Europe/Madrid').waitFor()
    await thread.getByRole('button', { name: 'Schedule code-llm' }).click()
    await said(page, 'Scheduled code-llm')
    const keep = channel.getByRole('button', { name: 'Keep 1 h · 2.25 USD' })
    await flies(page, keep)
    await keep.click()
    await said(page, 'Kept code-llm.')
    await keep.waitFor({ state: 'detached' })
    await steps(page, keep)
    expect(await channel.getByText('Stopped code-llm.').count()).toBe(0)
    await flies(page, channel.getByText('Stopped code-llm.').first())
    await flies(page, channel.getByText('Started code-llm with 3 replicas; it is serving.').first())

    await sends(page, '/endpoint savings 7d')
    await channel.getByText(/By schedules: .+ USD/).waitFor()
    await channel.getByText(/By the idle watch: .+ USD/).waitFor()
  })
})

/** Sends a line, and opens the thread in which it is asked about. */
async function asks(page: Page, line: string): Promise<void> {
  await sends(page, line)
  const card = page
    .getByRole('log')
    .getByRole('article')
    .filter({ hasText: line.replace('/endpoint ', '') })
  await card.getByRole('button', { name: '1 reply' }).click()
}

/** Lets time fly until something is there; whatever else is asked on the way is left alone. */
async function flies(page: Page, until: Locator): Promise<void> {
  const fast = page.getByRole('button', { name: 'Fast' })
  const standing = page.getByRole('button', { name: 'Fast', pressed: false })
  while (!(await until.first().isVisible())) {
    await standing.click()
    // Something may ask for an answer at once: then time stands still again before anybody could see it fly.
    const flown = page.getByRole('button', { name: 'Fast', pressed: true }).or(until.first()).first()
    await flown.waitFor({ timeout: 2_000 }).catch(() => undefined)
    await standing.or(until.first()).first().waitFor()
  }
  if ((await fast.getAttribute('aria-pressed')) === 'true') await fast.click()
  await standing.waitFor()
}

/** Lets time pass ten minutes at a time, so that a notice is seen however slow everything is. */
async function steps(page: Page, until: Locator): Promise<void> {
  for (let step = 0; step < 24 && !(await until.first().isVisible()); step += 1) {
    await page.getByRole('button', { name: '+10 min' }).click()
    await until
      .first()
      .waitFor({ timeout: 1_500 })
      .catch(() => undefined)
  }
  await until.first().waitFor()
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  for await (const piece of child.stdout ?? []) {
    said += String(piece)
    const [found] = /http:\/\/127\.0\.0\.1:\S+(?=\n)/.exec(said) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`The demo ended before it said where it is: ${said}`)
}
