import type { App } from '@slack/bolt'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channels, people } from '../../sandbox/demo/cast.ts'
import { tourThrough } from '../../sandbox/demo/tour.ts'
import type { PlatformSandbox } from '../../sandbox/platform/types.ts'
import { textAt } from '../../sandbox/slack/json.ts'
import { type SlackSandbox, startSlack } from '../../sandbox/slack/start.ts'
import { socketApp } from '../sandbox/slack-app.ts'
import { prepare } from './app.ts'
import { closePages, goToOps, inBrowser, newPage } from './browser.ts'

let slack: SlackSandbox
let app: App
/** How many steps are done. */
let stepsDone: number

const platform = { endpoints: () => [] } as unknown as PlatformSandbox
const outages = { count: () => 0, gone: () => false }
const { steps } = tourThrough({ platform, slack: () => undefined, outages, rest: () => undefined })

inBrowser('The demo’s tour', () => {
  beforeEach(async () => {
    stepsDone = 0
    const inTurn = steps.map((step, index) => ({ ...step, done: () => stepsDone > index, over: () => undefined }))
    slack = await startSlack({ people, channels, tour: { steps: inTurn, again: () => undefined } })
    app = await socketApp(slack, prepare)
  })
  afterEach(async () => {
    await closePages()
    await app.stop()
    await slack.stop()
  })

  async function open(width: number): Promise<Page> {
    return goToOps(await newPage({ viewport: { width, height: 844 } }), slack.pageUrl)
  }

  test.each([390, 1280])(
    'types each command as ana, in reach of Enter, at %i px while a thread is open',
    async (width) => {
      const page = await open(width)
      await slack.as('U0ANA').types('ops', '/endpoint stop my-llm')
      const thread = page.getByRole('complementary', { name: 'Thread' })
      for (const [index, step] of steps.entries()) {
        await page.getByRole('heading', { name: `${index + 1} of ${steps.length}: ${step.title}` }).waitFor()
        for (const act of step.acts) {
          if (!('line' in act)) continue
          await page.getByRole('button', { name: /1 reply/ }).click()
          await thread.waitFor()
          await page.getByLabel('Acting as').selectOption('U0EVA')
          await page.waitForURL(/as=U0EVA/)
          await page.getByRole('button', { name: act.label }).click()
          await thread.waitFor({ state: 'hidden' })
          const before = slack.link.sent.length
          await page.keyboard.press('Enter')
          await expect.poll(() => slack.link.sent.length).toBe(before + 1)
          const { payload } = slack.link.sent.at(-1) ?? {}
          expect(['user_id', 'command', 'text'].map((key) => textAt(payload, key))).toEqual([
            'U0ANA',
            ...act.line.split(/ (.*)/, 2),
          ])
        }
        stepsDone += 1
      }
      await page.getByRole('heading', { name: 'That’s the tour' }).waitFor()
    },
  )
})
