const teams = [
  'atlas',
  'birch',
  'cobalt',
  'delta',
  'ember',
  'fjord',
  'garnet',
  'harbor',
  'indigo',
  'juniper',
  'kestrel',
]
const models = ['llama', 'mistral', 'qwen', 'gemma', 'whisper', 'embedder', 'reranker', 'captions', 'vision', 'chat']
const stages = ['dev', 'staging', 'prod']

/** Returns `count` different names that resemble each other as one company's do. */
export function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const word = (words: readonly string[], step: number) => words[Math.floor(index / step) % words.length] ?? ''
    return [word(teams, 1), word(models, teams.length), word(stages, 1), String(index).padStart(5, '0')].join('-')
  })
}

/** Returns what a person types to find one of the names: in turn its beginning, a part of it, and a typo. */
export function queryOf(names: readonly string[], turn: number): string {
  // With a prime step, each turn picks a name far from the previous one, and each run picks the same names.
  const name = names[(turn * 7_919) % names.length] ?? ''
  const variation = Math.floor(turn / 3)
  if (turn % 3 === 0) return name.slice(0, 1 + (variation % 9))
  if (turn % 3 === 1) return name.slice(2 + (variation % 4)).slice(0, 3 + (variation % 7))
  const at = 1 + (variation % 5)
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
}
