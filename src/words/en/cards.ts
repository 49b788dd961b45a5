/** A request's card and its questions: the endpoint's state, what is needed and why. */
export const cardWords = {
  'endpoint.idNote': 'Its id is {id}; the name is easy to confuse with another.',
  'endpoint.isNow':
    'It’s {guard, select, yes {protected and } other {}}{state, select, running {running} failed {failing} stopped {stopped} starting {starting} stopping {stopping} changing {changing} other {in an unknown state}}{known, select, none {} some { with {running, number} of {replicas, plural, one {# replica} other {# replicas}}} other {{state, select, stopped {; it starts with} other { with}} {replicas, plural, one {# replica} other {# replicas}}}}{scaled, select, yes {, autoscaled} other {}}.',
  'endpoint.replicasUnread': 'I couldn’t read its replicas: “{why}”',

  'policy.rule':
    '{from, select, default {default matrix, {impact} × {exposure}} other {{place}}} → {requirement}{count, plural, =0 {} one {; {entry} → # approval} other {; {entry} → # approvals}}',
  'policy.why':
    'Why: {impact, select, loosening {this removes a safeguard} destructive {this can’t be undone{exposure, select, protected { and the endpoint is protected} active { and the endpoint is running} other {}}} disruptive {{exposure, select, protected {the endpoint is protected} active {this changes a running endpoint} other {this changes the endpoint}}} other {the policy asks for it}}{from, select, default {} project { (this project’s policy)} other { (policy for {from})}}{count, plural, =0 {} one {; # approval required{by, select, none {} other { for {by}}}} other {; # approvals required{by, select, none {} other { for {by}}}}}.',
  'policy.tagged': 'endpoints tagged {tag}',
  'policy.because': 'Why: {rule}.',
  'policy.question': 'a question always needs an approver’s answer',
  'policy.terminal': 'only the person themselves can let a terminal act in their name',
  'policy.unlocking': 'only an admin who has seen what was lost can end a lockdown',
  'guard.entry': 'Protected by the policy file: {entry}.',
  'guard.person': 'Protected by {by} since {at}{because, select, no {.} other {: “{reason}”}}',

  'people.list': '{people}',
  'people.policyFile': 'the policy file',
  'people.everyone': 'anyone in this workspace',
  'people.more': '{count, number} more',
  'people.inPlace': '{by} for {absent}',

  'ask.question': '{deed}?',
  'ask.approval': 'Approval of “{question}{mark, select, yes {?”} other {”?}}',
  'ask.steps': 'Steps: {steps}.',
  'ask.step':
    '{what, select, stopped {stop} serving {start} scaled {scale to {count, number}} restored {scale back to {count, number} if needed} other {change settings}}',
  'ask.confirmers': '{role, select, admin {Any admin} requester {Only {by}} other {{by} or any operator}} can confirm.',
  'ask.count': 'Needs {count, plural, one {# approval} other {# approvals}}.',
  'ask.needs':
    '{had, select, yes {{who, select, approvers {Any approver} other {{who}}} can still approve.} other {Needs {count, plural, one {# approval} other {# approvals}} from {who, select, approvers {any approver} other {{who}}}. The requester can’t approve.}}',
  'ask.needsNobody':
    'Needs {count, plural, one {# approval} other {# approvals}}, but none of the approvers in lamplighter.yaml can give one right now.',
  'ask.standIn': '{to} can approve for {of} until {until}.',
  'ask.own': 'You can confirm here.{role, select, requester {} other { Any operator can confirm in the thread.}}',
  'ask.costsMore': 'This costs {hour} more an hour.',
  'ask.expires': 'Expires {at}.',
  'ask.expired': 'Expired.',
  'ask.approve': 'Approve: {press}',
  'ask.decline': 'Decline…',
  'ask.replaced': 'This question was replaced by a newer one.',
  'ask.replacedBelow': 'Replaced by a newer question below.',
  'ask.votes': 'Approved by {by}.{left, plural, =0 {} other { # more needed.}}',
  'ask.votesHad': '{count, number} of {needed, number} approvals ({by})',
  'ask.answered':
    '{how, select, confirmed {Confirmed} approved {Approved} cancelled {Cancelled} other {Declined}}{by, select, none {} other { by {by}}}{because, select, no {.} other {: “{reason}”}}',

  'reminder.confirm': 'Reminder: {deed} is waiting for confirmation.',
  'reminder.approval':
    'Reminder: {deed} needs {count, number}{more, select, yes { more} other {}} {count, plural, one {approval} other {approvals}}{who, select, none {} other { from {who}}}.',
  'fallback.says':
    '{deed}: no decision after {waited}; {others, select, none {nobody else can approve} other {others can now approve too}}.',
  'fallback.now':
    '{had, select, some {{count, plural, one {# approval} other {# approvals}} still missing after {waited}} other {No answer{asked, select, none {} other { from {asked}}} for {waited}}}; {others, select, none {none of the fallback approvers in lamplighter.yaml can approve} other {{others} can now approve too}}.',
  'glass.passed': '{by} bypassed approval (break-glass): “{reason}”',
  'glass.broken': 'Break-glass: {deed} without approval. Reason: “{reason}”',
  'glass.alarm': 'Break-glass: {by} ran <b>{deed}</b> without approval. Reason: “{reason}”',

  'card.doing': '{deed}…',
  'card.reason': '{by, select, none {Reason} program {The program’s reason} other {{by}’s reason}}: “{reason}”',
  'card.itself': '🤖 requested by the program itself for {by}',
  'card.proposed': '🤖 proposed by {name} for {by}',
  'card.asker':
    '{via, select, schedule {schedule by {by}} idle {idle stop by {by}} undo {undo by {by}} undoing {{by} wants to undo it} other {requested by {by}}}',
  'card.agreed': '{how, select, approved {approved} other {confirmed}} by {by}',
  'card.expires': 'expires {at}',
  'card.notThere': 'I can’t post in {channel}. To see this there, use /invite @Lamplighter.',
  'card.until': 'until {until}',
  'card.inThread': '→ Answer in the thread',
  'card.needs': 'needs {count, plural, one {# approval} other {# approvals}}',
  'card.took': '{length}',
  'card.waitsUntil': 'An earlier call got no clear answer and could still undo this, so I’m waiting until {until}',
  'card.unreached': 'The platform didn’t accept the call: “{why}” Trying again in {wait}',
  'card.unclear':
    'No clear answer from the platform{count, plural, =1 {} other { after # attempts}}; checking whether it went through',

  'undone.declined':
    '<b>{deed}</b> declined{by, select, none {} other { by {by}}}{because, select, no {.} other {: “{reason}”}}',
  'undone.skipped':
    '<b>{deed}</b> skipped{by, select, none {} other { by {by}}}{because, select, no {.} other {: “{reason}”}}',
  'undone.putOff': '<b>{deed}</b> postponed by {by}.',
  'undone.again': 'You’ll be warned again before it happens.',
  'undone.cancelled': '<b>{deed}</b> cancelled{by, select, none {} other { by {by}}}.',
  'undone.takenOver': '<b>{deed}</b> replaced{by, select, none {} other { by a request from {by}}}.',
  'undone.unawaited': '<b>{deed}</b>: its result wasn’t checked.',
  'undone.onHold': '{by} paused its automation.',
  'undone.expired': '<b>{deed}</b> expired.',
  'undone.unanswered':
    '<b>{deed}</b> expired after {length} {votes, select, none {without an answer} other {with {votes} of {needed} approvals}}.',
  'undone.needless': '<b>{deed}</b> is no longer needed.',
  'undone.refused': '<b>{deed}</b> refused.',
  'end.until': 'Started {name} to run until {until}{cost, select, none {} other { · about {cost}}}.',
  'end.took': 'took {length}',
  'end.quote': 'Platform: “{quote}”',
  'end.retry': 'Try again',
  'end.again': 'Start {name} again',

  'notice.due': '{name} {verb, select, start {starts} other {stops}} {due}.',
  'notice.wasDue': '{name} was due to {verb, select, start {start} other {stop}} {due}.',
  'notice.busy': 'Still in use ({busy}); {verb, select, start {start} other {stop}} postponed to {due}.',
  'notice.kept':
    'Left {name} {verb, select, start {stopped} other {running}}{until, select, open {} idle {; its idle time starts over, and you’ll be warned again before it stops} other {; automation paused until {until}}}.',
  'notice.skipped':
    '{name} {verb, select, start {stays stopped: the start} other {keeps running: the stop}} {at} is skipped.',
  'choice.skip': 'Skip this one',
  'choice.keep': 'Keep {length}',
  'choice.keepTonight': 'Keep {when, select, morning {until morning} day {until tomorrow} other {tonight}}',
  'choice.until': '{name}: until {until}',

  'patch.setting':
    '{how, select, set {} other {no }}{setting, select, container_port {port} container_health_check_path {health check path} container_health_check_timeout {health check timeout} health_check_timeout {startup timeout} container_metric_path {metrics path} container_start_command {start command} other {environment variables}}{how, select, set { {value}} other {}}',
  'patch.removesAll': 'removes all environment variables; this can’t be undone',
  'patch.unknown': 'The current settings of {name} aren’t known: the platform shows them only when they’re changed.',
  'patch.before': 'Before: {settings}.',

  'answer.goTo': 'View request',
  'answer.showHere': 'Post to channel',
} as const
