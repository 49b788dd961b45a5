import type { Fault } from './faults.ts'

type Fields = Readonly<Record<string, unknown>>

const upstream = {
  type: '/errors/upstream-timeout',
  title: 'Upstream timeout',
  status: 504,
  detail: 'The live state could not be read in time',
  code: 'UPSTREAM_TIMEOUT',
  layer: 0,
  context: null,
}

/** Applies faults to the body of a 200: to its record, or to each record of a list. */
export function edited(body: unknown, faults: readonly Fault[]): unknown {
  return faults.reduce((now: unknown, fault) => each(now, (fields) => edit(fields, fault)), body)
}

function each(body: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(body)) return body.map((item) => each(item, change))
  if (typeof body !== 'object' || body === null) return body
  return 'items' in body ? { ...body, items: each(body.items, change) } : change(body as Fields)
}

function edit(fields: Fields, fault: Fault): Fields {
  switch (fault.kind) {
    case 'contradict':
      return 'is_active' in fields ? { ...fields, is_active: fields['is_active'] !== true } : fields
    case 'without':
      return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== fault.field))
    case 'problem':
      return { ...fields, error: fault.problem ?? upstream }
    case 'message':
      return 'message' in fields ? { ...fields, message: fault.text } : fields
    default:
      return fields
  }
}
