import type { Endpoint } from './endpoint.ts'
import { visible } from './visible.ts'

type Named = Pick<Endpoint, 'id' | 'name'>

/**
 * Letters of other alphabets that are drawn like one of ours, each before the one it is taken for: those that names are
 * forged with, out of a long list (Unicode, UTS 39, confusables). What only has another width or weight is NFKC's.
 */
const twins = pairs(
  // Cyrillic
  'Аa Вb Еe Кk Мm Нh Оo Рp Сc Тt Уy Хx Іi Јj Ѕs Ԁd Ԛq Ԝw Ѵv Ӏl',
  'аa еe кk оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ѵv ӏl',
  // Greek
  'Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx',
  'αa γy ηn ιi κk νv οo ρp υu χx ωw',
  // Dashes, and an i without its dot
  '‐- ‒- –- —- −- ıi',
)

/** Our own that few fonts tell apart. */
const close = new Map([...pairs('0o 1l il |l'), ['m', 'rn'], ['w', 'vv']])

/** Most names are, and there may be thousands. */
const plain = /^[\w.:/-]+$/

/** How `visible` writes what leaves no mark of its own. */
const unseen = /\\u\{[0-9a-f]+\}/g

/** What a name looks like at a glance: two names of the same look are not told apart by reading them. */
export function lookOf(name: string): string {
  return (plain.test(name) ? name : made(name))
    .toLowerCase()
    .replace(/[01il|mw]/g, (letter) => close.get(letter) ?? letter)
}

/** The same in our own letters, as far as it looks like them. */
function made(name: string): string {
  const seen = visible(name.normalize('NFKC')).replace(unseen, '')
  return Array.from(seen.trim().replace(/\s+/g, ' '), (letter) => twins.get(letter) ?? letter).join('')
}

/** Said wherever something is to be done to one that has a look-alike. */
export function alikeText({ id }: Pick<Named, 'id'>): string {
  return `Its id is ${id}: another endpoint’s name looks the same.`
}

const known = new WeakMap<readonly Named[], ReadonlyMap<string, ReadonlySet<string>>>()

/** Whether another one of a list has a name that looks the same, or is. */
export function hasLookAlike({ id, name }: Named, all: readonly Named[]): boolean {
  const looks = known.get(all) ?? looksIn(all)
  known.set(all, looks)
  const ids = looks.get(lookOf(name)) ?? new Set()
  return ids.size > (ids.has(id) ? 1 : 0)
}

/** The ids of each look. */
function looksIn(all: readonly Named[]): ReadonlyMap<string, ReadonlySet<string>> {
  const looks = new Map<string, Set<string>>()
  for (const { id, name } of all) {
    const look = lookOf(name)
    const ids = looks.get(look) ?? new Set()
    looks.set(look, ids.add(id))
  }
  return looks
}

function pairs(...lists: readonly string[]): Map<string, string> {
  return new Map(lists.flatMap((list) => list.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)] as const)))
}
