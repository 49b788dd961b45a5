import type { Impact } from '../domain/demand.ts'

const hurts: Readonly<Record<Impact, string>> = {
  reversible: 'what can be taken back',
  disruptive: 'what interrupts',
  destructive: 'what cannot be taken back',
  loosening: 'what lifts a guard',
}

/**
 * A place of the policy file, as people read it who have never seen that: "endpoints[0] (tag:prod): matrix.disruptive.active"
 * is "for tag:prod, on what interrupts (active)". `explain` tells the place itself. Any other text stays as it is.
 */
export function inPolicyWords(text: string): string {
  return text
    .replace(/\busual matrix \((\w+), (\w+)\)/g, (_, impact: string, exposure: string) =>
      cell('as usual', impact, exposure),
    )
    .replace(
      /(?:endpoints\[\d+\] \(([^)]*)\): )?\bmatrix\.(\w+)\.(\w+)/g,
      (_, match: string | undefined, impact: string, exposure: string) =>
        cell(match === undefined ? 'of this project' : `for ${match}`, impact, exposure),
    )
    .replace(/\bby endpoints\[\d+\] \(([^)]*)\)/g, 'by the rule for $1')
}

function cell(whose: string, impact: string, exposure: string): string {
  return `${whose}, on ${hurts[impact as Impact] ?? impact} (${exposure})`
}
