import type { OperationName } from '../platform/names.ts'
import type { PlatformSandbox } from '../platform/types.ts'
import type { SlackSandbox } from '../slack/start.ts'
import type { Pulse } from './pulse.ts'

/**
 * ms of real time within which the next of its kind may be asked for. Whoever looks at many endpoints does not ask them
 * all at once: of metrics some tens are read in a second, of logs a few, and after a 429 Slack is left alone for a while.
 */
const [afterMetrics, afterLogs, afterRefusal] = [60, 500, 1_500]

const slowly: Readonly<Partial<Record<OperationName, number>>> = {
  listReplicas: afterMetrics,
  listLogFiles: afterLogs,
  getLogFileContent: afterLogs,
}

/** Feels the pulse of whoever uses this platform and this Slack. */
export function feel(pulse: Pulse, platform: PlatformSandbox, slack: SlackSandbox): void {
  platform.onVisit(() => pulse.beat(afterMetrics))
  platform.onCall(({ operation }) => pulse.beat(slowly[operation]))
  slack.onCall(({ answer }) => pulse.beat(answer?.['error'] === 'ratelimited' ? afterRefusal : 0))
}
