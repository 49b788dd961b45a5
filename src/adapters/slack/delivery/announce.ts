import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Offer } from '../../../core/model/query-answer.ts'
import type { Language, Words } from '../../../core/model/words.ts'
import type { Announce, AnnouncementPlace, Log, People } from '../../../core/ports/services.ts'
import { asText, rendered } from '../../../core/words/render.ts'
import { asIs, type Message, message, paragraph } from '../kit/blocks.ts'
import { offered } from '../kit/buttons.ts'
import { ofProject } from '../messages/draw.ts'
import { failureOf } from '../web/failures.ts'
import { withNames } from './names.ts'
import { fitting } from './send-private.ts'

export interface AnnouncerOptions {
  readonly client: WebClient
  /** The channel for announcements; undefined while none is set. */
  readonly place: () => string | undefined
  readonly log: Log
  readonly language: () => Language
  /** Looks up the names in a notification, which cannot show mentions; without it, it has their ids. */
  readonly namesOf?: People['namesOf']
  /** The project to name in channels that several projects use; absent if the news concerns all projects. */
  readonly of?: { readonly project: string; readonly isShared: (channel: string) => boolean }
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Waits between attempts, ms; Slack may ask for longer ones. */
const pauses = [1_000, 4_000, 15_000, 60_000] as const

/** Posts an announcement or edits the one at `over`. Never throws. A post that may have arrived is sent again. */
export function createAnnouncer(options: AnnouncerOptions): Announce {
  const {
    client,
    place,
    log,
    of,
    namesOf = async () => null,
    pause = (ms) => sleep(ms, undefined, { ref: false }),
  } = options
  return async (paragraphs, offers = [], over) => {
    const channel = over?.channel ?? place()
    if (channel === undefined) {
      log.warn({}, 'could not announce this: no operations_channel is set')
      return undefined
    }
    const language = options.language()
    const all = await withNames(namesOf, worded(paragraphs, offers, language))
    const whole = of === undefined ? all : ofProject(of.project, all, language, of.isShared(channel))
    for (const wait of [...pauses, null]) {
      try {
        return await fitting(whole, (said) => bring(client, said, channel, over))
      } catch (err) {
        const failure = failureOf(err)
        // Slack no longer lets us edit this message, so there is nothing left to do.
        if (over !== undefined && (failure.kind === 'gone' || failure.kind === 'closed')) return over
        if (wait === null || failure.kind === 'closed') {
          log.error({ err, channel }, 'could not post an announcement')
          return undefined
        }
        await pause(Math.max(wait, failure.kind === 'wait' ? failure.ms : 0))
      }
    }
    return undefined
  }
}

function worded(paragraphs: readonly Words[], offers: readonly Offer[], language: Language): Message {
  const drawn = paragraphs.map((one) => paragraph(...rendered(one, language)))
  const text = paragraphs.map((one) => asText(one, language)).join('\n')
  return message(text, [...drawn, ...offered(offers, language)])
}

async function bring(client: WebClient, said: Message, channel: string, over: AnnouncementPlace | undefined) {
  const words = { channel, ...asIs(said) }
  if (over !== undefined) {
    await client.chat.update({ ...words, ts: over.ts })
    return over
  }
  const { ts } = await client.chat.postMessage({ ...words, mrkdwn: false, unfurl_links: false, unfurl_media: false })
  return ts === undefined ? undefined : { channel, ts }
}
