import { type Misread, misread } from './misread.ts'

/** The usual abbreviations. Those that mean several zones, or another place for `Intl` than for people, are the reason that none is taken. */
const ambiguous: Readonly<Record<string, readonly string[]>> = {
  KST: ['Asia/Seoul'],
  JST: ['Asia/Tokyo'],
  IST: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  GMT: ['Europe/London', 'UTC'],
  CET: ['Europe/Berlin', 'Europe/Paris'],
  ET: ['America/New_York'],
  EST: ['America/New_York', 'America/Panama'],
  CT: ['America/Chicago'],
  CST: ['America/Chicago', 'Asia/Shanghai'],
  PT: ['America/Los_Angeles'],
  PST: ['America/Los_Angeles', 'Asia/Manila'],
}

const looks = 'zone.forms'

/** Reads a place or UTC, and spells it as the zone database does: abbreviations mean several places. */
export function readZone(typed: string): { readonly zone: string } | Misread {
  if (/^utc$/i.test(typed)) return { zone: 'UTC' }
  const name = typed.toUpperCase()
  const places = Object.hasOwn(ambiguous, name) ? ambiguous[name] : undefined
  if (places !== undefined) return misread('zone.ambiguous', { name, places: { any: places } })
  if (/^(?:etc\/|systemv\/|(?:utc|gmt)?[+-]\d)/i.test(typed)) {
    return misread('zone.offset', { typed })
  }
  if (!typed.includes('/')) {
    const place = zones().find((zone) => zone.toUpperCase().endsWith(`/${name}`))
    return place === undefined ? misread('zone.unknown', { typed }, looks) : misread('zone.place', { typed, place })
  }
  if (!isResolved(typed)) return misread('zone.unknown', { typed }, looks)
  return { zone: zones().find((zone) => zone.toUpperCase() === name) ?? typed }
}

function zones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone')
}

function isResolved(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
