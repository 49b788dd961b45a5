import { type Document, isMap, isNode, isScalar } from 'yaml'

export type Path = readonly PropertyKey[]

/** Something wrong at a place of the file; `says` is a sentence that begins with the place's name. */
export interface Fault {
  readonly path: Path
  readonly says: string
}

/** `projects[0].roles.viewer[1]`. */
export function nameOf(path: Path): string {
  if (path.length === 0) return 'the file'
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('')
}

/** Where the thing at the path begins: its key where it has one, else the nearest thing above that is there. */
export function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true)
    const last = path[depth - 1]
    if (isMap(parent)) {
      const key = parent.items
        .map((pair) => pair.key)
        .find((candidate) => isScalar(candidate) && candidate.value === last)
      if (isNode(key) && key.range) return key.range[0]
    }
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}
