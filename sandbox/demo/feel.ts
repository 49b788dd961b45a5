import type { OperationName } from '../platform/names.ts'
import type { PlatformSandbox } from '../platform/types.ts'
import type { SlackSandbox } from '../slack/start.ts'
import type { Pulse } from './pulse.ts'

/**
 * ms of real time within which the product may make its next call of the same kind. It doesn't read all endpoints at
 * once: it reads some tens of metrics a second and a few logs, and after a 429 leaves Slack alone for a while.
 */
const [afterMetrics, afterLogs, afterRefusal] = [60, 500, 1_500]

const slowly: Readonly<Partial<Record<OperationName, number>>> = {
  listReplicas: afterMetrics,
  listLogFiles: afterLogs,
  getLogFileContent: afterLogs,
}

/** Beats the pulse whenever the product calls this platform, one of its endpoints, or this Slack. */
export function feel(pulse: Pulse, platform: PlatformSandbox, slack: SlackSandbox): void {
  platform.onVisit(() => pulse.beat(afterMetrics))
  platform.onCall(({ operation }) => pulse.beat(slowly[operation]))
  slack.onCall(({ answer }) => pulse.beat(answer?.['error'] === 'ratelimited' ? afterRefusal : 0))
}
