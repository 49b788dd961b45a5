/** The Home tab. */
export const homeWords = {
  'home.waiting': 'Waiting for you',
  'home.nothing': 'Nothing needs your answer.',
  'home.moreWaiting':
    '{count, plural, one {# more request is waiting} other {# more requests are waiting}}: /endpoint approve',
  'home.running': 'Running now',
  'home.cost':
    '{up, number} of {all, number} running{failed, plural, =0 {} one { · {names} failing} other { · # failing: {names}}}{hour, select, none {} other { · {hour} an hour · about {month} a month at this rate{unpriced, plural, =0 {} one { · # without a price} other { · # without a price}}}}',
  'home.idle': 'Idle, with no rule to stop them',
  'home.idleFor': 'idle for {length}{hour, select, none {} other { · would save {hour} an hour}}',
  'home.moreIdle': '{count} more are idle.',
  'home.ahead': 'Next 24 hours',
  'home.aheadNone':
    '{ruled, select, yes {No start or stop is announced.} other {Nothing starts or stops automatically. To add office hours, type /endpoint schedule.}}',
  'home.aheadLater':
    'Nothing starts or stops. Next: {count, plural, one {{name} {want, select, up {starts} other {stops}}} other {# endpoints {want, select, up {start} other {stop}}}} {at}.',
  'home.legend':
    '█ running · ░ stopped · each mark is one hour{zone, select, UTC { (UTC)} other {}}{more, plural, =0 {} other { · # more: /endpoint list}}',
  'home.paused':
    '{by, select, console {changed outside Lamplighter: left alone} hand {changed by a request: left alone} skip {stop skipped: left alone} other {automation paused}} for another {length}',
  'home.change':
    '{where, select, none {} other {(project {where}) }}{want, select, up {starts} other {stops}} {at}{why, select, once {} idle { (idle)} other { (schedule)}}',
  'home.schedules': 'All schedules',
  'home.asked': 'Your requests',
  'home.waits':
    '{count, plural, =0 {waiting for confirmation} one {waiting for # approval} other {waiting for # approvals}}',
  'home.queued': 'Queued.',
  'home.saved': 'Saved in the last 7 days',
  'home.savedBy': '{sums} by schedules and idle stops',
  'home.savings': 'By endpoint and day',
  'home.endpoints': '{project, select, none {Endpoints} other {Endpoints of {project}}}',
  'home.project': 'Project {project}',
  'home.unlisted': 'Endpoints haven’t been listed yet. Look again in a minute, or type /endpoint list.',
  'home.age':
    '{recent, select, yes {Updated just now.} other {Updated {age} ago.}}{more, plural, =0 {} other { # more: /endpoint list}}',
  'home.noRole': 'You don’t have a role in any project here. An admin can give you one in lamplighter.yaml.',
  'home.trouble': 'I couldn’t load everything just now. Refresh in a minute.',
  'home.refresh': 'Refresh',
  'home.setUp': 'Set up',
  'home.noPolicy':
    'There’s no policy file yet, so everyone can view and nobody can change anything. Run {program} init where Lamplighter runs: it lets you pick people and channels by name.',
  'home.setUpLines': 'Or save these lines there as lamplighter.yaml and restart Lamplighter. The id in them is yours.',
} as const
