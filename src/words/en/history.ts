/** History, savings, logs, events and the calendar. */
export const historyWords = {
  'history.title':
    '{what, select, stopped {Stops} started {Starts} other {History}}{about, select, one { of {on}} all { of everyone} other {}}{back, select, some {, last {since}} today {, today} yesterday {, yesterday} from {, since yesterday} other {}}, newest first',
  'history.byRule': '{via, select, idle {idle stop by} other {schedule by}}',
  'history.proposed': 'proposed by {name} for',
  'history.itself': 'requested by the program itself for',
  'history.none':
    'No {page, select, older {older } other {}}{what, select, stopped {stops} started {starts} other {history}}{about, select, one { of {on}} all { of any endpoint} other {}}{back, select, some { in the last {since}} today { today} yesterday { yesterday} from { since yesterday} other {}}.{what, select, stopped { Stops made outside Lamplighter aren’t listed.} started { Starts made outside Lamplighter aren’t listed.} other { Open requests and changes made outside Lamplighter aren’t listed.}}',
  'history.isNow':
    '{name} is {state, select, running {running} failed {failing} starting {starting} stopping {stopping} changing {changing} other {stopped}} now.',
  'history.elsewhere':
    'It was {what, select, stopped {stopped} other {started}} outside Lamplighter, or too long ago for this history.',
  'history.person': 'No endpoint is named “{word}”, but a person is. For what they requested:',
  'history.last':
    'Lamplighter last {what, select, stopped {stopped} restarted {restarted} other {started}} {name} {at} ({ago} ago), {via, select, schedule {on a schedule that {by} set up} idle {because of an idle stop that {by} set up} once {as {by} had requested before} program {proposed by {program} for {by}} other {requested by {by}}}{because, select, yes {: “{reason}”} no {, without a reason} other {}}.',
  'history.noRule': 'No schedule starts {name}.',
  'history.runsOn': 'No schedule stops {name} now.',
  'history.backSince':
    '{what, select, stopped {It has been running again since {at}, started} other {It has been stopped again since {at},}} {via, select, schedule {on a schedule that {by} set up} idle {because of an idle stop that {by} set up} program {by {program} for {by}} other {by {by}}}.',
  'history.endedOutside':
    'It’s {what, select, stopped {running} other {stopped}} again; that was done outside Lamplighter.',
  'history.refused':
    'Refused requests{about, select, one { of {on}} other {}}{back, select, some {, last {since}} today {, today} yesterday {, yesterday} from {, since yesterday} other {}}, newest first',
  'history.refusedNone':
    'No {page, select, older {older } other {}}refused requests{about, select, one { of {on}} other {}}{back, select, some { in the last {since}} today { today} yesterday { yesterday} from { since yesterday} other {}}.',
  'history.story': 'Timeline of “{what}”',
  'history.endedAt':
    '{at} ({ago} ago){status, select, none {} attention { · needs attention} refused { · refused} declined { · declined} skipped { · skipped} expired { · expired} cancelled { · cancelled} other { · {status}}}',
  'history.noReason': 'no reason given',
  'history.reasons': '{asked, select, none {} other {request: “{asked}” · }}answer: “{answered}”',
  'history.by':
    '{how, select, requested {requested by} cancelled {cancelled by} bypassed {approval bypassed by} skipped {skipped by} declined {declined by} confirmed {confirmed by} other {approved by}}',
  'history.at': '{at}',
  'history.what':
    '{event, select, awaiting {requested} asked {requested} announced {announced} running {started} agreed {confirmed} reached {step done} sent {call sent} refused_answer {answer not accepted} fell_back {fallback notified} reminded {reminder sent} broke_the_glass {approval bypassed} fell_due {due} busy {in use} untold {warning not delivered} told_late {warning delivered late} answered {platform answered} unknown {no clear answer} unreached {platform not reached} not_seen_yet {not visible yet} unread {could not be read} set_back {step failed} attention {needs attention} other {{what}}}',
  'history.votes': '{count, number} of {needed, number}',
  'history.strangers': 'People without a role: {count, plural, one {# request} other {# requests, the last}}:',
  'history.event': '{what}: {detail}',
  'history.foot': 'Requested {ago} ago{on, select, project {} other { · {name}}} · Request {id}',
  'history.unscheduled': '{line}: {count, plural, =0 {one rule} other {{rules}}}',
  'history.details': 'Details',
  'history.newer': 'Newer',
  'history.older': 'Older',
  'history.exportNone': 'There’s no history to export.',
  'history.export':
    '{requests, plural, one {# request} other {# requests}}, {events, plural, one {# event} other {# events}}',
  'history.exportFiles': 'You’ll get two files in a DM: JSON Lines and CSV.',

  'logs.all':
    '{name}: {count, plural, =0 {no lines} one {the last line} other {the last # lines}} of {replicas, plural, one {replica {replica}} other {# replicas}}',
  'logs.found':
    '{name}: {count, plural, =0 {no lines} one {# line} other {# lines}} with “{search}” in the recent logs of {replicas, plural, one {replica {replica}} other {# replicas}}',
  'logs.unread': 'Replica {replica} couldn’t be read: {why}',
  'logs.gone': 'The log file {file} is gone: the platform only keeps it for a while after the replica ends.',
  'logs.ended': 'Replica {replica} has ended; these are its last lines.',
  'logs.cutOff':
    '{file} has {most, number} lines or more. The platform shows none after that, so newer lines can’t be read.',
  'logs.more':
    '{count, plural, one {# more replica wasn’t} other {# more replicas weren’t}} read. To read one, add its name: {example}',
  'logs.fileTold':
    '{how, select, cut {Long lines and what doesn’t fit were left out.} other {Full log sent to you as a DM.}}',
  'logs.zone': 'Timestamps are the platform’s own (time zone unknown).',
  'logs.none': '{name} has no log files. The platform has them while replicas run, and for a while after.',
  'logs.noReplica': '{name} has no log file for replica “{replica}”. Available:',
  'logs.several': 'More than one log file of {name} is named “{file}”. Choose one:',
  'logs.noFile': '{name} no longer has a log file “{file}”, or never had one. Available:',

  'events.hold': 'Automation is paused for {name} until {until}.',
  'events.holdEnded': 'Automation is no longer paused for {name}.',
  'events.lockdownEnded': 'The lockdown has ended.',

  'events.stand':
    '{name}: {sent, select, never {nothing delivered yet} other {last delivered {ago} ago}}, {waiting, plural, =0 {nothing} other {#}}{more, select, yes { or more} other {}} waiting.',
  'events.failing': 'The last attempt failed: {why} The next one is in {wait}.',
  'events.lost': 'Gave up on an event {ago} ago: {why}',
  'events.status': 'The receiver answered with {status}.',
  'events.slow': 'The receiver didn’t answer within {seconds} s.',
  'events.unreachable': 'The receiver can’t be reached.',
  'events.private': 'Its address is private, and {setting} isn’t set.',
  'events.noSecret': 'It’s off: {variable} isn’t set here. Set it and restart Lamplighter.',
  'events.newer': 'Only a newer version can read what happened.',
  'events.old': 'It was more than a day old.',
  'events.behind': 'More than {most, number} entries of the audit trail were waiting.',

  'length.hours': '{count, number} h',
  'savings.hours': '{hours, plural, one {# replica-hour} other {# replica-hours}}',
  'savings.sum': '{money} ({hours, plural, one {# replica-hour} other {# replica-hours}})',
  'savings.partly':
    '{money} ({hours, plural, one {# replica-hour} other {# replica-hours}}, {unpriced, number} of them without a price)',
  'savings.title':
    'Saved by schedules and idle stops {days, plural, =-3 {this month} =-2 {this week} =-1 {last month} =0 {last week} =1 {today} other {in the last # days}}: {least, select, yes {at least } other {}}{sum}',
  'savings.running': 'Running now: {money} an hour. What was spent so far isn’t recorded.',
  'savings.bySchedule': 'By schedules: {sum}',
  'savings.byIdle': 'By idle stops: {sum}',
  'savings.byPerson': 'By manual stops, not in this total: {sum}',
  'savings.stops':
    '{count, plural, one {# stop} other {# stops}}{regrets, plural, =0 {} other {, # of them too early: a person started it again within the hour (the time saved until then counts)}}',
  'savings.none': 'Nothing was stopped in that period.',
  'savings.own':
    '{who, select, both {{rules} automatically · {people} manually} rules {{rules} automatically} other {{people} manually}}',
  'savings.periods': 'Replica-hours per {by, select, day {day} other {week (starting Monday)}}, including manual stops',
  'savings.period': '{label}: {hours}',
  'savings.date': '{by, select, other {{date}}}',
  'savings.chart': 'Replica-hours saved per {by, select, day {day} other {week}}',
  'savings.across': '{by, select, day {Days} other {Weeks (starting Monday)}}',
  'savings.unit': 'replica-hours',
  'savings.cause': '{cause, select, schedule {Schedules} idle {Idle stops} other {Manual stops}}',
  'savings.moreEndpoints': 'and {count, plural, one {# more endpoint} other {# more endpoints}}',
  'savings.unpriced': '{hours} without a price',
  'savings.unpricedWhy':
    'They count in hours only. Prices come from lamplighter.yaml or the platform’s list; reserved GPUs have none, since they cost the same when stopped.',
  'savings.unseen': '{count, plural, one {# stop} other {# stops}} may have saved more',
  'savings.unseenWhy': 'The next start was made outside Lamplighter, so only the time it was certainly stopped counts.',
  'savings.counted': 'How it’s counted: time stopped × replicas, up to 7 days per stop, rounded down to 10 minutes.',
  'savings.span':
    '{field} must be days or weeks such as 7d or 4w, or this week, last week, this month, or last month, not “{word}”.',
  'savings.most': 'Savings go back 90 days at most.',

  'prices.none': 'No prices are set, so savings are shown in hours. Set them under prices in lamplighter.yaml.',
  'prices.known': '{own} from the policy file, {listed} from the platform’s list of instance types.',
} as const
