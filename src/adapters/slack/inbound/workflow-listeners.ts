import type { App } from '@slack/bolt'
import * as z from 'zod'
import { say, type Words } from '../../../core/model/words.ts'
import { acceptFromWorkflow, type WorkflowResult } from '../../../core/requests/accept-workflow.ts'
import { languageFor } from '../../../core/requests/gateway.ts'
import { asText } from '../../../core/words/render.ts'
import { failStep } from '../delivery/tell-workflow.ts'
import { typedText } from '../kit/text.ts'
import { steps } from '../workflows/steps.ts'
import type { ListenerContext } from './interaction.ts'

/** One line of plain text: what a workflow puts in may come from a form, with line breaks and mentions. */
const text = z.string().transform((given) => typedText(given).replace(/\s+/g, ' ').trim())
const inputsOf = z.object({
  person: z.string().regex(/^[UW][A-Z0-9]{2,20}$/),
  reason: text.default(''),
  endpoint: text.default(''),
  question: text.default(''),
  project: text.optional(),
})

/**
 * Steps of workflows. One is acknowledged once it is stored, or its workflow knows why not; anything else Slack delivers
 * again.
 */
export function listenToWorkflows(app: App, listening: ListenerContext): void {
  for (const [name, { line, about }] of steps)
    app.function(name, { autoAcknowledge: false }, async ({ event, body, client, ack }) => {
      const { function_execution_id: run } = event
      const { success, data } = inputsOf.safeParse(event.inputs)
      const actor = { team: body.team_id, user: success ? data.person : '' }
      const taken: WorkflowResult = success
        ? await acceptFromWorkflow(listening, {
            step: { name, run },
            actor,
            project: data.project || undefined,
            line: line(data[about]),
            reason: data.reason,
          })
        : refused(say('workflow.noPerson'))
      if (taken.kind === 'refused') {
        const language = await languageFor(listening.gateways, actor)
        const told = await failStep(client, run, asText(taken.says, language))
        if (told.kind === 'done') return ack()
      }
      if (taken.kind === 'taken') return ack()
      listening.log.warn({ step: name, run }, 'could not answer a workflow step; Slack sends it again')
    })
}

function refused(says: Words): WorkflowResult {
  return { kind: 'refused', says }
}
