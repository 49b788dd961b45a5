/** A duration in hours and minutes; older stored sentences may have minutes alone: "125 min". */
const since = '{hours, plural, =0 {{minutes} min} other {{hours} h{minutes, plural, =0 {} other { {minutes} min}}}}'

/** Idle rules: answers, notices, and the evidence for use. */
export const idleStopWords = {
  'idle.length': 'After how long?',
  'idle.offAlone': '“off” takes no other options.',
  'idle.bounds': 'The policy allows idle times from {least} to {most}.',
  'idle.warning': 'The warning has to come 5 to 120 minutes before the stop.',
  'idle.autoscaled':
    '{name} is autoscaled, so the platform starts and stops it; checking its metrics could keep it awake. To use idle stop anyway, add <c>autoscaled=yes</c>.',
  'idle.alreadyOff': 'Idle stop is already off for {name}.',
  'idle.off': '{name} is no longer stopped for being idle.',
  'idle.tryOff': 'I no longer watch {name} for being idle.',
  'idle.on': 'After {after} without requests a warning is posted; {warn} later {name} stops.',
  'idle.try': '{name} keeps running: after {after} without requests I’ll only post that it would be stopped.',
  'idle.was': 'Before: {mode, select, try {dry run, } other {}}idle time {after}, warning {warn} before the stop.',
  'idle.raised': 'For now it has to be idle for {length}, because it was started again soon after a stop.',
  'idle.unknownBefore': 'It had no idle stop of its own before; <c>{line}</c> turns one on.',

  'idle.wouldStop': '{name} would be stopped now: {evidence}. It’s a dry run, so it keeps running.',
  'idle.stopWhenIdle': 'Stop it when idle',
  'idle.longer':
    'Its idle time is now {length}, because it was started again soon after {times, plural, one {an idle stop} other {# idle stops}}.',
  'idle.unknownForADay': 'I haven’t been able to tell for a day whether {name} is idle: {why}.',
  'idle.startedElsewhere': '{name} was started again outside Lamplighter.',
  'idle.tooEarly': 'It had been stopped for being idle less than an hour earlier, so that stop came too early.',
  'idle.fromNowOn': 'From now on it has to be idle for {length}.',

  'hindsight.hour': 'Each hour it’s stopped saves {hour}.',
  'hindsight.tooLittle': 'There isn’t enough data yet to tell when it would have been stopped.',
  'hindsight.unknown': 'There’s no data for {share, number, percent} of that time.',
  'hindsight.none': 'In the last {span} it wouldn’t have been stopped.',
  'hindsight.stops':
    'In the last {span} it would have been stopped {stops, plural, one {once} =2 {twice} other {# times}}{hurt, plural, =0 {} other { (# too early: it was used again within the hour)}}, saving {saved}{priced, select, yes { ({money})} other {}}.',

  'reading.reset': 'a counter dropped, so the server was restarted',
  'reading.restarted': 'a server was restarted',
  'reading.quiet': 'no requests{replicas, plural, =1 {} =2 { on both replicas} other { on all # replicas}}',
  'reading.silent':
    '{seen, plural, =0 {} other {no requests on #, and }}no log lines from {logs} of {replicas, plural, one {# replica} other {# replicas}}',
  'reading.starting': 'replica {replica} is {state}',
  'reading.requests': '{count, plural, one {# request} other {# requests}} ended since the last check',
  'reading.worked': 'work counters went up',
  'reading.open': '{count, plural, one {# request is} other {# requests are}} running or waiting',
  'reading.log': 'replica {replica} wrote to its log',
  'reading.noReplica': 'the platform lists no replicas',
  'reading.unlisted': 'the platform didn’t say which replicas it has',
  'reading.unread': 'the metrics weren’t read',
  'reading.stuck':
    'requests are shown as running, but nothing has moved for 15 min: they’re stuck, or the numbers are stale',
  'reading.first': 'this is the first check',
  'reading.newReplica': 'a replica is new',
  'reading.partly':
    '{seen, plural, =0 {none of the metrics of {replicas} replicas} other {only the metrics of {seen} of {replicas} replicas}} could be read and told apart{logs, select, yes {, and not all logs could be read} other {}}',
  'reading.noAddress': 'the platform gives no URL for it',
  'reading.redirected':
    'the metrics URL redirects ({status}), which I don’t follow; stop it and set the path with <c>{line}</c>',
  'reading.nowhere': 'no metrics were found at {paths}; if they’re elsewhere, set the metrics path with a patch',
  'reading.status': 'the metrics URL answered {status}',
  'reading.needsKey':
    'the metrics URL needs a key ({status}); create a separate API key that can only reach the containers to watch (never the key Lamplighter uses for the platform), and name its variable in the policy file: {setting}',
  'reading.keyRefused':
    'the metrics URL rejects the metrics key ({status}); create one that can reach this container, and put it into the variable that {setting} names',
  'reading.packed': 'the metrics came compressed, which isn’t supported',
  'reading.slow': 'the metrics took longer than {seconds, number} s',
  'reading.long': 'the metrics are longer than {most} MB',
  'reading.unreachable': 'the metrics URL couldn’t be reached',
  'reading.private': 'the metrics URL is a private address; allow those with {setting} in the policy file',
  'reading.autoscaled':
    'it’s autoscaled, and checking the metrics could keep it awake; to check them anyway, type <c>{line}</c>',
  'reading.noNames': 'none of the metrics show whether it’s used',
  'reading.notNumber': 'a metric isn’t a number',
  'reading.noCounter': 'the metrics have no counter that goes up with use',
  'reading.changed': 'changed {at}{by, select, none {} other { by {by}}} ({deed})',
  'reading.unlooked': 'not checked yet',
  'reading.lookedBeforeChange': 'not checked since the last change',
  'reading.old': 'not checked for {length}',

  'idle.for': `no requests for ${since}`,
  'idle.evidence': `no requests for ${since}{all, select, yes {{replicas, plural, =1 {} =2 { on both replicas} other { on all # replicas}}} other { on {seen} of {replicas, plural, one {# replica} other {# replicas}}}} (from {by})`,
  'idle.metrics': '{known, select, yes {{servers} metrics} other {metrics}}',
  'idle.logs': 'logs',
  'idle.reason': 'It had {evidence}.',

  'usage.busy': 'In use: {why}.',
  'usage.changed': 'Counts as in use: {why}.',
  'usage.unknown': 'Usage unknown: {why}.',
  'usage.quiet': 'Idle for {length} ({why}{metrics, select, yes {, from {servers} metrics} other {}}).',
  'usage.idle': 'idle for {length}',
  'usage.remedy':
    'To tell replicas apart, let its metrics include process_start_time_seconds, or run a single replica.',
  'usage.notWhileUnknown': 'Until that’s known, it won’t be stopped for being idle.',
  'usage.spared': 'Idle stop is paused: {why}.',
  'usage.stops':
    'Idle stop: {state, select, stopped {once it’s running, } other {}}a warning is posted after {after} without requests{counted, select, some {{from, select, none {} other {, counted from {from}}}} other {}}{longer, select, yes {; longer than set, because it was started again soon after a stop} other {}}.',
  'usage.tries':
    'Idle dry run: after {after} without requests{counted, select, some {{from, select, none {,} other {, counted from {from},}}} other {}} I’ll only post that it would be stopped{longer, select, yes {; longer than set, because it was started again soon after a stop} other {}}.',

  'spared.protected': 'protection is on',
  'spared.autoscaled': 'autoscaling is on',
  'spared.frozen': 'all automation is paused',
  'spared.kept': 'automation is paused',
  'spared.run': 'a run until {until} was requested',
  'spared.schedule': 'scheduled to {want, select, up {run} other {stay stopped}} now',

  'withdrawn.changed': 'idle stop or the replicas have changed',
  'withdrawn.inUse': 'in use again ({why})',
  'withdrawn.unknown': 'usage unknown ({why})',
  'withdrawn.off': 'idle stop is off',
  'withdrawn.try': 'idle stop is only a dry run',
  'withdrawn.partly': 'there’s no data for {unknown} of the last {span}',
} as const
