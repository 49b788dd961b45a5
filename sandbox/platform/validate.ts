import { type Fault422, Refusal } from './refusal.ts'

/** Reads values one by one and collects their errors, as a FastAPI service does. */
export interface Values {
  text(name: string): string | undefined
  flag(name: string): boolean | undefined
  whole(name: string, least: number, most?: number): number | undefined
  /** Notes an error if the value is missing. */
  need<T>(name: string, value: T | undefined): T
  fault(name: string, msg: string, type: string): void
  /** Throws a 422 if there was an error. */
  check(): void
}

/** Reads the values of a query string, in which numbers and flags are text. */
export function queryValues(query: URLSearchParams): Values {
  return values('query', (name) => query.get(name) ?? undefined, true)
}

/** Reads the values of a JSON body. Throws a 422 if it is not an object. */
export function bodyValues(body: unknown): Values {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const missing = body === undefined
    const msg = missing ? 'Field required' : 'Input should be a valid dictionary'
    throw new Refusal(422, [{ loc: ['body'], msg, type: missing ? 'missing' : 'model_attributes_type' }])
  }
  const fields = new Map(Object.entries(body))
  return values('body', (name) => fields.get(name), false)
}

function values(place: string, get: (name: string) => unknown, written: boolean): Values {
  const faults: Fault422[] = []

  function fault(name: string, msg: string, type: string): void {
    faults.push({ loc: [place, name], msg, type })
  }

  return {
    fault,
    text(name) {
      const value = get(name)
      if (value === undefined || typeof value === 'string') return value
      fault(name, 'Input should be a valid string', 'string_type')
      return undefined
    },
    flag(name) {
      const value = get(name)
      if (value === undefined || typeof value === 'boolean') return value
      if (written && (value === 'true' || value === '1')) return true
      if (written && (value === 'false' || value === '0')) return false
      fault(name, 'Input should be a valid boolean', 'bool_parsing')
      return undefined
    },
    whole(name, least, most = Number.MAX_SAFE_INTEGER) {
      const given = get(name)
      if (given === undefined) return undefined
      const value = written && typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        fault(name, 'Input should be a valid integer', 'int_type')
      } else if (value < least) {
        fault(name, `Input should be greater than or equal to ${least}`, 'greater_than_equal')
      } else if (value > most) {
        fault(name, `Input should be less than or equal to ${most}`, 'less_than_equal')
      } else {
        return value
      }
      return undefined
    },
    need<T>(name: string, value: T | undefined): T {
      if (value === undefined && get(name) === undefined) fault(name, 'Field required', 'missing')
      return value as T
    },
    check() {
      if (faults.length > 0) throw new Refusal(422, faults)
    },
  }
}
