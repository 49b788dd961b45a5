import type { App } from '@slack/bolt'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Plight } from '../../sandbox/slack/options.ts'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { socketApp } from '../sandbox/slack-app.ts'
import { prepare } from './app.ts'
import { closePages, goToOps, inBrowser, newPage } from './browser.ts'
import { isFocused, tabTo } from './hands.ts'

let slack: SlackSandbox
let app: App
/** Errors that the page logged or threw. Every test must leave this empty. */
let complaints: string[]
/** Why the clock is paused, after how many seconds it resumes by itself, and the answers given to it. */
let why: string | undefined
let by: number | undefined
let answers: string[]
/** How many messages Slack had received when the tour began, and whether its last step is done. */
let typed: number
let isOver: boolean
let plight: Plight | undefined

function answered(answer: string): undefined {
  answers.push(answer)
  why = undefined
}

inBrowser('The sandbox’s page', () => {
  beforeEach(async () => {
    complaints = []
    why = undefined
    by = 1.5
    answers = []
    typed = 0
    isOver = false
    plight = undefined
    slack = await startSlack({
      commands: [{ command: '/endpoint', usageHint: 'stop my-llm', description: 'Start and stop endpoints' }],
      controls: [
        { label: '30 minutes pass', run: () => 'It is half an hour later.' },
        { label: 'Something happens that takes more than a line', run: () => undefined },
        { group: 'Time', label: 'Fast', isOn: () => why !== undefined, run: () => undefined },
        { group: 'Time', label: 'Go on', offered: () => why, by: () => by, run: () => answered('on') },
        { group: 'Time', label: 'Stay', offered: () => why, run: () => answered('stay') },
      ],
      tour: {
        steps: [
          {
            title: 'Look',
            text: 'Type it.',
            acts: [{ text: 'Type this.', label: 'Type it', line: '/endpoint list', as: 'U0ANA' }],
            done: () => slack.link.sent.length > typed,
          },
          {
            title: 'Be ben',
            text: 'Act.',
            acts: [{ text: 'Be him.', label: 'Act as ben', as: 'U0BEN' }],
            done: () => isOver,
          },
        ],
        again() {
          typed = slack.link.sent.length
          isOver = false
        },
      },
      plight: () => plight,
    })
    app = await socketApp(slack, prepare)
  })
  afterEach(async () => {
    await closePages()
    await app.stop()
    await slack.stop()
    expect(complaints).toEqual([])
  })

  async function open(as: string, size = { width: 1280, height: 800 }): Promise<Page> {
    const page = await newPage({ viewport: size })
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    return goToOps(page, slack.pageUrl, as)
  }

  async function say(page: Page, line: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message #ops' }).fill(line)
    await page.keyboard.press('Enter')
  }

  test('supports a command, a thread, a dialog and the outcome with the keyboard alone', async () => {
    const ana = await open('U0ANA')
    const ben = await open('U0BEN')
    await ana.keyboard.type('/en')
    await ana.getByText('Start and stop endpoints').waitFor()
    await ana.keyboard.press('Tab')
    await ana.keyboard.type('stop my-llm')
    await ana.keyboard.press('Enter')
    await ana.getByRole('button', { name: /1 reply/ }).press('Enter')
    const thread = ana.getByRole('complementary', { name: 'Thread' })
    await thread.getByRole('button', { name: 'Stop my-llm' }).press('Enter')
    await ana.getByRole('dialog', { name: 'Stop my-llm?' }).getByText('3 replicas go away.').waitFor()
    await ana.keyboard.press('Enter')
    await thread.getByText('Confirmed by @ana.').waitFor()
    expect(await thread.getByRole('button', { name: 'Stop my-llm' }).count()).toBe(0)
    await ana.keyboard.press('Escape')
    await thread.waitFor({ state: 'hidden' })
    const channel = ben.getByRole('log', { name: 'Messages in #ops' })
    await channel.getByText('replied to a thread').waitFor()
    await channel.getByText('Stopped my-llm.').waitFor()
  })

  test('keeps the keyboard’s place when a form or the drawer closes', async () => {
    const ana = await open('U0ANA')
    const message = ana.getByRole('textbox', { name: 'Message #ops' })
    await say(ana, '/endpoint patch')
    const form = ana.getByRole('dialog', { name: 'Patch my-llm' })
    await form.waitFor()
    await ana.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    expect(await isFocused(message)).toBe(true)
    const simulate = ana.getByRole('button', { name: 'Simulate' })
    await simulate.press('Enter')
    const drawer = ana.getByRole('complementary', { name: 'Simulate' })
    await expect.poll(() => isFocused(drawer.getByRole('button', { name: 'Close' }))).toBe(true)
    expect(await simulate.getAttribute('aria-expanded')).toBe('true')
    await ana.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    expect(await isFocused(simulate)).toBe(true)
  })

  test('shows the beginning of an answer that is taller than the page', async () => {
    const ana = await open('U0ANA')
    const lines = Array.from({ length: 80 }, (_, at) => `line ${at + 1}`)
    await app.client.chat.postMessage({ channel: 'C0OPS', text: lines.join('\n') })
    const first = ana.getByRole('log').getByText('line 1\n')
    await first.waitFor()
    const log = ana.getByRole('log')
    const [from, listed] = await Promise.all([first.boundingBox(), log.boundingBox()])
    expect(from?.y).toBeGreaterThanOrEqual(listed?.y ?? Number.NaN)
    expect(from?.y).toBeLessThan((listed?.y ?? 0) + (listed?.height ?? 0) / 4)
  })

  test.each([390, 780])('keeps the tour within reach at %i px while a thread is open', async (width) => {
    const page = await open('U0ANA', { width, height: 844 })
    await say(page, '/endpoint stop my-llm')
    await page.getByRole('button', { name: /1 reply/ }).click()
    await page.getByRole('complementary', { name: 'Thread' }).getByText('It is serving traffic.').waitFor()
    await page.getByRole('button', { name: 'Act as ben' }).click({ timeout: 5_000 })
    expect(await page.evaluate(() => location.hash)).toContain('as=U0BEN')
  })

  test('shows a private answer to its recipient alone', async () => {
    const ana = await open('U0ANA')
    const ben = await open('U0BEN')
    await say(ana, '/endpoint nonsense')
    await ana.getByText('Only visible to you').waitFor()
    await ana.getByRole('log').getByText('Nothing is called “nonsense”.').waitFor()
    await say(ben, 'hello all')
    await ana.getByRole('log').getByText('hello all').waitFor()
    expect(await ben.getByText('Nothing is called').count()).toBe(0)
  })

  test('never renders outside text as markup', async () => {
    const ana = await open('U0ANA')
    await say(ana, '/endpoint echo <img src=x onerror=alert(1)> & <b>bold</b>')
    await ana.getByRole('log').getByText('<img src=x onerror=alert(1)> & <b>bold</b>').waitFor()
    await app.client.chat.postMessage({ channel: 'C0OPS', text: '<javascript:alert(1)|press me>' })
    await ana.getByRole('log').getByText('press me').waitFor()
    const list = ana.getByRole('log')
    expect(await list.locator('img, b, a').count()).toBe(0)
  })

  test('shows a modal’s errors at their fields and submits what was typed', async () => {
    const ana = await open('U0ANA')
    expect(await ana.getByRole('navigation').innerText()).not.toContain('false')
    await say(ana, '/endpoint patch')
    const modal = ana.getByRole('dialog', { name: 'Patch my-llm' })
    await modal.getByLabel('Container port').fill('22')
    await modal.getByRole('button', { name: 'Save' }).click()
    await modal.getByText('Please complete this required field.').waitFor()
    await modal.getByRole('combobox', { name: 'Endpoint' }).fill('my')
    await modal.getByRole('option', { name: 'my-vlm' }).waitFor()
    await ana.keyboard.press('ArrowDown')
    await ana.keyboard.press('Enter')
    await modal.getByRole('button', { name: 'Save' }).click()
    await modal.getByText('Port 22 is taken.').waitFor()
    await modal.getByLabel('Container port').fill('8080')
    await ana.keyboard.press('Enter')
    await modal.waitFor({ state: 'hidden' })
    await say(ana, '/endpoint patch')
    await modal.getByLabel('Container port').focus()
    await Promise.all([ana.keyboard.press('Escape'), ana.keyboard.press('Escape')])
    await modal.waitFor({ state: 'hidden' })
    expect(await ana.getByText('has no modal open').count()).toBe(0)
    await ana.getByLabel('1 new').waitFor()
    await ana.getByRole('button', { name: 'App' }).click()
    await ana.getByText('my-vlm listens on 8080.').waitFor()
    await ana.getByRole('tab', { name: 'Home' }).click()
    await ana.getByText('my-llm is active').waitFor()
  })

  test('lets one page act as several people in turn', async () => {
    const page = await open('U0ANA')
    await page.getByLabel('Acting as').selectOption({ label: 'ben' })
    await page.waitForURL(/as=U0BEN/)
    await say(page, 'ben was here')
    await page.getByRole('article', { name: /^ben/ }).waitFor()
    expect(slack.transcript('#ops')).toBe('ben: ben was here')
    // An unknown user id falls back to the first person.
    await page.evaluate(() => (location.hash = '#as=U0NOBODY&in=C0OPS'))
    await expect.poll(() => page.getByLabel('Acting as').inputValue()).toBe('U0ANA')
    await say(page, 'ana was here')
    await page.getByRole('article', { name: /^ana/ }).waitFor()
  })

  test('cuts nothing off on a phone and opens the channels from a button', async () => {
    const phone = await open('U0ANA', { width: 390, height: 800 })
    await say(phone, '/endpoint stop my-llm')
    await phone.getByRole('button', { name: /1 reply/ }).click()
    await phone.getByRole('button', { name: 'Leave it running' }).waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await phone.getByRole('button', { name: 'Close thread' }).click()
    await phone.getByRole('button', { name: 'Channels' }).click()
    await phone.getByRole('button', { name: 'general' }).click()
    await phone.getByRole('heading', { name: 'general' }).waitFor()
    await phone.getByRole('button', { name: 'Simulate' }).click()
    await phone.getByRole('button', { name: '30 minutes pass' }).waitFor()
  })

  test('leads through the tour step by step and lets people close and reopen it', async () => {
    const ana = await open('U0BEN')
    const tour = ana.getByRole('region', { name: 'Tour' })
    await tour.getByRole('heading', { name: '1 of 2: Look' }).waitFor()
    // Only one instruction shows at a time: the next act's, then the step's.
    await tour.getByText('Type this.').waitFor()
    await tour.getByRole('button', { name: 'Type it' }).click()
    await expect.poll(() => ana.getByRole('combobox', { name: 'Acting as' }).inputValue()).toBe('U0ANA')
    await ana.keyboard.press('Enter')
    await tour.getByRole('heading', { name: '2 of 2: Be ben' }).waitFor()
    await tour.getByRole('button', { name: 'Act as ben' }).click()
    // The act stays ticked although the page is redrawn for ben.
    await tour.locator('.is-over', { hasText: 'Act as ben' }).waitFor()
    await tour.getByText('Act.', { exact: true }).waitFor()
    await expect.poll(() => ana.getByRole('combobox', { name: 'Acting as' }).inputValue()).toBe('U0BEN')
    await tour.getByRole('button', { name: 'Close the tour' }).click()
    await tour.waitFor({ state: 'hidden' })
    await ana.reload()
    await ana.getByRole('button', { name: 'Tour' }).waitFor()
    expect(await tour.isVisible()).toBe(false)
    await ana.getByRole('button', { name: 'Tour' }).click()
    await tour.waitFor()
    isOver = true
    await tour.getByRole('heading', { name: 'That’s the tour' }).waitFor()
    await tour.getByRole('button', { name: 'Start over' }).click()
    await tour.getByRole('heading', { name: '1 of 2: Look' }).waitFor()
  })

  test('shows the worker’s trouble at the top until it is resolved', async () => {
    const ana = await open('U0ANA')
    plight = { text: 'The worker is gone.', isOver: false }
    const bar = ana.getByRole('status').filter({ hasText: 'The worker is gone.' })
    await bar.waitFor()
    plight = undefined
    await bar.waitFor({ state: 'detached' })
  })

  test('scrolls to your own line and drops private answers on reload', async () => {
    const ana = await open('U0ANA')
    const box = ana.getByRole('textbox', { name: /^Message / })
    for (let line = 1; line <= 40; line += 1) await slack.as('U0ANA').types('ops', `line ${line}`)
    const log = ana.getByRole('log')
    await log.getByText('line 40').waitFor()
    await log.evaluate((element) => element.scrollTo(0, 0))
    await box.fill('here it is')
    await ana.keyboard.press('Enter')
    await log.getByText('here it is').waitFor()
    await expect.poll(() => log.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)).toBeLessThan(80)
    await box.fill('/endpoint private')
    await ana.keyboard.press('Enter')
    await ana.getByText('Only visible to you').first().waitFor()
    await ana.reload()
    await log.getByText('here it is').waitFor()
    expect(await ana.getByText('Only visible to you').count()).toBe(0)
  })

  test('runs a simulation from its button and shows the result', async () => {
    const ana = await open('U0ANA')
    await ana.getByRole('button', { name: 'Simulate' }).click()
    await ana.getByRole('button', { name: '30 minutes pass' }).click()
    await ana.getByText('It is half an hour later.').waitFor()
  })

  test('says why the clock is paused and resumes it when nobody acts', async () => {
    const ana = await open('U0ANA')
    const offer = ana.getByRole('region', { name: 'Why the clock is paused' })
    expect(await offer.isVisible()).toBe(false)
    why = 'The clock is paused for your answer in #ops.'
    await offer.getByRole('status').getByText(why).waitFor()
    await offer.waitFor({ state: 'hidden' })
    await expect.poll(() => answers).toEqual(['on'])
  })

  test('pauses the clock indefinitely when told to and drops an answered reason', async () => {
    const ana = await open('U0ANA')
    const offer = ana.getByRole('region', { name: 'Why the clock is paused' })
    by = undefined
    why = 'The clock is paused for your answer in #ops.'
    await offer.getByRole('status').getByText(why).waitFor()
    expect(await offer.innerText()).not.toContain('Continues in')
    why = undefined
    await offer.waitFor({ state: 'hidden' })
    expect(answers).toEqual([])
    by = 0.5
    why = 'The clock is paused: there is another.'
    await offer.getByText('Continues in').waitFor()
    await offer.waitFor({ state: 'hidden' })
    await expect.poll(() => answers).toEqual(['on'])
  })

  test('opens the Home for each person you switch to and again on reload', async () => {
    const page = await open('U0ANA')
    await page.getByRole('button', { name: 'App' }).click()
    await page.getByRole('tab', { name: 'Home' }).click()
    await page.getByText('my-llm is active').waitFor()
    await page.getByLabel('Acting as').selectOption({ label: 'ben' })
    await page.waitForURL(/as=U0BEN/)
    await page.getByText('my-llm is active').waitFor()
    // The page may still show the previous person's Home.
    await expect.poll(() => [...slack.workspace.homes.keys()]).toEqual(['U0ANA', 'U0BEN'])
    const opened = slack.link.sent.length
    await page.reload()
    await page.getByText('my-llm is active').waitFor()
    await expect.poll(() => slack.link.sent.length).toBe(opened + 1)
  })

  test('keeps the clock paused while somebody is active, by keyboard and on a phone', async () => {
    const phone = await open('U0ANA', { width: 390, height: 800 })
    await say(phone, '/endpoint stop my-llm')
    await phone.getByRole('button', { name: /1 reply/ }).click()
    const thread = phone.getByRole('complementary', { name: 'Thread' })
    await thread.getByRole('button', { name: 'Stop my-llm' }).waitFor()
    await phone.evaluate(() => setInterval(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' })), 20))
    why = 'The clock is paused for your answer in a direct message.'
    const stay = phone.getByRole('button', { name: 'Stay' })
    await stay.waitFor()
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
    // It covers neither the thread's head nor a message.
    const bottom = await stay.evaluate((button) => button.closest('section')?.getBoundingClientRect().bottom)
    expect(await thread.evaluate((pane) => pane.getBoundingClientRect().top)).toBe(bottom)
    await phone.getByRole('button', { name: 'Close thread' }).click()
    await thread.waitFor({ state: 'hidden' })
    expect(await phone.getByRole('main').evaluate((pane) => pane.getBoundingClientRect().top)).toBe(bottom)
    const fast = phone.getByRole('button', { name: 'Fast' })
    await fast.focus()
    await tabTo(phone, stay)
    await phone.keyboard.press('Enter')
    await stay.waitFor({ state: 'hidden' })
    expect(answers).toEqual(['stay'])
    expect(await isFocused(fast)).toBe(true)
  })

  test('shows every button’s whole label while a thread and the drawer are open', async () => {
    const ana = await open('U0ANA')
    await say(ana, '/endpoint stop my-llm')
    await ana.getByRole('button', { name: /1 reply/ }).click()
    const posted = slack.calls().find(({ args }) => typeof args['thread_ts'] === 'string')
    const thread_ts = posted?.args['thread_ts'] as string
    const text = `Stop ${'a-long-name-'.repeat(5)}`
    const button = { type: 'button', action_id: 'long', text: { type: 'plain_text', text } } as const
    const blocks = [{ type: 'actions', elements: [button] } as const]
    await app.client.chat.postMessage({ channel: 'C0OPS', thread_ts, text, blocks })
    await ana.getByRole('button', { name: text }).waitFor()
    await ana.getByRole('button', { name: 'Simulate' }).click()
    const lefts = await ana.locator('.drawer section button').evaluateAll((all) =>
      all.map((one) => {
        const label = document.createRange()
        label.selectNodeContents(one)
        return label.getBoundingClientRect().left
      }),
    )
    expect(new Set(lefts).size).toBe(1)
    const thread = ana.getByRole('complementary', { name: 'Thread' })
    for (const each of await thread.locator('.block-actions button').all())
      expect(await each.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  })

  test('refuses requests without the token', async () => {
    const { origin } = new URL(slack.pageUrl)
    expect((await fetch(`${origin}/`)).status).toBe(403)
    expect((await fetch(`${origin}/page/feed?as=U0ANA&token=wrong`)).status).toBe(403)
    expect((await fetch(`${origin}/page/do?as=U0ANA`, { method: 'POST', body: '{"deed":"type"}' })).status).toBe(403)
    const foreign = await fetch(slack.pageUrl, { headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
  })
})
