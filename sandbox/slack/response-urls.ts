import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, sendJson } from './http.ts'
import { isObject, type JsonObject, parseJson } from './json.ts'
import { findMessage, post, remove, revise } from './messages.ts'
import { createArgs } from './web-api/args.ts'
import { readBlocks, readText } from './web-api/content.ts'
import { Refusal } from './web-api/refusal.ts'
import type { Workspace } from './workspace.ts'

/** Slack's limits. */
const mostUses = 5
const lifetimeMs = 30 * 60_000

/** Where an answer through a `response_url` goes. */
export interface ResponseTarget {
  readonly channel: string
  readonly user: string
  /** The message whose button was pressed; undefined for a command. */
  readonly message?: string
}

interface Issued extends ResponseTarget {
  readonly until: number
  uses: number
}

export interface ResponseUrls {
  issue(target: ResponseTarget): string
  /** Answers `POST /respond/<id>`. */
  answer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void>
}

export function createResponseUrls(workspace: Workspace): ResponseUrls {
  const issued = new Map<string, Issued>()
  const { clock } = workspace.settings

  function issue(target: ResponseTarget): string {
    const id = workspace.ids.next('R')
    issued.set(id, { ...target, until: clock.now() + lifetimeMs, uses: 0 })
    return `${workspace.origin}/respond/${workspace.secret}/${id}`
  }

  async function answer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const body = parseJson((await readBody(request)).toString())
    try {
      const url = usable(issued.get(id))
      if (!isObject(body)) throw new Refusal('invalid_payload')
      url.uses += 1
      applyResponse(workspace, url, body)
      sendJson(response, 200, { ok: true })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const status = error.error === 'used_url' || error.error === 'expired_url' ? 404 : 400
      sendJson(response, status, { ok: false, error: error.error, ...error.details })
    }
  }

  function usable(url: Issued | undefined): Issued {
    if (!url || clock.now() > url.until) throw new Refusal('expired_url')
    if (url.uses >= mostUses) throw new Refusal('used_url')
    return url
  }

  return { issue, answer }
}

/** Applies what an app sends through a `response_url` or in the answer to a command. */
export function applyResponse(workspace: Workspace, target: ResponseTarget, body: JsonObject): void {
  const args = createArgs(body)
  const original =
    target.message === undefined ? undefined : findMessage(workspace, target.channel, target.message, true)
  if (args.flag('delete_original')) {
    if (!original) throw new Refusal('cant_delete_message')
    remove(workspace, original)
    return
  }
  const text = readText(args)
  const blocks = readBlocks(workspace, args)
  if (text === undefined && blocks === undefined) throw new Refusal('no_text')
  const content = { text: text ?? '', blocks: blocks ?? [] }
  if (args.flag('replace_original') && original) {
    revise(workspace, original, content)
    return
  }
  const inChannel = args.text('response_type') === 'in_channel'
  // Without `thread_ts`, an answer in a thread goes to the channel: https://github.com/slackapi/bolt-js/issues/963
  const threadTs = args.text('thread_ts')
  if (threadTs !== undefined && !inChannel) throw new Refusal('invalid_thread_ts')
  const { app } = workspace.settings
  post(workspace, {
    ...content,
    channel: target.channel,
    user: app.botUserId,
    botId: app.botId,
    ...(inChannel ? {} : { ephemeralTo: target.user }),
    ...(threadTs === undefined ? {} : { threadTs }),
  })
}
