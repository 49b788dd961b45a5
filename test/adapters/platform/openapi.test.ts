import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

type Node = Record<string, unknown>
interface Operation extends Node {
  operationId: string
  responses: Record<string, unknown>
}

const document = parse(readFileSync('src/adapters/platform/openapi.yaml', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Node> }
}

const operations = Object.values(document.paths).flatMap((path) =>
  ['get', 'patch', 'post'].flatMap((method) => path[method] ?? []),
)
const named = new Map(operations.map((operation) => [operation.operationId, operation]))
const ofOneEndpoint = operations.filter(
  ({ operationId }) => !['getMe', 'listEndpoints', 'listInstanceTypes'].includes(operationId),
)

function statuses(name: string): string[] {
  return Object.keys(named.get(name)?.responses ?? {})
}

function everyObject(node: unknown, path: string): [path: string, node: Node][] {
  if (typeof node !== 'object' || node === null) return []
  const own: [string, Node][] = Array.isArray(node) ? [] : [[path, node as Node]]
  return [...own, ...Object.entries(node).flatMap(([name, child]) => everyObject(child, `${path}/${name}`))]
}

describe('The OpenAPI document', () => {
  test('describes the ten operations of the specification and one of the public documentation', () => {
    expect([...named.keys()].sort()).toEqual([
      'getEndpointStatus',
      'getLogFileContent',
      'getMe',
      'listEndpoints',
      'listInstanceTypes',
      'listLogFiles',
      'listReplicas',
      'patchEndpoint',
      'scaleEndpoint',
      'startEndpoint',
      'stopEndpoint',
    ])
  })

  test('declares every error status of every operation', () => {
    for (const { operationId } of operations)
      expect(statuses(operationId)).toEqual(expect.arrayContaining(['401', 'default']))
    for (const { operationId } of ofOneEndpoint)
      expect(statuses(operationId)).toEqual(expect.arrayContaining(['403', '404']))
    for (const name of ['patchEndpoint', 'scaleEndpoint']) expect(statuses(name)).toContain('400')
    for (const name of ['patchEndpoint', 'startEndpoint', 'stopEndpoint', 'scaleEndpoint']) {
      expect(statuses(name)).toContain('500')
    }
    expect(operations.filter(({ operationId }) => statuses(operationId).includes('409'))).toEqual([
      named.get('patchEndpoint'),
    ])
  })

  test('marks the origin of every operation, schema and property', () => {
    const origins = ['seed', 'public-docs', 'assumed']
    const unmarked = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>)
      const parts: [string, Node][] = [
        [name, schema],
        ...properties.map(([key, node]): [string, Node] => [`${name}.${key}`, node]),
      ]
      return parts.filter(([, node]) => !('$ref' in node) && !origins.includes(String(node['x-origin'])))
    })
    expect(unmarked.map(([name]) => name)).toEqual([])
    expect(operations.filter((operation) => !origins.includes(String(operation['x-origin'])))).toEqual([])
  })

  test('leaves objects and state words open', () => {
    const closed = everyObject(document, '').filter(
      ([, node]) => node['additionalProperties'] === false || Array.isArray(node['enum']),
    )
    expect(closed.map(([path]) => path)).toEqual([])
  })

  test('refuses an empty patch and writes null as OpenAPI 3.1 does', () => {
    expect(document.components.schemas['PatchRequest']?.['minProperties']).toBe(1)
    expect(everyObject(document, '').filter(([, node]) => 'nullable' in node)).toEqual([])
  })
})
