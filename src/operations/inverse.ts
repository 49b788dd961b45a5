import type { Settings } from '../domain/endpoint.ts'
import { isSkipped } from '../domain/past.ts'
import type { Request } from '../domain/request.ts'
import type { Given } from './field.ts'
import { writeLine } from './line.ts'
import { patch } from './patch.ts'
import { operationIn } from './stored.ts'
import { type Asker, type Inverse, takeBack } from './take-back.ts'
import { writeWord } from './words.ts'

/** Stop and start undo each other, a scale goes back to the count before it, a patch to the settings before it. */
export function inverseOf(request: Request, asker: Asker): Inverse {
  const { row, values } = operationIn(request.line)
  const id = writeWord(request.endpoint?.id ?? '')
  if (isSkipped(request)) return { line: `keep ${id} off` }
  if (request.change !== undefined) return takeBack(request, row.name, values, asker)
  switch (row.name) {
    case 'start':
      return { line: `stop ${id}` }
    case 'stop':
      return { line: `start ${id}` }
    case 'scale': {
      const replicas = request.progress?.[0]?.sends[0]?.before.replicas
      return replicas === undefined
        ? { why: 'How many replicas it had before was not to be seen.' }
        : { line: `scale ${id} to ${replicas}` }
    }
    case 'patch':
      return patchBack(request, values)
    default:
      return { why: `There is nothing to take back from ${row.name}.` }
  }
}

/** The settings a field of the patch row stands for, as the platform's own answers show them. */
const settingOf = {
  port: 'container_port',
  health: 'container_health_check_path',
  healthTimeout: 'container_health_check_timeout',
  startTimeout: 'health_check_timeout',
  metrics: 'container_metric_path',
  command: 'container_start_command',
} as const satisfies Record<string, keyof Settings>

function patchBack(request: Request, values: Given): Inverse {
  const { before } = request
  if (values['env'] !== undefined)
    return {
      why: 'Values of environment variables are kept nowhere, so they cannot be put back. Enter them again with patch.',
    }
  if (before === undefined)
    return {
      why: 'The settings before it are unknown: the platform shows them only in the answer to a patch, and this was the first one seen here.',
    }
  const changed = Object.entries(settingOf).filter(([field]) => values[field] !== undefined)
  const back = Object.fromEntries(changed.map(([field, setting]) => [field, before[setting]]))
  return { line: writeLine(patch, { endpoint: request.endpoint?.id, ...back }) }
}
