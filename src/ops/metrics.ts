import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Happenings } from '../core/ports/meter.ts'

/** Buckets from the acknowledgement, which Slack expects within 3 s, to an approval given after an hour. */
const seconds = {
  quick: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  call: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  work: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
} as const

/** Why a line or an answer was not stored: a limit, or Redis. */
const limitNames = ['person', 'project', 'hour', 'storage']
const storageFaults = ['away', 'slow', 'full', 'readonly', 'changing', 'disk', 'locked', 'refused', 'perhaps']

/** The most tokens with a label of their own; the rest share one. */
const mostTokens = 100

/** Makes everything that `/metrics` shows. Labels are few and hold only our own words. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  function counter(name: string, help: string, labelNames: readonly string[]): Counter {
    return new Counter({ name: `lamplighter_${name}`, help, labelNames: [...labelNames], registers })
  }
  function gauge(name: string, help: string, labelNames: readonly string[]): Gauge {
    return new Gauge({ name: `lamplighter_${name}`, help, labelNames: [...labelNames], registers })
  }
  function histogram(name: string, help: string, labelNames: readonly string[], buckets: readonly number[]): Histogram {
    const labels = { labelNames: [...labelNames], buckets: [...buckets] }
    return new Histogram({ name: `lamplighter_${name}`, help, ...labels, registers })
  }

  const commands = counter('commands_total', 'Requests that ended.', ['project', 'verb', 'via', 'end'])
  const proposals = counter('program_requests_total', 'Requests of programs that ended.', ['project', 'token', 'end'])
  const tokens = new Set<string>()
  const took = histogram(
    'command_seconds',
    'From a command to its end. asked: whether people had to answer.',
    ['project', 'verb', 'asked'],
    seconds.work,
  )
  const acks = histogram('ack_seconds', 'From a delivery by Slack to the acknowledgement.', ['delivery'], seconds.quick)
  const unstored = counter('unstored_total', 'Commands and answers that were not stored.', ['project', 'why'])
  const limits = counter('limits_hit_total', 'Commands and answers refused by a rate limit.', ['project', 'limit'])
  const calls = histogram(
    'platform_call_seconds',
    'Calls to the platform.',
    ['project', 'operation', 'status'],
    seconds.call,
  )
  const events = counter('event_tries_total', 'Tries to send an event to a webhook.', ['project', 'webhook', 'end'])
  const refusals = counter('slack_refusals_total', 'Calls that Slack rejected.', ['method', 'why'])

  /** The first eight letters of a token's id, which also follow `lamp_` in its secret. */
  function labelOf(token: string): string {
    const label = token.slice(0, 8)
    if (tokens.size < mostTokens) tokens.add(label)
    return tokens.has(label) ? label : 'other'
  }

  const happened: { readonly [Kind in keyof Happenings]: (facts: Happenings[Kind]) => void } = {
    acknowledged: ({ delivery, seconds: length }) => acks.observe({ delivery }, length),
    ended({ project, verb, via, end, asked, seconds: length, token }) {
      commands.inc({ project, verb, via, end })
      if (token !== undefined) proposals.inc({ project, token: labelOf(token), end })
      took.observe({ project, verb, asked: asked ? 'yes' : 'no' }, length)
    },
    unstored({ project, why }) {
      if (limitNames.includes(why)) limits.inc({ project, limit: why })
      else unstored.inc({ project, why })
    },
    called: ({ project, operation, status, seconds: length }) => calls.observe({ project, operation, status }, length),
    eventSent: (facts) => events.inc(facts),
    chatRefused: ({ method, why }) => refusals.inc({ method, why }),
  }

  /** Sets counters to zero: without that, Prometheus would miss a project's first event. */
  function expectProject(project: string): void {
    for (const limit of limitNames) limits.inc({ project, limit }, 0)
    for (const why of storageFaults) unstored.inc({ project, why }, 0)
  }

  /** Set again at each scrape. */
  const gauges = {
    fault: gauge('fault', '1 for each check of doctor that fails, else 0.', ['project', 'check']),
    open: gauge('open_requests', 'Operations that have not ended.', ['project', 'state']),
    oldest: gauge('oldest_open_request_seconds', 'Age of the oldest operation that has not ended.', [
      'project',
      'state',
    ]),
    asks: gauge('asks_waiting', 'Questions that people have not answered.', ['project', 'requirement']),
    queue: gauge('queue_depth', 'Jobs that are waiting for a worker.', ['project', 'queue']),
    tick: gauge('tick_age_seconds', 'Time since the schedules were checked; +Inf after three minutes.', ['project']),
    endpoints: gauge('endpoints', 'Endpoints by use, as of the last check.', ['project', 'reading']),
    hours: gauge('saved_hours', 'Replica-hours saved in the last 7 days.', ['project', 'cause']),
    money: gauge('saved_money', 'Money saved in the last 7 days.', ['project', 'cause', 'currency']),
    lockdown: gauge('lockdown', '1 during a lockdown.', ['project']),
    frozen: gauge('frozen', '1 while all automation is paused.', ['project']),
    verified: gauge('audit_verified_timestamp_seconds', 'When the whole audit was last verified without a fault.', [
      'project',
    ]),
    policy: gauge('policy_info', '1, with the version of the policy file in force.', ['project', 'version']),
  } as const

  return {
    registry,
    gauges,
    expectProject,
    happened: <Kind extends keyof Happenings>(kind: Kind, facts: Happenings[Kind]) => happened[kind](facts),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
