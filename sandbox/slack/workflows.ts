import type { JsonObject } from './json.ts'
import type { Answer } from './link.ts'
import type { FunctionOption, Parameters } from './options.ts'
import { sendEvent } from './people/events.ts'
import { waitFor } from './people/waiting.ts'
import type { Slack } from './slack.ts'
import { misfits } from './web-api/functions.ts'
import type { Execution, Workspace } from './workspace.ts'

/** The workflows that people have built in this workspace; each is one step of the app. */
export interface Workflows {
  /** Runs a step with its workflow's inputs. Throws if Workflow Builder would not have let a person save them. */
  run(callbackId: string, inputs: JsonObject): Promise<{ readonly id: string; readonly answer: Answer['kind'] }>
  execution(id: string): Execution | undefined
  /** Waits until the app has reported how the step ended. */
  ended(id: string, timeoutMs?: number): Promise<Execution>
}

export function createWorkflows(slack: Slack): Workflows {
  const { workspace } = slack
  return {
    async run(callbackId, inputs) {
      const declared = workspace.settings.functions[callbackId]
      if (declared === undefined) throw new Error(`The app has no step ${callbackId}.`)
      const wrong = misfits(workspace, declared.input_parameters, inputs)
      if (wrong !== undefined) throw new Error(`Workflow Builder does not run this: ${wrong}.`)
      const id = workspace.ids.next('Fx')
      workspace.executions.set(id, { id, callbackId, inputs, state: 'running' })
      const answer = await sendEvent(slack, {
        type: 'function_executed',
        function: { ...described(workspace, callbackId, declared) },
        inputs,
        function_execution_id: id,
        workflow_execution_id: workspace.ids.next('Wx'),
        // Valid only for this run, and only for a while: an app that keeps it keeps a secret.
        bot_access_token: `xwfp-sandbox-${workspace.secret}-${id}`,
      })
      return { id, answer: answer.kind }
    },
    execution: (id) => workspace.executions.get(id),
    ended: (id, timeoutMs) =>
      waitFor(
        workspace,
        () => {
          const found = workspace.executions.get(id)
          return found === undefined || found.state === 'running' ? undefined : found
        },
        () => `The step ${id} still waits for its end.`,
        timeoutMs,
      ),
  }
}

function described({ settings }: Workspace, callbackId: string, declared: FunctionOption): JsonObject {
  const at = Math.floor(settings.clock.now() / 1_000)
  const listed = ({ properties, required = [] }: Parameters) =>
    Object.entries(properties).map(([name, one]) => ({ ...one, name, is_required: required.includes(name) }))
  return {
    id: `Fn${callbackId}`,
    callback_id: callbackId,
    title: declared.title,
    description: declared.description,
    type: 'app',
    input_parameters: listed(declared.input_parameters),
    output_parameters: listed(declared.output_parameters),
    app_id: settings.app.id,
    date_created: at,
    date_updated: at,
    date_deleted: 0,
  }
}
