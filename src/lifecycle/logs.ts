import type { Tail } from '../domain/tail.ts'
import type { Asked, OwnOutcome } from './own.ts'
import type { House } from './ports.ts'

export async function tailOf(_house: House, _asked: Asked): Promise<OwnOutcome<Tail>> {
  return { kind: 'none', says: 'No log file can be read yet.', offers: [] }
}
