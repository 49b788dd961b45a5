import type { Actor } from '../model/roles.ts'
import { programNames, type WorkflowStep } from '../model/token.ts'
import { say, type Words } from '../model/words.ts'
import type { IntakeContext } from './accept.ts'
import { acceptFromProgram } from './accept-program.ts'
import { gatewayFor } from './gateway.ts'

/** What a step of a workflow asks for. The chat has signed that the step was run; who is named in it, anybody may have chosen. */
export interface WorkflowArrival {
  readonly step: WorkflowStep
  /** In whose name. */
  readonly actor: Actor
  /** Where there are several. */
  readonly project?: string | undefined
  readonly line: string
  readonly reason: string
}

/** `later`: nothing is certain; the same step has to be handed in again. */
export type WorkflowResult = { readonly kind: 'taken' | 'later' } | { readonly kind: 'refused'; readonly says: Words }

/** The door for workflows. What is taken ends with a word to its step; for people without a role nothing is stored. */
export async function acceptFromWorkflow(
  context: IntakeContext,
  { step, actor, project, line, reason }: WorkflowArrival,
): Promise<WorkflowResult> {
  const gateway = gatewayFor(context.gateways, { project, channel: '' })
  if (gateway === undefined || (project !== undefined && gateway.project !== project))
    return { kind: 'refused', says: say('workflow.noProject') }
  const role = await gateway.home.roleOf(actor, '', 'recent').catch(() => undefined)
  if (role === undefined) return { kind: 'later' }
  if (role === null) return { kind: 'refused', says: say('workflow.noRole') }
  const through = { token: 'workflow', name: programNames.workflow, step }
  const given = { line, wants: 'operation', key: step.run, reason } as const
  const taken = await acceptFromProgram(context, { gateway, actor, through }, given)
  if (taken.kind !== 'refused') return { kind: 'taken' }
  return taken.why === 'storage' ? { kind: 'later' } : { kind: 'refused', says: taken.says }
}
