import type { Settings } from '../domain/endpoint.ts'
import type { Request } from '../domain/request.ts'
import { writeLine } from './line.ts'
import { patch } from './patch.ts'
import { operationIn } from './stored.ts'
import { writeWord } from './words.ts'

/** The line that takes back what a request has done, or the reason why there is none. */
export type Inverse = { readonly line: string } | { readonly why: string }

/** Stop and start undo each other, a scale goes back to the count before it, a patch to the settings before it. */
export function inverseOf(request: Request, before: Settings | null): Inverse {
  const { row, values } = operationIn(request.line)
  const id = writeWord(request.endpoint?.id ?? '')
  if (request.change !== undefined) return changeBack(request, row.name, values)
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
      return patchBack(request, values, before)
    default:
      return { why: `There is nothing to take back from ${row.name}.` }
  }
}

/** What changes our own records: taken back where a single line does exactly that, else the line that comes near. */
function changeBack({ endpoint, ending }: Request, name: string, values: Readonly<Record<string, unknown>>): Inverse {
  const id = writeWord(endpoint?.id ?? '')
  const on = writeWord(endpoint?.name ?? '')
  switch (name) {
    case 'protect':
      return { line: `unprotect ${id}` }
    case 'unprotect':
      return { line: `protect ${id}` }
    case 'keep':
      return values['off'] === undefined ? { line: `keep ${id} off` } : { why: `keep ${on} 2h keeps it again.` }
    case 'idle':
      return values['mode'] === 'off'
        ? { why: `idle ${on} after 60m has it watched again.` }
        : { line: `idle ${id} off` }
    case 'unschedule':
      return { why: `${ending?.says ?? ''} schedule ${on} with its direction and times brings it back.` }
    default:
      return { why: `unschedule ${on} takes its rules away; schedules ${on} shows them.` }
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

function patchBack(request: Request, values: Readonly<Record<string, unknown>>, before: Settings | null): Inverse {
  if (values['env'] !== undefined)
    return {
      why: 'Values of environment variables are kept nowhere, so they cannot be put back. Enter them again with patch.',
    }
  if (before === null)
    return {
      why: 'The settings before it are unknown: the platform shows them only in the answer to a patch, and this was the first one seen here.',
    }
  const changed = Object.entries(settingOf).filter(([field]) => values[field] !== undefined)
  const back = Object.fromEntries(changed.map(([field, setting]) => [field, before[setting]]))
  return { line: writeLine(patch, { endpoint: request.endpoint?.id, ...back }) }
}
