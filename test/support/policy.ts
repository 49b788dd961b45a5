import { noPrices, usualAutomation } from '../../src/core/model/automation.ts'
import { type Policy, usualApprovalSettings, usualMatrix } from '../../src/core/model/policy.ts'

/** A policy that leaves everything at its default and gives nobody a role. */
export const plainPolicy: Policy = {
  version: 'v1',
  language: 'en',
  roles: { viewer: [], operator: [], approver: [], admin: [] },
  matrix: usualMatrix,
  asking: usualApprovalSettings,
  overrides: [],
  bounds: { replicas: 100, away: 30 * 86_400_000, keep: 7 * 86_400_000 },
  webhooks: [],
  tokens: [],
  workflows: [],
  automation: usualAutomation,
  prices: noPrices,
}
