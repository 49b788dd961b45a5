import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import type { Report } from '../../../lifecycle/messages/draft.ts'
import { type Failure, failureOf } from '../web/calls.ts'
import { outputsOf } from '../workflows/steps.ts'
import { linksTo } from './sent-messages.ts'
import type { DeliveryParts, Done } from './wire.ts'

const done: Done = { kind: 'done', channel: '' }

/** Slack's errors for a step that waits for nothing any more: it was told before, or its workflow is over. */
const over = new Set(['execution_not_in_running_state', 'function_execution_not_found'])

/**
 * Tells a workflow how its step has ended. With the bot's own token: that of the event would have to be kept, and expires
 * within minutes.
 */
export async function tellWorkflow(
  { client, store }: Pick<DeliveryParts, 'client' | 'store'>,
  report: Report,
  says: string,
): Promise<Done | Failure> {
  const { run } = report.step
  const outputs = outputsOf(report, says, await linksTo(client, store)(report.request))
  if (outputs === null) return failStep(client, run, says)
  try {
    await client.functions.completeSuccess({ function_execution_id: run, outputs })
    return done
  } catch (error) {
    // The app was made from another manifest than ours: its workflow stops instead of waiting for ever.
    return errorOf(error) === 'parameter_validation_failed' ? failStep(client, run, says) : failed(error)
  }
}

/** Ends a step with an error, and its workflow with it. */
export async function failStep(client: WebClient, run: string, says: string): Promise<Done | Failure> {
  try {
    await client.functions.completeError({ function_execution_id: run, error: says })
    return done
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): Done | Failure {
  return over.has(errorOf(error)) ? done : failureOf(error)
}

function errorOf(error: unknown): string {
  return error instanceof WebAPIPlatformError ? error.data.error : ''
}
