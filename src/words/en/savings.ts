/** Savings from stops. */
export const savingsWords = {
  'length.hours': '{count, number} h',
  'savings.hours': '{hours, plural, one {# replica-hour} other {# replica-hours}}',
  'savings.sum': '{money} ({hours, plural, one {# replica-hour} other {# replica-hours}})',
  'savings.partly':
    '{money} ({hours, plural, one {# replica-hour} other {# replica-hours}}, {unpriced, number} of them without a price)',
  'savings.title':
    'Saved by schedules and idle stops {days, plural, =0 {last week} =1 {today} other {in the last # days}}: {least, select, yes {at least } other {}}{sum}',
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
  'savings.span': '{field} must be days or weeks such as 7d or 4w, or week, last week, or month, not “{word}”.',
  'savings.most': 'Savings go back 90 days at most.',

  'prices.none': 'No prices are set, so savings are shown in hours. Set them under prices in lamplighter.yaml.',
  'prices.known': '{own} from the policy file, {listed} from the platform’s list of instance types.',
} as const
