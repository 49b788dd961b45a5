/** What rules by use answer and announce. */
export const idleStopWords = {
  'idle.length': 'Say after how long, for example: {example}',
  'idle.offAlone': 'Off takes no lengths and no other words: {example}',
  'idle.bounds': 'The policy allows idle times from {least} to {most}.',
  'idle.warning': 'The warning has to come 5 to 120 minutes before the stop.',
  'idle.autoscaled':
    '{name} is autoscaled, so the platform starts and stops it; checking its metrics could keep it awake. To use idle stop anyway, add autoscaled=yes.',
  'idle.alreadyOff': 'Idle stop is already off for {name}.',
  'idle.off': '{name} is never stopped for being idle.',
  'idle.on': '{name} stops after {after} without requests; a warning is posted {warn} before.',
  'idle.try': '{name} keeps running: after {after} without requests I’ll only post that it would be stopped.',
  'idle.unknownBefore': 'As far as I know, it had no idle stop before; {line} turns one on.',

  'idle.wouldStop': '{name} would be stopped now: {evidence}. It’s a dry run, so it keeps running.',
  'idle.stop': 'Stop {name}',
  'idle.stopWhenIdle': 'Stop it when idle',
  'idle.longer':
    'Its idle time is {length} now, since it was started again soon after such a stop {times, plural, one {once} other {# times}}.',
  'idle.ownerGone':
    '{name} is idle and keeps running: whoever set its idle stop may no longer operate here, so it’s paused.',
  'idle.takeOver': 'Take over {name}',
  'idle.unknownForADay': 'I haven’t known for a day whether {name} is idle: {why}.',
  'idle.notStopped': '{name} isn’t stopped.',
  'idle.startedElsewhere': '{name} was started again outside Lamplighter.',
  'idle.tooEarly': 'It had been stopped as idle within the hour before: that was too early.',
  'idle.fromNowOn': 'From now on it has to be idle for {length}.',

  'hindsight.tooLittle': 'Not enough data yet to say what it would have done.',
  'hindsight.unknown': 'Nothing is known about {share} % of that time.',
  'hindsight.none': 'Last {span}: it wouldn’t have been stopped.',
  'hindsight.stops':
    'Last {span}: {stops, plural, one {# stop} other {# stops}}, {saved}{priced, select, yes { ({money})} other {}} saved{replicas, plural, one {} other { on # replicas}}, {hurt, plural, =0 {none} other {#}} would have hurt.',
} as const
