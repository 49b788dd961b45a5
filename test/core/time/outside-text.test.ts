import { expect, test } from 'vitest'
import {
  cutAtInstants,
  instant,
  latestInstant,
  outsideText,
  visible,
  withInstants,
} from '../../../src/core/time/format.ts'
import { terminalText } from '../../../src/features/logs/files.ts'

test.each([
  ['\u001b[32mINFO\u001b[0m ready', 'INFO ready'],
  ['\u001b[1;38;5;208mwarm\u001b[39;49m', 'warm'],
  ['\u001b]0;a title\u0007then', 'then'],
  ['\u001b[2K\u001b[1Gloaded', 'loaded'],
  [' 10%|#   |\r 50%|##  |\r100%|####|\r', '100%|####|'],
  ['a\tb  ', 'a b'],
  ['nul\u0000 and \u202eevil', 'nul\\u{0} and \\u{202e}evil'],
  ['', ''],
])('terminal output %j becomes %j', (written, read) => {
  expect(terminalText(written)).toBe(read)
})

test('outside text cannot forge a formatted instant', () => {
  const forged = `until ${instant(1_800_000_000_000)}`
  expect(cutAtInstants(forged)).toHaveLength(2)
  expect(cutAtInstants(outsideText(forged))).toEqual(['until \\u{e000}1800000000000\\u{e001}'])
  expect(visible(forged)).toBe(outsideText(forged))
  expect(outsideText('plain <text> & \u{1f600}')).toBe('plain <text> & \u{1f600}')
})

test('an instant is written in UTC if no zone is known, and as a number if it is out of range', () => {
  expect(withInstants(`until ${instant(Date.UTC(2026, 10, 20, 9, 30))}.`)).toBe('until 2026-11-20T09:30Z.')
  expect(withInstants(instant(latestInstant))).toBe('5138-11-16T09:46Z')
  expect(withInstants(`${instant(9_000_000_000_000_000)} ${instant(-1)}`)).toBe('9000000000000000 -1')
})
