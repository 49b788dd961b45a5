/** Answers and refusals of the commands for endpoints. */
export const endpointWords = {
  'endpoint.running':
    '{name} is {state, select, failed {failing. A restart may help} starting {already starting} stopping {stopping} changing {changing} other {already running}}.',
  'endpoint.stopped': '{name} is already stopped.',
  'endpoint.restartStopped': '{name} is stopped. Start it instead.',
  'endpoint.scaleStopped': '{name} is stopped. Only a running endpoint can be scaled.',
  'endpoint.autoscaled': '{name} is autoscaled, so its replicas can’t be set here.',
  'endpoint.mostReplicas':
    'The policy allows at most {most, plural, one {# replica} other {# replicas}} (bounds.replicas).',
  'endpoint.hasReplicas': '{name} already has {count, plural, one {# replica} other {# replicas}}.',
  'endpoint.unchanged': 'Change at least one setting.',
  'endpoint.forOrUntil': 'Give either a length or an end, not both.',
  'endpoint.replicasUnknown': 'I don’t know how many replicas {name} had before.',
  'endpoint.envUnknown':
    'Environment values aren’t stored, so I can’t restore them. Set them again with <c>/endpoint patch</c>.',
  'endpoint.settingsUnknown':
    'I don’t know the earlier settings: the platform shows them only in its reply to a patch, and this was the first patch made here.',
  'endpoint.costs': 'About {cost} in all.',

  'endpoint.refused': 'The platform’s answer about {name}: {why} Nothing was done.',

  'endpoint.state':
    '{state, select, running {running} stopped {stopped} starting {starting} stopping {stopping} changing {changing} failed {failing} other {state unknown}}{next, select, none {} other { · {next}}}{idle, select, none {} other { · {idle}}}{word, select, none {} other { · {word}}}{known, select, none {} some { · {up} of {replicas, plural, one {# replica} other {# replicas}} running} other { · {state, select, stopped {starts with } other {}}{replicas, plural, one {# replica} other {# replicas}}}}{known, select, none {} other {{scaled, select, yes {, autoscaled} other {}}}}{gpu, select, none {} other { · {gpu}}}',
  'endpoint.gpuCost': '{gpu} · {cost} an hour{state, select, stopped { when running} other {}}',
  'endpoint.next':
    '{verb, select, stops {stops} other {starts}} {when, select, now {now} other {in {length}}}{by, select, once {} idle { (idle)} other { (schedule)}}',

  'action.start': 'Start',
  'action.stop': 'Stop',
  'action.restart': 'Restart',
  'action.scale': 'Scale…',
  'action.patch': 'Patch…',
  'action.schedule': 'Schedule…',
  'action.idle': 'Idle stop…',
  'action.keep': 'Pause automation…',
  'action.resume': 'Resume automation…',
  'action.thaw': 'Resume all automation…',
  'action.protect': 'Protect…',
  'action.status': 'Status',
  'action.replicas': 'Replicas',
  'action.logs': 'Logs',
  'action.schedules': 'Schedules',
  'action.history': 'History',
  'action.list': 'List',
  'action.savings': 'Savings',
  'action.explain': 'Explain',
  'action.whoami': 'Show my role',
  'action.doctor': 'Run checks',
  'action.help': 'Help',
  'action.more': 'More…',

  'endpoint.start': 'Start {name}',
  'endpoint.stop': 'Stop {name}',
  'endpoint.restart': 'Restart {name}',

  'list.title':
    '{total, plural, one {# {state, select, running {running } stopped {stopped } idle {idle } other {}}endpoint} other {# {state, select, running {running } stopped {stopped } idle {idle } other {}}endpoints}}',
  'list.cost':
    'Running now: {hour} an hour, about {month} a month at this rate.{dearest, select, none {} other { {dearest} costs the most.}}',
  'list.open':
    '{verb} {awaits, select, nothing {in progress} approval {waits for approval} other {waits for confirmation}}',
  'list.idle': '{mode, select, try {idle dry run} other {idle stop}} after {after}',
  'list.none':
    '{state, select, idle {No running endpoint has been idle for long.} stopped {No endpoint is stopped.} running {No endpoint is running.} other {No endpoints match.}}',
  'list.which': 'After list comes running, stopped, or idle; status shows one endpoint.',
  'list.noPage': 'There’s no page {page}; the last is page {pages}.',
  'page.of': 'Page {page} of {pages}',
  'page.previous': 'Previous',
  'page.next': 'Next',
  'page.last': 'Last page',

  'replicas.title': '{name} has {count, plural, =0 {no replicas} one {# replica} other {# replicas}}',
  'replicas.state': '{id} · {state}',
  'replicas.running': 'running for {length}',
  'replicas.node': 'on {node}',

  'schedules.titleAll':
    '{count, plural, =0 {No schedules yet. Create one with <c>/endpoint schedule</c>.} one {# endpoint with automation} other {# endpoints with automation}}',
  'schedules.titleOf': 'Schedule of {name}',
  'schedules.none': '{name} has no schedule and no idle stop, so Lamplighter doesn’t stop it automatically.',
  'schedules.noStart': '{name} is stopped and has no schedule, so Lamplighter doesn’t start it automatically.',
  'schedules.frozen':
    'Automation is paused{by, select, none {} other { by {by}}} {until, select, none {until someone resumes it} other {until {until}}}{because, select, no {} other {: “{reason}”}}',
  'schedules.days': 'Next 7 days{place, select, none {} UTC { (UTC)} other { ({place} time)}}:',
  'schedules.more': '{count} more',
  'schedules.paused': 'paused: Slack doesn’t confirm that its owner is an operator here',
  'schedules.moved': '(moved to {at})',
  'schedules.idle':
    'idle stop after {after}, {mode, select, try {dry run: only announced} other {warning {warn} before}}{autoscaled, select, yes {, also when autoscaled} other {}}',
  'schedules.longer': 'Set to {after}; longer now, because it was started again soon after a stop.',
  'schedules.neverIdle': 'never stopped for being idle',
  'schedules.gone': 'The platform no longer has it, so its rules are paused.',
  'schedules.staysStopped': 'After a stop, it stays stopped until someone starts it.',
  'schedules.announced': 'A stop is announced for {at}.',
  'schedules.by': 'by',
  'schedules.remove': 'Remove',
  'schedules.cancelStop': 'Cancel this stop',
  'schedules.removeAll': 'Remove all rules',

  'status.guard':
    '🔒 {guard, select, yes {Protected{requirement, select, approval {: stopping it needs} refusal {: stopping it is refused} other {}}} other {{requirement, select, refusal {Stopping it is refused} other {Stopping it needs}}}}{requirement, select, approval { {count, plural, one {# approval} other {# approvals}}} other {}}.',
  'status.keptBy': '{how, select, hand {changed by} other {paused by}}',
  'status.rule': 'Schedule: {rule}',
  'status.details': 'Changed {length} ago{url, select, none {} other { · {url}}}',
} as const
