import fc from 'fast-check'

/** Words that are names to JavaScript, which fast-check's own strings contain as well. */
const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', 'prototype', 'key', 'ref']

/**
 * Any code point but half a surrogate pair, as in `fc.string({ unit: 'binary' })`, which first makes a table of all of
 * them: a second and 100 MB in each worker.
 */
const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((point) => String.fromCodePoint(point < 0xd8_00 ? point : point + 0x8_00))

/** Any text of at most this many code points. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const text = fc.array(anyCharacter, { maxLength }).map((all) => all.join(''))
  return fc.oneof(
    { weight: 9, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(...names).map((name) => name.slice(0, maxLength)) },
  )
}
