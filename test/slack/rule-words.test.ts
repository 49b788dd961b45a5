import { expect, test } from 'vitest'
import { inPolicyWords } from '../../src/adapters/slack/messages/approvers.ts'

test.each([
  ['usual matrix (loosening, active)', 'as usual, on what lifts a guard (active)'],
  ['matrix.disruptive.protected', 'of this project, on what interrupts (protected)'],
  ['endpoints[0] (tag:prod): matrix.disruptive.active', 'for tag:prod, on what interrupts (active)'],
  [
    'matrix.destructive.active; 2 approvals by endpoints[1] (prod-*)',
    'of this project, on what cannot be taken back (active); 2 approvals by the rule for prod-*',
  ],
  ['It is protected by endpoints[0] (tag:prod).', 'It is protected by the rule for tag:prod.'],
  ['up weekdays 09:00-20:00 UTC', 'up weekdays 09:00-20:00 UTC'],
])('A place of the policy file is told in words: %s', (place, words) => {
  expect(inPolicyWords(place)).toBe(words)
})
