import { expect } from 'vitest'
import type { Town } from './town.ts'

/**
 * Returns the outcome of ana's request in #ops: the sentence with which its card ends. Fails if a second message
 * reports an end, except one reply in the thread that says the same.
 */
export function theEnd({ slack }: Town): string {
  const messages = slack.transcript('ops').split(/\n(?=(?: {2})?App\b)/)
  const ends = messages.filter((message) => over.test(said(message)) && /\n +(?:.* · )?requested by @ana/.test(message))
  const [card = '(nothing)', ...others] = ends.filter((message) => message.startsWith('App: ')).map(said)
  expect(others).toEqual([])
  const broadcast = ends.filter((message) => message.startsWith('  App (broadcast): ')).map(said)
  expect([[], [card]]).toContainEqual(broadcast)
  // The reply in the thread has the beginning of the sentence and mentions the requester.
  const replies = messages.flatMap((message) => /^ {2}App: (\S+ .+) @ana$/m.exec(message)?.[1] ?? [])
  expect(replies.length + broadcast.length).toBeLessThan(2)
  for (const reply of replies) expect(card.startsWith(reply)).toBe(true)
  return card.replace(/^\S+ (?=\w)/, '')
}

function said(message: string): string {
  const [first = ''] = message.split('\n')
  return first.replace(/^ *App(?: \(broadcast\))?: /, '')
}

/** The beginning of a message that reports the end of a person's request. */
export const over = /^(?:✅|❌|🚫|⚠️) /m

/** Removes the durations that cards show from one second on, because on a busy machine every card has one. */
export function withoutTook(transcript: string): string {
  return transcript.replace(/ · took \d+ s/g, '')
}

/** Returns the changes that took effect at the platform, in order. */
export function effects({ platform }: Pick<Town, 'platform'>): readonly string[] {
  return platform.changes().flatMap(({ kind, effective }) => (effective ? [kind] : []))
}

/** Returns every changing call in order, with or without effect. Only this shows a call that was sent twice. */
export function sends({ platform }: Town): readonly string[] {
  return platform.calls().flatMap(({ operation }) => (changing.test(operation ?? '') ? [operation ?? ''] : []))
}

const changing = /^(?:start|stop|scale|patch)Endpoint$/

/** Returns when (ms) an operation of the platform was called, once per call. */
export function callsOf({ platform }: Town, operation: string): readonly number[] {
  return platform.calls().flatMap((call) => (call.operation === operation ? [call.at] : []))
}

/** Finds a button's label in the newest notice in #ops. The hour in it depends on when the story begins. */
export function labelIn({ slack }: Town, pattern: RegExp): string {
  const told = slack.transcript('ops')
  const notice = told.slice(Math.max(told.lastIndexOf('🌙 '), told.lastIndexOf('💤 ')))
  const labels = (notice.match(/(?<=\[(⋯ )?)[^⋯\]\n]+(?=\])/g) ?? []).flatMap((label) => label.split(' | '))
  return labels.find((label) => pattern.test(label)) ?? String(pattern)
}

/** The button that keeps an endpoint for an hour more. It comes before those that keep it longer. */
export const keepHour = /^Keep \d+ /
