import type { OperationName } from './names.ts'

export interface Route {
  readonly operation: OperationName
  readonly endpointId: string | null
}

/** The route; the allowed methods if the path exists; null if it doesn't. */
export type Found = { readonly route: Route } | { readonly allow: string } | null

const fixed: Readonly<Record<string, Readonly<Record<string, OperationName>>>> = {
  '/me': { GET: 'getMe' },
  '/endpoints': { GET: 'listEndpoints' },
  '/instance-types': { GET: 'listInstanceTypes' },
}
const ofOne: Readonly<Record<string, Readonly<Record<string, OperationName>>>> = {
  '': { GET: 'getEndpointStatus', PATCH: 'patchEndpoint' },
  start: { POST: 'startEndpoint' },
  stop: { POST: 'stopEndpoint' },
  scale: { POST: 'scaleEndpoint' },
  replicas: { GET: 'listReplicas' },
  logs: { GET: 'listLogFiles' },
  'logs/file': { GET: 'getLogFileContent' },
}
const onePath = /^\/endpoints\/([^/]+)(?:\/(.+))?$/

/** `path` follows the base path. Nothing is normalized: an extra slash makes it another path. */
export function findRoute(method: string, path: string): Found {
  const plain = Object.hasOwn(fixed, path) ? fixed[path] : undefined
  if (plain) return pick(plain, method, null)
  const one = onePath.exec(path)
  const id = one?.[1]
  const rest = one?.[2] ?? ''
  const methods = Object.hasOwn(ofOne, rest) ? ofOne[rest] : undefined
  if (id === undefined || methods === undefined) return null
  try {
    return pick(methods, method, decodeURIComponent(id))
  } catch {
    return null
  }
}

function pick(methods: Readonly<Record<string, OperationName>>, method: string, endpointId: string | null): Found {
  const operation = Object.hasOwn(methods, method) ? methods[method] : undefined
  return operation ? { route: { operation, endpointId } } : { allow: Object.keys(methods).join(', ') }
}
