import { nearestVerbs } from './fuzzy.ts'

/** Korean titles and particles that are attached to names. */
const glued = /(?:님|씨)?(?:이랑|에게|한테|께서|께|이|가|은|는|의|도)?$/

/** The Latin sounds of Korean letters: at the start of a syllable, vowels, and at its end. */
const sounds = new Map(
  [
    'k,k,n,t,t,l,m,p,p,s,s,,j,j,c,k,t,p,h',
    'a,a,ya,ya,u,e,yu,ye,o,wa,we,oe,yo,u,wo,we,wi,yu,,i,i',
    'k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,s,s,ng,t,t,k,t,p,h',
  ].flatMap((said, set) =>
    said
      .split(',')
      .map((sound, at) => [String.fromCodePoint(([0x1100, 0x1161, 0x11a8][set] ?? 0) + at), sound] as const),
  ),
)

/** Writes a name roughly by its sound, so that 벤 is the same as "ben". */
function soundOf(name: string): string {
  const latin = Array.from(name.normalize('NFD'), (letter) => sounds.get(letter) ?? letter).join('')
  return latin
    .replace(/[bfv]/g, 'p')
    .replace(/[gcq]/g, 'k')
    .replaceAll('d', 't')
    .replaceAll('r', 'l')
    .replace(/(.)\1+/g, '$1')
}

/** Whether a word names a person who has one of these names: "@ben", "민수님이" for 김민수. */
export function isNamed(word: string, names: readonly string[]): boolean {
  const bare = word.toLowerCase().replace(/^@/, '')
  const said = [bare, bare.replace(glued, ''), bare.replace(/[이가은는도]$/, '')]
  const parts = names.flatMap((name) => [name, ...name.split(/[\s._’']+/)]).map((name) => name.toLowerCase())
  // A Korean given name follows a one-syllable family name.
  const known = parts.flatMap((name) => (/^[가-힣]{3}$/.test(name) ? [name, name.slice(1)] : [name]))
  const sound = new Set(known.map(soundOf))
  const isHeard = (one: string) => /^[가-힣]+$/.test(one) && soundOf(one).length > 2 && sound.has(soundOf(one))
  return said.some((one) => one !== '' && (known.includes(one) || isHeard(one)))
}

/** Finds the items that a text names, also with Korean particles attached. */
export function namedIn<One extends { readonly name: string }>(text: string, all: readonly One[]): readonly One[] {
  const bare = text
    .split(/[\s?!,"“”]+/)
    .flatMap((word) => [word, word.replace(/(?<![가-힣])[가-힣]{1,6}$|[을를이가은는도]$|['’]s$/, '')])
  const whole = all.filter(({ name }) => bare.includes(name))
  if (whole.length > 0) return whole
  // "code" names code-llm, and "speach" speech, if no other name is meant.
  const begins = all.filter(({ name }) => bare.includes(name.replace(/(?<=^\w{3,})-.*/, '')))
  const misspelt = bare.filter((word) => /^[\w.-]{5,}$/.test(word)).flatMap((word) => nearestVerbs(word, all, 2))
  const meant = new Set(begins.length > 0 ? begins : misspelt)
  return meant.size === 1 ? [...meant] : []
}
