import type { Actor } from '../../core/model/roles.ts'
import { programNames, type WorkflowStep } from '../../core/model/token.ts'
import { say, type Words } from '../../core/model/words.ts'
import { acceptFromProgram } from '../../core/requests/accept-program.ts'
import type { IntakeContext } from '../../core/requests/gateway.ts'
import { gatewayFor } from '../../core/requests/gateway.ts'

/** A workflow step's request. The chat signs only that the step ran: its author may name anyone as the actor. */
interface WorkflowArrival {
  readonly step: WorkflowStep
  /** The person in whose name the step runs. */
  readonly actor: Actor
  /** Set if there are several projects. */
  readonly project?: string | undefined
  readonly line: string
  readonly reason: string
}

/** `later`: the outcome is unknown, so the same step must be sent again. */
export type WorkflowResult =
  | { readonly kind: 'accepted' | 'later' }
  | { readonly kind: 'refused'; readonly says: Words }

/** Accepts a workflow step, which gets the result when the request ends. Stores nothing for people without a role. */
export async function acceptFromWorkflow(
  context: IntakeContext,
  { step, actor, project, line, reason }: WorkflowArrival,
): Promise<WorkflowResult> {
  const gateway = gatewayFor(context.gateways, { project, channel: '' })
  if (gateway === undefined) return { kind: 'refused', says: say('workflow.noProject') }
  const role = await gateway.home.roleOf(actor, '', 'recent').catch(() => undefined)
  if (role === undefined) return { kind: 'later' }
  if (role === null) return { kind: 'refused', says: say('workflow.noRole') }
  const through = { token: 'workflow', name: programNames.workflow, step }
  const given = { line, wants: 'operation', key: step.run, reason } as const
  const taken = await acceptFromProgram(context, { gateway, actor, through }, given)
  if (taken.kind !== 'refused') return { kind: 'accepted' }
  return taken.why === 'storage' ? { kind: 'later' } : { kind: 'refused', says: taken.says }
}
