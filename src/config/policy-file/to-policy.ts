import { type Automation, noPrices, usualAutomation } from '../../core/model/automation.ts'
import {
  eventKinds,
  type Matrix,
  type Policy,
  type PolicyLimits,
  usualApprovalSettings,
  usualMatrix,
} from '../../core/model/policy.ts'
import { dayMs } from '../../core/time/calendar.ts'
import type { ProjectEntry } from './schema.ts'
import { teamRulesOf } from './team-rules.ts'

const usualBounds: PolicyLimits = { replicas: 100, away: 30 * dayMs, keep: 7 * dayMs }

/** A project's part of the file, filled up with the defaults. */
export function policyOf(entry: ProjectEntry, version: string): Policy {
  const { roles, approvals, endpoints = [], bounds, prices = {} } = entry
  return {
    version,
    language: entry.language ?? 'en',
    roles,
    matrix: matrixOf(entry.matrix ?? {}),
    ...(entry.matrix && { written: entry.matrix }),
    asking: { ...usualApprovalSettings, ...approvals },
    // Even an empty entry is one, since rules name entries by their place.
    overrides: endpoints.map(({ match, protected: held, matrix, approvals: asking }) => {
      return { match, protected: held, matrix, asking }
    }),
    bounds: { ...usualBounds, ...bounds },
    tokens: entry.tokens ?? [],
    workflows: entry.workflows ?? [],
    webhooks: (entry.events ?? []).map(({ name, url, secret_env: secretEnv, allow_private, kinds, on }) => {
      const more = { allowPrivate: allow_private === true, kinds: kinds ?? eventKinds, ...(on && { on }) }
      return { name, url, secretEnv, ...more }
    }),
    automation: automationOf(entry),
    prices: { currency: prices.currency ?? noPrices.currency, perHour: new Map(Object.entries(prices.per_hour ?? {})) },
  }
}

function matrixOf({ reversible, disruptive, destructive, loosening }: NonNullable<ProjectEntry['matrix']>): Matrix {
  return {
    reversible: { ...usualMatrix.reversible, ...reversible },
    disruptive: { ...usualMatrix.disruptive, ...disruptive },
    destructive: { ...usualMatrix.destructive, ...destructive },
    loosening: { ...usualMatrix.loosening, ...loosening },
  }
}

function automationOf(entry: ProjectEntry): Automation {
  const { holidays, ...schedules } = entry.schedules ?? {}
  return {
    ...usualAutomation,
    ...schedules,
    ...(holidays && { holidays: new Set(holidays) }),
    team: teamRulesOf(entry),
    idle: { ...usualAutomation.idle, ...entry.idle },
    teamIdle: (entry.endpoints ?? []).flatMap(({ match, idle }) =>
      idle === undefined ? [] : [{ match, after: idle }],
    ),
  }
}
