/** Until when a decision holds, why, and what comes next. */
const decided =
  '{end, select, open {} other { until {until}}}{by, select, weekly { (schedule: {rule})} once { (one-time request)} freeze { (automation is paused)} protected { (it’s protected)} skip { (the stop {skips} is skipped)} console { (changed outside Lamplighter)} hand { (changed by a request)} hold { ({who, select, none {someone} other {{who}}} paused its automation)} other {}}{next, select, up {, then starts} down {, then stops} none {} protected {, then is left alone (it’s protected)} other {, then is left alone}}.'

/** Schedules: answers, notices and lists. */
export const scheduleWords = {
  'schedule.which': 'Which endpoint?',
  'schedule.guarded':
    'The policy file protects {name} ({entry}), so it can’t be stopped automatically. Only a change to that file can unprotect it.',
  'schedule.lapsed':
    '{name} is still running. Its stop planned for {at} was {why, select, paused {prevented for a day, since automation is paused} other {missed, since I couldn’t check the schedules for a day}}, and is dropped now. Stop it yourself, or schedule a new stop.',
  'schedule.protected': '{name} is protected, so it can’t be stopped automatically. Unprotect it first.',
  'schedule.noChannel': 'I need a channel for warnings first: set operations_channel in lamplighter.yaml.',
  'schedule.autoscaled':
    '{name} is autoscaled, so the platform starts and stops it. To schedule it anyway, add <c>autoscaled=yes</c>.',
  'schedule.nothingNow': 'Nothing changes for {name} right now.',
  'schedule.stopsAlready': '{name} already stops {at}.',
  'schedule.known': '{name} already has this rule.',
  'schedule.twice': 'This rule already exists: “{rule}”.',
  'schedule.clash':
    '“{one}” and “{other}” contradict each other: where both apply, the endpoint runs, so it wouldn’t be stopped {window}. Outside “{up}” it’s stopped anyway. Shorten or remove one of the two.',
  'schedule.up': 'At all other times, {name} is stopped.',
  'schedule.upWith': 'This adds to its other rules ({others}); at all other times, {name} is stopped.',
  'schedule.orUp': 'To have it started too, schedule when it runs: <c>/endpoint {line}</c>',
  'schedule.downWith': 'At all other times, its other rules decide: {others}.',
  'schedule.stopsSoon': '{name} is running now and would stop after a warning of {notice}.',
  'schedule.waits':
    'This applies {until, select, none {once someone resumes automation} other {from {until}}}; until then, {name} is left alone. Previews ignore the pause.',
  'schedule.startsNow': '{name} is stopped now and would start right away.',

  'once.stopsAt': 'A warning is posted before the stop.',
  'once.already': 'Its schedule stops it before that.',
  'once.staysOn': 'Its schedule keeps it running {until, select, none {after that} other {until {until}}}.',
  'once.paused':
    'Automation is paused, so {until, select, none {nothing stops it unless someone resumes automation} other {it stops {until}, not sooner}}.',
  'once.skips': 'The stop {by, select, none {} other {{by} }}scheduled for {at} is skipped.',
  'once.scale': 'To change its replicas: <c>/endpoint scale {name} to {replicas}</c>',
  'once.noEnd': 'To start it without an end: <c>/endpoint start {name}</c>',
  'once.pausedNow':
    'Automation is paused{until, select, none {} other { until {until}}}, so nothing would stop {name} later. To start it without an end: <c>/endpoint start {name}</c>',

  'unschedule.gone': '{name} no longer has that rule.',
  'unschedule.none': '{name} has no schedule of its own.',
  'unschedule.noneFor':
    '{name} has no rule of its own that says when it’s {direction, select, up {running} other {stopped}}.',
  'unschedule.byTeam':
    'Its schedule comes from the policy file: {rules}. Change it in lamplighter.yaml, or pause it for a while with <c>/endpoint keep</c>.',
  'unschedule.removed': 'Removed: {rules}.',
  'unschedule.again': 'Again: {rule}',
  'unschedule.several': 'It removed several rules; add them again one by one.',
  'unschedule.badRule': 'rule= must be the id of a rule, not “{word}”. The form lists the rules by name.',
  'rule.notRemembered': 'I no longer know what it changed.',
  'rule.takenOver': 'Only the rule’s owner changed. Type the same command to take it over again.',

  'keep.length': 'Choose one: a length such as <c>2h</c>, <c>tonight</c>, or an end time.',
  'keep.off': 'Schedules and idle stops apply to {name} again.',
  'keep.offFree': 'It has no schedule and no idle stop, so Lamplighter doesn’t start or stop it.',
  'keep.notKept': 'Automation isn’t paused for {name}.',
  'keep.most': 'The policy allows pausing automation for at most {most} (bounds.keep).',
  'keep.stopped': '{name} was already stopped.',
  'keep.stopWaits': '“{line}”, requested by {by}, was waiting for an answer; a pause doesn’t decline it.',
  'keep.scaled': 'The platform still scales it.',
  'keep.stopStays': 'The stop {at} comes after this pause and isn’t skipped.',
  'keep.cutShort': 'Someone else had paused it until {until}.',
  'keep.again': '<c>{line}</c> pauses it again.',

  'rule.weekly': 'Schedule: {rule}{from, select, policy { (policy file)} other {}}.',
  'rule.byRequest': 'It’s a one-time request.',
  'rule.byHold': 'Its automation was paused until then.',
  'rule.late': 'That’s {length} late.',
  'rule.once': '{want, select, up {start} other {stop}} once {at}{end, select, open {} other {, until {until}}}',
  'rule.runs': 'runs until {until} (one-time request)',
  'rule.skip': 'stop {at} skipped: left alone until {until}',
  'rule.changedElsewhere': 'changed outside Lamplighter: left alone until {until}',
  'rule.changedHere': 'changed by a request: left alone until {until}',
  'rule.paused': 'automation paused until {until}',

  'decided.here': `{state, select, up {Running} down {Stopped} upSoon {Should be running} downSoon {Should be stopped} other {Left alone}}${decided}`,
  'decided.overdue': 'It should have been stopped {at}, but is still running.',
  'decided.of': `{name} {state, select, up {is running} down {is stopped} upSoon {should be running} downSoon {should be stopped} other {is left alone}}${decided}`,

  'preview.day': '{date}  {what}{holiday, select, yes { (holiday)} other {}}',
  'preview.more': '            {what}',
  'preview.all': '{want, select, up {running all day} down {stopped all day} other {left alone}}',
  'preview.from': '{want, select, up {running} down {stopped} other {left alone}} from {from}',
  'preview.until': '{want, select, up {running} down {stopped} other {left alone}} until {to}',
  'preview.span': '{want, select, up {running} down {stopped} other {left alone}} {from}–{to}',

  'rule.missedStart':
    'Missed: {name} should have started {at}, {late} ago, and won’t be started now.{end, select, open {} other { It would have run until {until}.}}',
  'rule.missedStarts': 'Missed: {count, number} scheduled starts, which won’t be made now:',
  'rule.missedOne': '{name}: {at}, {late} ago{end, select, open {} other {, to run until {until}}}',
  'rule.missedHead': 'I couldn’t check the schedules from {from} until now, so I missed:',
  'rule.missed':
    '{name} should have been {want, select, down {stopped} other {started}} {at} and left that way until {until}.',
  'rule.more': 'And {count, number} more.',
  'rule.moved':
    '{name} was {state, select, up {started} other {stopped}} {where, select, here {by a request} other {outside Lamplighter}}, though {by, select, once {a one-time request} other {its schedule}} wants it {want, select, down {stopped} other {running}}.',
  'rule.leftUntil': 'I’ll leave it that way until {until}.',
  'rule.return': 'Return to schedule',
  'rule.tomorrow': 'Leave it until morning',
  'rule.movedAgain': 'It has been changed again since.',
  'rule.pausedBy': '{by} paused its automation until {until}.',
  'rule.leftOver': 'I left it that way until {until}.',
  'rule.returned': '{by} resumed its automation.',
  'rule.asWanted': 'It matches its rules again, so they apply.',
  'rule.skipped': 'Skipped the stop of {name} {at}; left it alone until {until}.',
  'rule.gone': 'The platform no longer has {name}, so its rules are paused. “{why}”',
  'rule.ownerUnread': 'I can’t check with Slack whether {owner} is still an operator, so these rules are paused:',
  'rule.ownerGone': '{owner} is no longer an operator here, so these rules are paused:',
  'rule.of': '{rule} ({name})',
  'rule.takeOver': 'Take over {name}',
  'rule.gaveUp':
    '⚠️ Gave up after {tries, number} attempts: {name} is still {want, select, up {stopped} other {running}}, though {rule, select, once {a one-time request} other {its schedule}} wants it {want, select, up {running} other {stopped}}.{rule, select, once {} other { I’ll try again at the next scheduled change.}}{by, select, none {} other { {by}}}',
  'rule.failed':
    '{part, select, yes {} other {Its }}{want, select, up {start} other {stop}} failed{again, select, none {} other {; {want, select, up {I’ll try again} other {a new warning comes}} in {again}}}{part, select, yes {} other {.}}',
  'rule.waits':
    'The schedule put off {want, select, down {stopping} other {starting}} {name}, because “{line}” hadn’t ended yet.',

  'group.due':
    '{count, plural, one {# endpoint {want, select, start {starts} other {stops}}} other {# endpoints {want}}} {due}.',
  'group.doing':
    '{want, select, start {Starting} other {Stopping}} {count, plural, one {# endpoint} other {# endpoints}}…',
  'group.done':
    '{left, select, all {No endpoint was {want, select, start {started} other {stopped}} by this} none {{want, select, start {Started} other {Stopped}} {count, number} endpoints} other {{want, select, start {Started} other {Stopped}} {done, number} of {count, number} endpoints}}.',
  'group.stage':
    '{stage, select, due {{want, select, start {To start} other {To stop}}} doing {{want, select, start {Starting} other {Stopping}}} done {{want, select, start {Started} other {Stopped}}} kept {{until, select, open {Skipped} other {Kept running until {until}}}} again {Postponed} left {No longer part of this} other {Not {want, select, start {started} other {stopped}}}}: {names}{because, select, no {} other { · {why}}}',
  'group.names': '{names}{because, select, no {} other { · {why}}}',
  'group.busy': '{name} (in use, waits until {due})',
  'group.person': '{name} ({by})',
  'group.priced': '{name} (+{cost})',
  'group.pricedHourly': '{name} (+{cost} an hour)',
  'group.until': '{which, select, all {} other {{names}, }}{name}: until {until}',
  'group.keep': 'Keep one running…',
  'group.rules': 'By their schedules',

  'skip.frozen': 'Automation is paused, so {name} was left alone.',
  'skip.changed': 'The rules of {name} no longer ask for it.',
  'skip.paused':
    '{kept, select, yes {Kept {name} running} other {Left {name} as it is}} until {until}{next, select, stop {; you’ll be warned again before it stops} idle {; its idle time starts over after that} other {}}.',

  'time.unknown': 'I don’t understand the time “{text}”.',
  'time.tooMuch': '“{text}” names more than one time.',
  'time.empty': '{text} is zero. Give a longer time.',
  'time.dayFirst': 'Write the day first: {text}.',
  'time.noClock': '“{text}” isn’t a valid time.',
  'time.noDay': '“{text}” isn’t a date.',
  'time.past': 'That time has passed: {text}. Give a later one.',
  'time.tooLong': '{text} is more than a year. Give a shorter time.',
  'time.tooFar': '{text} is more than a year away. Give a time within a year.',
  'time.forms': 'Write 19:00, tomorrow 09:00, fri 18:00, 2026-12-24 18:00, or a length of time such as 4h, 90m or 2d.',
  'window.noDays': 'The days are missing.',
  'window.whichDays': 'Which days? For example: {example}.',
  'window.night': 'Which hours do you mean by night? For example: {example}.',
  'window.surplus': 'I don’t understand “{more}” after “{before}”. Write days and times such as weekdays 09:00-19:00.',
  'window.gap': 'A day is missing in “{text}”.',
  'window.noDay': '“{text}” isn’t a day.',
  'window.days': 'Write weekdays, weekends, daily, mon, mon-fri or mon,wed,fri, then times such as 09:00-19:00.',
  'window.overlap': 'The times in “{text}” overlap.',
  'window.noSpan': '“{text}” isn’t a range of times, such as 09:00-19:00.',
  'window.noClock':
    '“{text}” isn’t a valid time. Write times such as 09:00-19:00, from 00:00 to 23:59; 24:00 is the end of a day.',
  'window.empty': '{text} is an empty range. For whole days, leave the times out.',
  'zone.ambiguous': '{name} is an abbreviation. Write the place, for example {places}.',
  'zone.offset': '{typed} is an offset without summer time: write the place, for example Asia/Seoul, or UTC.',
  'zone.unknown': '{typed} isn’t a time zone.',
  'zone.forms': 'Time zones look like Asia/Seoul, Europe/Berlin or UTC.',
  'zone.place': 'Write the time zone of {typed} as {place}.',
} as const
