import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Parameters } from '../options.ts'
import type { Execution, Workspace } from '../workspace.ts'
import type { Context, Methods } from './call.ts'
import { Refusal, refusalWith } from './refusal.ts'

export const functionMethods: Methods = {
  'functions.completeSuccess': { perMinute: 50, run: completeSuccess },
  'functions.completeError': { perMinute: 50, run: completeError },
}

function completeSuccess({ workspace, args }: Context): JsonObject {
  const execution = running({ workspace, args })
  const outputs = args.json('outputs') ?? {}
  const declared = workspace.settings.functions[execution.callbackId]?.output_parameters ?? { properties: {} }
  const wrong = misfits(workspace, declared, outputs)
  if (wrong !== undefined) throw refusalWith('parameter_validation_failed', [wrong])
  workspace.executions.set(execution.id, { ...execution, state: 'completed', outputs: outputs as JsonObject })
  return {}
}

function completeError({ workspace, args }: Context): JsonObject {
  const execution = running({ workspace, args })
  workspace.executions.set(execution.id, { ...execution, state: 'failed', error: args.required('error') })
  return {}
}

/** Finds a running step; a step ends only once. */
function running({ workspace, args }: Context): Execution {
  const execution = workspace.executions.get(args.required('function_execution_id'))
  if (execution === undefined) throw new Refusal('function_execution_not_found')
  if (execution.state !== 'running') throw new Refusal('execution_not_in_running_state')
  return execution
}

/** Returns why values do not fit their declaration; undefined if they do. */
export function misfits(workspace: Workspace, declared: Parameters, given: Json | undefined): string | undefined {
  if (!isObject(given)) return 'not an object'
  const missing = (declared.required ?? []).find((name) => given[name] === undefined || given[name] === '')
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, value] of Object.entries(given)) {
    const type = declared.properties[name]?.type
    if (type === undefined) return `${name} is not declared`
    if (typeof value !== 'string') return `${name} is no text`
    if (type === 'slack#/types/user_id' && !workspace.people.has(value)) return `${name} is nobody`
  }
  return undefined
}
