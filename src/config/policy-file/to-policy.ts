import { type Automation, noPrices, type Prices, usualAutomation } from '../../core/model/automation.ts'
import {
  type Bounds,
  type Matrix,
  type Override,
  type Policy,
  usualAsking,
  usualMatrix,
} from '../../core/model/policy.ts'
import type { ProjectEntry } from './schema.ts'
import { teamRulesOf } from './team-rules.ts'

const usualBounds: Bounds = { replicas: 100, away: 30 * 86_400_000, keep: 7 * 86_400_000 }

/** What a project's part of the file says, with the usual wherever it says nothing. */
export function policyOf(entry: ProjectEntry, version: string): Policy {
  const { roles, approvals, endpoints = [], bounds } = entry
  return {
    version,
    roles,
    matrix: matrixOf(entry.matrix ?? {}),
    ...(entry.matrix && { written: entry.matrix }),
    asking: { ...usualAsking, ...approvals },
    overrides: endpoints.map(overrideOf),
    bounds: { ...usualBounds, ...bounds },
    automation: automationOf(entry),
    prices: pricesOf(entry),
  }
}

/** An entry that speaks of schedules only keeps its place, since rules are quoted by it. */
function overrideOf({
  match,
  protected: held,
  matrix,
  approvals,
}: NonNullable<ProjectEntry['endpoints']>[number]): Override {
  return {
    match,
    ...(held !== undefined && { protected: held }),
    ...(matrix && { matrix }),
    ...(approvals && { asking: approvals }),
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
      idle === undefined ? [] : [{ match, after: idle === 'off' ? null : idle }],
    ),
  }
}

function pricesOf({ prices: { currency = noPrices.currency, per_hour = {} } = {} }: ProjectEntry): Prices {
  return { currency, perHour: new Map(Object.entries(per_hour)) }
}
