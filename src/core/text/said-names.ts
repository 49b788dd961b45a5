import { nearestVerbs } from './fuzzy.ts'

/** Korean titles and particles that are attached to names. */
const attached = /(님|씨)?(이랑|에게|한테|께서|께|이|가|은|는|의|도)?$/

/** Whether a word names a person who has one of these names: "@ben", "민수님이" for 김민수. */
export function isNamed(word: string, names: readonly string[]): boolean {
  const bare = word.toLowerCase().replace(/^@/, '')
  const parts = names.flatMap((name) => [name, ...name.split(/[\s._’']+/)]).map((name) => name.toLowerCase())
  // A Korean given name follows a one-syllable family name.
  const known = parts.flatMap((name) => (/^[가-힣]{3}$/.test(name) ? [name, name.slice(1)] : [name]))
  return [bare, bare.replace(attached, '')].some((one) => one !== '' && known.includes(one))
}

/** Finds the items that a text names, also with Korean particles attached. */
export function namedIn<One extends { readonly name: string }>(text: string, all: readonly One[]): readonly One[] {
  const words = text
    .split(/[\s?!,"“”]+/)
    .flatMap((word) => [word, word.replace(/(?<![가-힣])[가-힣]{1,6}$|[을를이가은는도]$|['’]s$/, '')])
  const whole = all.filter(({ name }) => words.includes(name))
  if (whole.length > 0) return whole
  // "code" names code-llm, and "speach" speech, if no other name is meant.
  const begun = all.filter(({ name }) => words.includes(name.replace(/(?<=^\w{3,})-.*/, '')))
  const misspelt = words.filter((word) => /^[\w.-]{5,}$/.test(word)).flatMap((word) => nearestVerbs(word, all, 2))
  const meant = new Set(begun.length > 0 ? begun : misspelt)
  return meant.size === 1 ? [...meant] : []
}

/** Whether a text lists several items: "stop rerank, embeddings", unlike "stop rerank and start embeddings". */
export function isListIn<One extends { readonly name: string }>(text: string, named: readonly One[]): boolean {
  const words = text.split(/[\s,&+]+/).slice(1)
  const isName = (word: string) => namedIn(word, named).length > 0
  const between = words.slice(words.findIndex(isName), words.findLastIndex(isName))
  return (
    named.length > 1 && between.every((word) => isName(word) || /^(and|or|both|와|과|랑|이랑|하고|및)$/i.test(word))
  )
}
