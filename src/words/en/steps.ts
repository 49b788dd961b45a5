/** Progress of a request: failed calls, compensation, last known states, the platform's silence; and explain. */
export const stepWords = {
  'seen.unknown': 'I couldn’t read its state.',
  'seen.stopped': 'It’s stopped.',
  'seen.running': 'It’s running.',
  'seen.up': 'It’s running ({details}).',
  'seen.state':
    'It’s {state, select, starting {starting} stopping {stopping} changing {changing} failed {failing} other {running}}{counts, select, none {} other { ({counts})}}.',
  'seen.coming': 'waiting until it serves',
  'seen.replicas': '{running} of {replicas, plural, one {# replica} other {# replicas}} running',
  'seen.both': '{status}, {counts}',

  'step.gone': '{name} no longer exists.',
  'step.elsewhere': 'Someone else changed it in the meantime.',
  'step.stoppedElsewhere': 'Someone else stopped {name} in the meantime.',
  'step.turnedAway': 'The platform didn’t accept the call, so nothing was changed.',
  'step.settingsUnanswered': 'The platform gave no clear answer when the settings of {name} were changed.',
  'step.settingsUnknown':
    'I can’t tell whether the new settings of {name} were applied: the platform doesn’t show them.',
  'step.otherSettings': 'Its answer has other settings than those that were sent.',
  'step.unread': 'I can’t tell what happened to {name}: the platform hasn’t answered since the call.',
  'step.unknown':
    'I can’t tell whether “{step}” was carried out on {name}{sends, plural, =1 {} other {, after # attempts}}.',
  'step.slow': 'The platform didn’t finish with {name} within 15 minutes.',
  'step.seeLog': 'The log has the details under this request.',
  'step.seePlatform': 'Check it on the platform.',
  'step.seeFirst': 'Check it before you try again.',
  'step.seeLogs': 'Check its logs.',
  'step.stopsAt': 'It stops {at}.',

  'step.nothingDone': 'Nothing was done to {name}.',
  'step.settingsChanged': 'The settings were changed.',
  'step.stopped': '{name} was stopped.',
  'step.started': 'Cancelling doesn’t stop {name}; stop it if you don’t need it.',
  'step.scaled': '{name} was scaled to {count}.',
  'step.again': 'It’s running again.',
  'step.againAsBefore': 'It’s running again as before.',
  'step.againSettingsUnknown': 'It’s running again, but I can’t tell whether the new settings were applied.',
  'step.scaleAgain': 'Scale to {count} again',

  'room.nearlyFull': 'Redis is nearly full: {share, number, percent} of its maxmemory is in use. {remedy}',
  'room.again': 'Redis has room again: {share, number, percent} of its maxmemory is in use.',
  'room.remedy':
    'Raise maxmemory, or set LAMPLIGHTER_AUDIT_DIR so that old audit entries move out of Redis. At 85% I stop answering queries; when Redis is full, I refuse changes too.',
  'room.unknown': 'Redis has no maxmemory, or doesn’t show it.',
  'room.use': '{share, number, percent} of maxmemory is in use.',
  'tick.late': 'Scheduling is running late: no check for three minutes. I’m catching up; see <c>/endpoint doctor</c>.',
  'audit.checkpoint': 'Audit trail of {project}: entry {entry}, checkpoint {checkpoint}.',

  'cancel.notYours':
    'Only {by, select, none {the requester} other {{by}}} or an approver can cancel this. Nothing was done.',
  'cancel.theirs': 'Only the requester or an approver can cancel these:',
  'cancel.underWay': 'This can’t be cancelled right now: a call to the platform is in progress. Try again in a moment.',
  'cancel.why': '{program, select, none {Reason} other {{program} withdrew its proposal}}: “{reason}”.',
  'cancel.none': '{name} has no open request.',
  'cancel.restoring': '{name} is already being restored, so there’s nothing left to cancel.',

  'way.announced': '“{line}” was announced and goes ahead unless this is confirmed first.',
  'way.ending': 'it’s about to end',
  'way.later': '“{line}” continues until this is confirmed.',
  'way.notice': '“{line}” goes first. If {name} is still running after that, you’ll be warned again.',
  'way.work': 'Another request took over: {line}.',

  'notice.untold': 'The warning couldn’t be delivered.',
  'notice.fellDue': 'Nobody objected.',
  'notice.again': 'This was announced again below.',
  'notice.tooLate': 'It couldn’t be done in time and was {late} late, so nothing was done.',
  'notice.late': '{late} late.',
  'notice.stillBusy': '{name} was still in use {length} after its time ({busy}), so it keeps running.',
  'notice.nobodyTold': '{name} keeps running: the warning couldn’t be delivered in time.',
  'notice.inUse': '{name} keeps running: {why}.',
  'skip.late': 'It didn’t happen {due}, and the rules of {name} no longer ask for it.',
  'skip.sooner': 'By its rules, {name} should be stopped now; you’ll be warned again before it stops.',

  'plan.refused':
    'The policy doesn’t allow this. {rule} An admin can change that in lamplighter.yaml. Nothing was done.',
  'plan.frozen': 'Automation is paused{ends, select, no {} other { until {end}}}.',
  'plan.frozenReason': 'Reason for the pause: “{reason}”.',
  'plan.again':
    'Please answer again: {why, select, stricter {it now needs {requirement, select, approval {{needed, plural, one {# approval} other {# approvals}}} other {a confirmation}}} others {others have to approve it now} other {what this would do has changed in the meantime}}. {votes, plural, =0 {The earlier answer} one {The earlier approval} other {The # earlier approvals}} no longer {votes, plural, =0 {counts} one {counts} other {count}}.',
  'plan.stateUnknown': 'The platform doesn’t say whether it’s running.',
  'plan.protected': '{name} is protected. Nothing was done.',
  'plan.standInMember': 'Only a full member of this workspace can approve for you. Nothing was done.',
  'plan.keyFor': 'Connected to project {project}.',

  'platform.refused': 'The platform rejected the call ({status}) and gave no reason.',
  'platform.key':
    'The API key is wrong or was deleted. Create one in the project overview of the console and set PLATFORM_API_KEY.',
  'platform.keyScope': 'The API key has no access to this endpoint. Use a key that was given access to it.',
  'platform.noEndpoint': 'No endpoint has this id, or PLATFORM_BASE_URL doesn’t point at the API.',
  'platform.noApi': 'The answer was 404: PLATFORM_BASE_URL must end with /external/api/v1.',
  'platform.noOperation': 'The platform doesn’t know this operation. Check PLATFORM_BASE_URL.',
  'platform.wrongState': 'The endpoint’s state doesn’t allow this. It may have to be stopped first.',
  'platform.wrongValue': 'The platform rejected a value and didn’t say which.',
  'platform.tooMany': 'The platform is getting too many calls. Try again in a minute.',
  'platform.failed':
    'The platform failed and gave no reason. It may lack balance or a free GPU; its console shows more.',
  'platform.away': 'The platform isn’t available ({status}). Try again in a few minutes.',
  'platform.answered': 'The platform answered {status}: {why}. Try again later, or look at its status page.',
  'platform.unreadable':
    'The platform’s answer ({status}) couldn’t be read. Check that PLATFORM_BASE_URL points at the API.',
  'platform.timeout': 'The platform didn’t answer within {seconds, number} s.',
  'platform.unreached':
    'The platform can’t be reached at {origin} ({code}), so nothing was sent. Check PLATFORM_BASE_URL and the network.',
  'platform.redirected': 'The platform answered with a redirect, which I don’t follow. Check PLATFORM_BASE_URL.',
  'platform.broken': 'The connection to the platform broke before its answer was complete.',
  'platform.halfRead': 'The platform couldn’t read the live state of this endpoint.',
  'platform.listChanged': 'The list changed while it was read. Try again.',

  'explain.last': '{known, select, none {I haven’t changed {name} so far.} other {The last change of {name}:}}',
  'explain.open': 'Open request: <b>{deed}</b>.',
  'explain.reads': 'This only reads and answers you privately.',
  'explain.youMay':
    '{way, select, propose {You can propose it.} look {You can look it up.} other {You can request it here.}}',
  'explain.youMayNot': 'You can’t request it: {why}',
  'explain.saves': 'This saves {hour} an hour.',
  'explain.lacks': 'You can’t request it: it needs the {role} role in project {project}.',
  'explain.nothing': 'This would do nothing: {why}',
  'explain.undo': 'The last change was “{was}”, so this would request “{asks}”.',
  'explain.announced':
    'The {wants, select, up {start} other {stop}} of {name} that was announced would be cancelled.{rest, select, again { If it’s still running after that, you’ll be warned again.} other {}}',
  'explain.ends': 'This would end “{line}”: {why}',
  'explain.glass': 'This would run “{line}” without its approvals, and announce it to everyone.',
  'explain.approves': 'This would approve “{line}” in your name.',
  'explain.missing':
    'It needs {needed, plural, one {# approval} other {# approvals; {left, plural, one {# is} other {# are}} still missing}}.',
  'explain.inPlaceOf': 'You would approve for',
  'explain.takes':
    '{needs, select, nothing {Needs no approval or confirmation} approval {Needs approval by someone else} notice {A warning is posted first} other {Needs confirmation}}{since, select, later {, since it can stop the endpoint later} other {}}.',
  'explain.could':
    '{needs, select, approval {{needed, plural, one {One of these has} other {# of these have}} to approve within {length} (never the requester):} other {These can confirm within {length}:}}',
  'explain.nobody': 'The policy names nobody who can approve or confirm this.',
  'explain.fallback': 'After {length} without an answer, also:',
  'explain.standIn': 'Can answer for someone else until {until}:',
  'explain.away': 'is away',
  'explain.glassBy': 'Emergency bypass (break-glass), with a reason and announced to everyone:',
} as const
