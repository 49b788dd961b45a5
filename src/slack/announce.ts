import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../domain/actor.ts'
import type { Offer } from '../domain/shown.ts'
import type { Log } from '../lifecycle/ports.ts'
import { message, paragraph } from './blocks.ts'
import { failureOf } from './failures.ts'
import { offered } from './offers.ts'
import { plainest } from './plainest.ts'
import { ofProject } from './whose.ts'

export interface AnnouncerOptions {
  readonly client: WebClient
  readonly operationsChannel: () => string | undefined
  readonly log: Log
  /** Whose it is, and whether that has to be said there; left out for what concerns them all. */
  readonly of?: { readonly project: string; readonly isShared: (channel: string) => boolean }
  /** Lets some ms pass. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Between two tries, ms; Slack may ask for more. */
const pauses = [1_000, 4_000, 15_000, 60_000] as const

/**
 * Says things in the operations channel that belong to no request, a paragraph a line, with lines to hand in as buttons
 * below; whom it is `about` is named after the first paragraph. Never throws. What may have arrived is sent once more: that something is said twice is better than never.
 */
export function createAnnouncer(
  options: AnnouncerOptions,
): (says: string, offers?: readonly Offer[], about?: Actor) => Promise<void> {
  const { client, operationsChannel, log, of, pause = (ms) => sleep(ms, undefined, { ref: false }) } = options
  return async (says, offers = [], about) => {
    const channel = operationsChannel()
    if (channel === undefined) return log.warn({}, 'there is no operations channel to announce anything in')
    const lines = says.split('\n').filter((line) => line !== '')
    const named = about === undefined ? [] : [' ', { person: about }]
    const paragraphs = lines.map((line, at) => paragraph(line, ...(at === 0 ? named : [])))
    const all = message(says, [...paragraphs, ...offered(offers)])
    const whole = of === undefined ? all : ofProject(of.project, all, of.isShared(channel))
    let said = whole
    for (const wait of [...pauses, null]) {
      try {
        await client.chat.postMessage({
          channel,
          text: said.text,
          blocks: [...said.blocks],
          mrkdwn: false,
          link_names: false,
          parse: 'none',
          unfurl_links: false,
          unfurl_media: false,
        })
        return
      } catch (err) {
        const failure = failureOf(err)
        if (wait === null || failure.kind === 'closed') {
          log.error({ err, channel }, 'something could not be announced in the operations channel')
          return
        }
        if (failure.kind === 'unfit') said = plainest(whole)
        await pause(Math.max(wait, failure.kind === 'wait' ? failure.ms : 0))
      }
    }
  }
}
