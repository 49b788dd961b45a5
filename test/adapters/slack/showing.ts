import { plainText } from '../../../sandbox/slack/flatten.ts'
import { type JsonObject, objectAt, objectsAt, textAt } from '../../../sandbox/slack/json.ts'
import { plainRichText } from '../../../sandbox/slack/mrkdwn/rich.ts'
import { settle } from '../../../sandbox/slack/options.ts'
import { createWorkspace } from '../../../sandbox/slack/workspace.ts'
import type { Message } from '../../../src/adapters/slack/kit/blocks.ts'
import { drawn, messageOf, type RequestMessage } from '../../../src/adapters/slack/messages/draw.ts'
import type { Request } from '../../../src/core/model/request.ts'
import type { ParsedRequest } from '../../../src/core/requests/in-words.ts'
import { cardOf } from '../../../src/lifecycle/messages/card.ts'
import { endOf } from '../../../src/lifecycle/messages/end.ts'
import { plannedMessages } from '../../../src/lifecycle/messages/planned.ts'
import { claimOf, membersOf, start } from './requests.ts'

const people = ['ana', 'ben', 'cleo', 'dana'].map((name) => ({ id: `U0${name.toUpperCase()}`, name }))
const usergroups = [
  { id: 'S0SRE', handle: 'sre', users: [] },
  { id: 'S0LEADS', handle: 'leads', users: [] },
]
const workspace = createWorkspace(settle({ people, usergroups }))

export function messagesOf(...of: Parameters<typeof plannedMessages>): readonly RequestMessage[] {
  return plannedMessages(...of).map((one) => messageOf(one, 'en'))
}

/** All messages that a request should have a minute after it was received. */
export function wanted(request: Request, about: string | null = null): readonly RequestMessage[] {
  return messagesOf(claimOf(request), start + 60_000, about, membersOf)
}

/** The text of a message, one line for each block, with buttons in brackets. */
export function linesOf({ blocks }: { readonly blocks: readonly object[] }): readonly string[] {
  return (JSON.parse(JSON.stringify(blocks)) as JsonObject[]).map((block) => {
    if (block['type'] === 'rich_text') return plainRichText(workspace, block, 'UTC')
    const accessory = objectAt(block, 'accessory')
    const elements = [...objectsAt(block, 'elements'), ...(accessory === undefined ? [] : [accessory])]
    const labels = elements.map((one) => {
      const label = textAt(objectAt(one, 'text'), 'text')
      return label === undefined ? plainText(workspace, one) : `[${label}]`
    })
    return [textAt(objectAt(block, 'text'), 'text'), ...labels].filter(Boolean).join(' ')
  })
}

export function linesAt(request: Request, key: string, about: string | null = null): readonly string[] {
  const found = wanted(request, about).find((one) => one.key === key)
  if (found === undefined) throw new Error(`There is no ${key}.`)
  return linesOf(found.message)
}

export function shownCard(request: ParsedRequest, now: number): Message {
  return drawn(cardOf(request, now), 'en')
}

export function shownEnd(request: ParsedRequest): Message {
  return drawn(endOf(request), 'en')
}
