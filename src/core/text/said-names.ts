/** Korean titles and particles that are glued to names. */
const glued = /(?:님|씨)?(?:이랑|에게|한테|께서|께|이|가|은|는|의|도)?$/
const hangul = /^[가-힣]+$/

const initials = 'k,k,n,t,t,r,m,p,p,s,s,,j,j,ch,k,t,p,h'.split(',')
const vowels = 'a,ae,ya,yae,o,e,yo,ye,o,wa,wae,oe,yo,u,wo,we,wi,yu,,ui,i'.split(',')
const finals = ',k,k,k,n,n,n,t,r,k,m,r,r,r,p,r,m,p,p,t,t,ng,t,t,k,t,p,t'.split(',')

/** Roughly how a Korean spelling is written in Latin letters: 벤 is "ben", as Koreans hear it. */
function inLatin(word: string): string {
  return word.replace(/[가-힣]/g, (syllable) => {
    const at = (syllable.codePointAt(0) ?? 0) - 0xac00
    return `${initials[Math.floor(at / 588)]}${vowels[Math.floor(at / 28) % 21]}${finals[at % 28]}`
  })
}

/** Latin letters that Korean does not tell apart are one. */
function asHeard(name: string): string {
  const alike: Readonly<Record<string, string>> = { b: 'p', v: 'p', f: 'p', g: 'k', c: 'k', d: 't', l: 'r', z: 'j' }
  return name
    .replace(/eo|oo/g, (pair) => (pair === 'eo' ? 'o' : 'u'))
    .replace(/ch|[bvfgcdlz]/g, (letter) => alike[letter] ?? letter)
    .replace(/(.)\1/g, '$1')
}

/** Whether a word means somebody of these names: "@ben", "민수님이" for 김민수, "벤이" for ben. */
export function isNamed(word: string, names: readonly string[]): boolean {
  const bare = word.toLowerCase().replace(/^@/, '')
  const said = hangul.test(bare) ? [bare, bare.replace(glued, ''), bare.replace(/[이가은는도]$/, '')] : [bare]
  const parts = names.flatMap((name) => [name, ...name.split(/[\s._’']+/)]).map((name) => name.toLowerCase())
  // A Korean given name follows a family name of one syllable.
  const known = parts.flatMap((name) => (/^[가-힣]{3}$/.test(name) ? [name, name.slice(1)] : [name]))
  return said.some(
    (one) => one !== '' && known.some((name) => name === one || (hangul.test(one) && sameSound(one, name))),
  )
}

function sameSound(said: string, name: string): boolean {
  return /^[a-z]{2,}$/.test(name) && asHeard(inLatin(said)) === asHeard(name)
}

/** What a text names; Korean particles are glued to names. */
export function namedIn<One extends { readonly name: string }>(text: string, all: readonly One[]): readonly One[] {
  const bare = text
    .split(/[\s?!,"“”]+/)
    .flatMap((word) => [word, word.replace(/(?<![가-힣])[가-힣]{1,2}$|[을를이가은는도]$/, '')])
  return all.filter(({ name }) => bare.includes(name))
}

const excepting = /빼고|제외하고|제외한|말고|외에|\b(?:except|excluding|besides|other than|apart from)\b/i

/**
 * Which of all are meant. `some`: whether it is not just one by its name: "a and b", "everything except a", where Korean
 * says the exception first.
 */
export function wantedIn<One extends { readonly name: string }>(text: string, all: readonly One[]) {
  const [word] = excepting.exec(text) ?? []
  const named = namedIn(text, all)
  const plain = { wanted: named, some: named.length > 1, first: named[0] }
  if (word === undefined) return plain
  const [before = '', after = ''] = text.split(word)
  const [kept = [], out = []] = (hangul.test(word) ? [after, before] : [before, after]).map((part) =>
    namedIn(part, all),
  )
  if (out.length === 0) return plain
  return { wanted: kept.length > 0 ? kept : all.filter((one) => !out.includes(one)), some: true, first: kept[0] }
}
