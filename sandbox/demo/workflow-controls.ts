import type { PlatformSandbox } from '../platform/types.ts'
import { textAt } from '../slack/json.ts'
import { post } from '../slack/messages.ts'
import type { Control, PersonOption } from '../slack/options.ts'
import type { SlackSandbox } from '../slack/start.ts'

/** The author of a workflow's messages: its last step posts to the channel how the app's step ended. */
export const workflowBuilder: PersonOption = { id: 'U0FLOW', name: 'Workflow Builder', bot: true }

const channel = 'C0OPS'

/** Returns a button for each step of the app. It runs a workflow of that step in the name of the person who presses. */
export function workflowControls(slack: SlackSandbox, platform: PlatformSandbox): readonly Control[] {
  const { workspace, workflows } = slack
  const running = new Map<string, string>()
  slack.on('call', ({ method }) => {
    if (method.startsWith('functions.')) for (const [id, about] of running) tellEnd(id, about)
  })

  function tellEnd(id: string, about: string): void {
    const { state, outputs = {}, error = '' } = workflows.execution(id) ?? {}
    if (state === undefined || state === 'running') return
    running.delete(id)
    const by = textAt(outputs, 'decided_by')
    const who = by === undefined ? '' : ` · decided by <@${by}>`
    const goesOn = `The workflow continues. ${textAt(outputs, 'sentence') ?? ''}${who}`
    const text = state === 'completed' ? goesOn : `The workflow ended. ${error}`
    post(workspace, { channel, user: workflowBuilder.id, text: `*${about}*: ${text}` })
  }

  async function run(step: string, about: string, inputs: Record<string, string>): Promise<string> {
    const { id, answer } = await workflows.run(step, inputs)
    running.set(id, about)
    // It may have ended at once.
    tellEnd(id, about)
    return answer === 'acked' ? `Workflow started: ${about}.` : 'The app didn’t accept the workflow step.'
  }

  const named = (active: boolean) => platform.endpoints().find((one) => one.active === active)?.name
  return Object.entries(workspace.settings.functions).map(([step, { title, input_parameters }]) => ({
    group: 'Run a workflow',
    label: title,
    run(person) {
      const about = { person, reason: 'the nightly evaluation' }
      if ('question' in input_parameters.properties)
        return run(step, title, { ...about, question: 'Publish the model card of v2?' })
      const endpoint = named(step !== 'start_endpoint')
      if (endpoint === undefined) return 'No endpoint fits this step.'
      return run(step, `${title} ${endpoint}`, { ...about, endpoint })
    },
  }))
}
