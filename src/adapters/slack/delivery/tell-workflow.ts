import type { WebClient } from '@slack/web-api'
import { defined } from '../../../core/model/defined.ts'
import type { Status } from '../../../core/model/request.ts'
import type { Report } from '../../../lifecycle/messages/draft.ts'
import { codeOf, type Failure, failureOf } from '../web/failures.ts'
import type { DeliveryParts, Done } from './send-private.ts'
import { addressesFrom, linksTo } from './sent-messages.ts'

interface StepKind {
  /** The command that the step stands for, and the step's input that it is about. */
  readonly verb: string
  readonly about: 'endpoint' | 'question'
  /** The statuses with which the workflow continues, and its name for each. Any other status fails the step. */
  readonly results: Readonly<Partial<Record<Status, string>>>
}

/** The steps by their ids. `workflow-steps.yml` declares the same steps to Slack. */
export const steps: ReadonlyMap<string, StepKind> = new Map<string, StepKind>([
  ['start_endpoint', { verb: 'start', about: 'endpoint', results: { succeeded: 'done' } }],
  ['stop_endpoint', { verb: 'stop', about: 'endpoint', results: { succeeded: 'done' } }],
  // A decline is an answer too.
  ['ask_for_approval', { verb: 'ask', about: 'question', results: { succeeded: 'approved', declined: 'declined' } }],
])

const done: Done = { kind: 'done', channel: '' }

/** Slack's errors for a step that no longer waits, because it was completed before or its workflow has ended. */
const over = new Set(['execution_not_in_running_state', 'function_execution_not_found'])

/** Uses the bot's token, because the event's token would have to be stored and expires within minutes. */
export async function tellWorkflow({ client, store }: DeliveryParts, report: Report, says: string) {
  const { run } = report.step
  const outputs = outputsOf(report, says, await linksTo(store, addressesFrom(client))(report.request))
  if (outputs === null) return failStep(client, run, says)
  try {
    await client.functions.completeSuccess({ function_execution_id: run, outputs })
    return done
  } catch (error) {
    // The app was made from another manifest, so its workflow fails instead of waiting forever.
    return codeOf(error) === 'parameter_validation_failed' ? failStep(client, run, says) : failed(error)
  }
}

/** Returns the outputs for later steps, or null if the step failed. `says`: the result; `link`: to the card. */
export function outputsOf({ step, request, status, by, because }: Report, says: string, link: string | null) {
  const result = steps.get(step.name)?.results[status]
  if (result === undefined) return null
  const decided = { decided_by: by?.user, decided_because: because }
  return defined({ result, sentence: says, request, link: link ?? undefined, ...decided })
}

export function failStep(client: WebClient, run: string, says: string): Promise<Done | Failure> {
  return client.functions.completeError({ function_execution_id: run, error: says }).then(() => done, failed)
}

function failed(error: unknown): Done | Failure {
  return over.has(codeOf(error)) ? done : failureOf(error)
}
