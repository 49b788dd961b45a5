import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { writeWord } from '../../../core/commands/parse.ts'
import type { Status } from '../../../core/model/request.ts'
import type { Report } from '../../../lifecycle/messages/draft.ts'
import { type Failure, failureOf } from '../web/calls.ts'
import { linksTo } from './sent-messages.ts'
import type { DeliveryParts, Done } from './wire.ts'

/** A step of Workflow Builder, by the id that the manifest gives it. */
interface StepKind {
  /** The line of `/endpoint` that it stands for. */
  readonly line: (about: string) => string
  /** Which of its inputs is what the line is about. */
  readonly about: 'endpoint' | 'question'
  /** The ends with which its workflow goes on, and what each is called there; with any other it fails. */
  readonly results: Readonly<Partial<Record<Status, string>>>
}

/** `workflow-steps.yml` declares the same to Slack. */
export const steps: ReadonlyMap<string, StepKind> = new Map(
  Object.entries({
    start_endpoint: {
      line: (name) => `start ${writeWord(name)}`,
      about: 'endpoint',
      results: { succeeded: 'done' },
    },
    stop_endpoint: {
      line: (name) => `stop ${writeWord(name)}`,
      about: 'endpoint',
      results: { succeeded: 'done' },
    },
    ask_for_approval: {
      line: (question) => `ask ${writeWord(question)}`,
      about: 'question',
      // A no is an answer too.
      results: { succeeded: 'approved', declined: 'declined' },
    },
  } satisfies Record<string, StepKind>),
)

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

/** What a step gives to the steps after it; null where it fails. `says`: how it ended; `link`: of its card. */
export function outputsOf(
  { step, request, status, by, because }: Report,
  says: string,
  link: string | null,
): Record<string, string> | null {
  const result = steps.get(step.name)?.results[status]
  if (result === undefined) return null
  return {
    result,
    sentence: says,
    request,
    ...(link !== null && { link }),
    ...(by !== undefined && { decided_by: by.user }),
    ...(because !== undefined && { decided_because: because }),
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
