import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storyStart } from '../support/town.ts'
import { closePages, goToOps, inBrowser, newPage } from './browser.ts'
import { said, sends } from './hands.ts'

let demo: ChildProcess
let address: string

inBrowser('The demo, as a newcomer plays it', () => {
  beforeAll(async () => {
    const from = new Date(storyStart).toISOString()
    demo = spawn('node', ['--import', 'tsx', 'sandbox/demo.ts', from], { stdio: ['ignore', 'pipe', 'inherit'] })
    address = await addressOf(demo)
  })
  afterAll(async () => {
    await closePages()
    if (demo.exitCode !== null) return
    const ended = once(demo, 'exit')
    demo.kill('SIGINT')
    await ended
  })

  test('shows an idle stop, a postponed notice, the start in the morning and the savings', async () => {
    const page = await newPage({ timezoneId: 'Asia/Tokyo' })
    // Constant activity, so the clock resumes only when the test tells it to.
    await page.addInitScript(() =>
      setInterval(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' })), 100),
    )
    await goToOps(page, address)
    const channel = page.getByRole('log')
    const thread = page.getByRole('complementary', { name: 'Thread' })

    await asks(page, '/endpoint idle embeddings after 60m', 'Turn on idle stop for embeddings')
    await thread.getByRole('button', { name: 'Turn on idle stop' }).click()
    await said(page, 'After 1 h without requests')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByRole('button', { name: 'embeddings', exact: true }).click()
    await page.getByText('embeddings gets no more requests.').waitFor()
    await flies(page, channel.getByText(/no requests for .+ on both replicas \(from vLLM metrics\)/))
    await channel.getByRole('button', { name: 'Keep 1 h (+$1.50 an hour)' }).waitFor()
    await flies(page, channel.getByText('Stopped embeddings.').first())

    await asks(
      page,
      '/endpoint schedule code-llm up daily 09:00-20:00 Europe/Madrid',
      'Schedule code-llm: running daily',
    )
    await thread.getByText('Next 7 days (Madrid time)').waitFor()
    await thread.getByRole('button', { name: 'Save schedule' }).click()
    await said(page, 'Scheduled code-llm')
    const keep = channel.getByRole('button', { name: 'Keep 1 h (+$2.25)' })
    await flies(page, keep)
    await keep.click()
    await said(page, 'Kept code-llm running until')
    await keep.waitFor({ state: 'detached' })
    await flies(page, keep)
    expect(await channel.getByText('Stopped code-llm.').count()).toBe(0)
    await flies(page, channel.getByText('Stopped code-llm.').first())
    await flies(page, channel.getByText('Started code-llm with 3 replicas; it’s serving.').first())

    await sends(page, '/endpoint savings 7d')
    // After a Monday the weekly report also lists savings, so take the last.
    await channel
      .getByText(/By schedules: \$.+ \(/)
      .last()
      .waitFor()
    await channel
      .getByText(/By idle stops: \$.+ \(/)
      .last()
      .waitFor()
  })
})

/** Sends a line and opens the thread with its question. */
async function asks(page: Page, line: string, question: string): Promise<void> {
  await sends(page, line)
  const card = page.getByRole('log').getByRole('article').filter({ hasText: question })
  await card.getByRole('button', { name: '1 reply' }).click()
}

/** Runs the clock fast until the element appears, then stops it. Leaves other questions unanswered. */
async function flies(page: Page, until: Locator): Promise<void> {
  const fast = page.getByRole('button', { name: 'Fast' })
  const onward = page.getByRole('button', { name: 'Resume the clock' })
  const there = until.first()
  await page.getByRole('button', { name: 'Fast', pressed: false }).click()
  // The element may appear before the page shows that the clock runs fast.
  await page.getByRole('button', { name: 'Fast', pressed: true }).waitFor()
  await there.or(onward).first().waitFor()
  while (!(await there.isVisible())) {
    // The clock may already have resumed, so the button may be gone.
    if (await onward.isVisible()) await onward.click({ timeout: 1_000 }).catch(() => undefined)
    await onward.or(there).first().waitFor()
  }
  // The element may appear a moment before the clock pauses for it.
  while ((await fast.getAttribute('aria-pressed')) === 'true') {
    await fast.click()
    await page.getByRole('button', { name: 'Fast', pressed: false }).waitFor()
  }
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
