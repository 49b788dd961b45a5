export interface Secret {
  readonly key: string
  readonly value: string
}

/** Reads `KEY=value`, one a line. What is wrong is said by the number of the line, never by what stands in it. */
export function readSecrets(text: string): { readonly entries: readonly Secret[] } | { readonly wrong: string } {
  const entries: Secret[] = []
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue
    const [, key, value] = /^\s*([A-Za-z_]\w{0,63})\s*=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined)
      return { wrong: `Line ${at + 1} is not KEY=value, with a name of letters, digits and _.` }
    if (entries.some((entry) => entry.key === key)) return { wrong: `Line ${at + 1} gives ${key} a second time.` }
    entries.push({ key, value })
  }
  return entries.length > 0 ? { entries } : { wrong: 'Write KEY=value, one a line.' }
}
