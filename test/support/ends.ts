import { expect } from 'vitest'
import type { Town } from './town.ts'

/**
 * What a request that ana made in #ops has come to: the one sentence its card ends with. Fails when a second message
 * tells of an end, but for the one reply in its thread that says the same.
 */
export function theEnd({ slack }: Town): string {
  const messages = slack.transcript('ops').split(/\n(?=(?: {2})?App\b)/)
  const ends = messages.filter((message) => over.test(said(message)) && /\n +(?:.* · )?requested by @ana/.test(message))
  const [card = '(nothing)', ...others] = ends.filter((message) => message.startsWith('App: ')).map(said)
  expect(others).toEqual([])
  const broadcast = ends.filter((message) => message.startsWith('  App (broadcast): ')).map(said)
  expect([[], [card]]).toContainEqual(broadcast)
  // The thread has the beginning of it, and calls whoever asked.
  const replies = messages.flatMap((message) => /^ {2}App: (\S+ .+) @ana$/m.exec(message)?.[1] ?? [])
  expect(replies.length + broadcast.length).toBeLessThan(2)
  for (const reply of replies) expect(card.startsWith(reply)).toBe(true)
  return card.replace(/^\S+ (?=\w)/, '')
}

/** The first line of a message. */
function said(message: string): string {
  const [first = ''] = message.split('\n')
  return first.replace(/^ *App(?: \(broadcast\))?: /, '')
}

/** How a message begins that tells the end of what a person asked for. */
export const over = /^(?:✅|❌|🚫|⚠️) /m

/** A transcript without how long things took, which a card tells from a second on: on a busy machine all of them do. */
export function withoutTook(transcript: string): string {
  return transcript.replace(/ · took \d+ s/g, '')
}

/** What took effect at the platform, in order. */
export function effects({ platform }: Pick<Town, 'platform'>): readonly string[] {
  return platform.changes().flatMap(({ kind, effective }) => (effective ? [kind] : []))
}

/** Every call that is to change something, in order, whether or not it took effect: a second one is seen here alone. */
export function sends({ platform }: Town): readonly string[] {
  return platform.calls().flatMap(({ operation }) => (changing.test(operation ?? '') ? [operation ?? ''] : []))
}

const changing = /^(?:start|stop|scale|patch)Endpoint$/

/** How often, and when (ms), an operation of the platform was called. */
export function callsOf({ platform }: Town, operation: string): readonly number[] {
  return platform.calls().flatMap((call) => (call.operation === operation ? [call.at] : []))
}

/** The first button of the newest notice in #ops with such a label: its hour depends on when a story begins. */
export function labelIn({ slack }: Town, pattern: RegExp): string {
  const told = slack.transcript('ops')
  const notice = told.slice(Math.max(told.lastIndexOf('🌙 '), told.lastIndexOf('💤 ')))
  const labels = (notice.match(/(?<=\[(⋯ )?)[^⋯\]\n]+(?=\])/g) ?? []).flatMap((label) => label.split(' | '))
  return labels.find((label) => pattern.test(label)) ?? String(pattern)
}

/** What keeps an endpoint for an hour more, before what keeps it longer. */
export const keepHour = /^Keep \d+ /
