import { writeWord } from '../../../core/commands/parse.ts'
import type { Status } from '../../../core/model/request.ts'
import type { Report } from '../../../lifecycle/messages/draft.ts'

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
