import { expect, test } from 'vitest'
import { legible } from '../../src/domain/visible.ts'

test.each([
  ['\u001b[32mINFO\u001b[0m ready', 'INFO ready'],
  ['\u001b[1;38;5;208mwarm\u001b[39;49m', 'warm'],
  ['\u001b]0;a title\u0007then', 'then'],
  ['\u001b[2K\u001b[1Gloaded', 'loaded'],
  [' 10%|#   |\r 50%|##  |\r100%|####|\r', '100%|####|'],
  ['a\tb  ', 'a b'],
  ['nul\u0000 and \u202eevil', 'nul\\u{0} and \\u{202e}evil'],
  ['', ''],
])('what was written as %j is read as %j', (written, read) => {
  expect(legible(written)).toBe(read)
})
