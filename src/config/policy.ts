import { type Bounds, type Matrix, type Policy, usualAsking, usualMatrix } from '../domain/demand.ts'
import type { ProjectEntry } from './policy-schema.ts'

const usualBounds: Bounds = { replicas: 100, away: 30 * 86_400_000 }

/** What a project's part of the file says, with the usual wherever it says nothing. */
export function policyOf(entry: ProjectEntry, version: string): Policy {
  const { roles, approvals, endpoints = [], bounds } = entry
  return {
    version,
    roles,
    matrix: matrixOf(entry.matrix ?? {}),
    asking: { ...usualAsking, ...approvals },
    overrides: endpoints.map(({ approvals: asking, ...rest }) => ({ ...rest, ...(asking && { asking }) })),
    bounds: { ...usualBounds, ...bounds },
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
