import { expect } from 'vitest'
import type { Town } from './town.ts'

/**
 * What a request that ana made in #ops has come to: the one sentence its card ends with. Fails when a second message
 * tells of an end, but for the one reply in its thread that says the same.
 */
export function theEnd({ slack }: Town): string {
  const told = slack
    .transcript('ops')
    .split('\n')
    .filter((line) => / · requested by @ana(?: · (?:approved|confirmed) by @\w+)?$/.test(line))
  const [card = '(nothing)', ...others] = told.filter((line) => line.startsWith('App: '))
  expect(others).toEqual([])
  const replies = told.filter((line) => !line.startsWith('App: '))
  expect([[], [`  App: ${said(card)}`], [`  App (broadcast): ${said(card)}`]]).toContainEqual(replies)
  return said(card)
    .replace(/^\S+ (?=\w)/, '')
    .replace(/(?: · \d+ (?:s|min|h))? · requested by @ana.*$/, '')
}

function said(line: string): string {
  return line.replace('App: ', '')
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
