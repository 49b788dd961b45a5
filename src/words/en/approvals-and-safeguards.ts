/** Approvals, delegation, and the names of these operations: see `phrases.ts`. Freeze, protection, lockdown, undo. */
export const guardWords = {
  'approval.needsKey':
    'Approvals need a signing key: set LAMPLIGHTER_KEY (openssl rand -base64 32) for the bot and the workers. Nothing was done.',
  'approval.countedOf':
    '{deed}: you’ve approved ({count, number} of {needed, number}). {left, number} more needed by {until}.',
  'approval.noAnswer': 'No answer for {length}.',
  'approval.own': 'You can’t approve your own request.',
  'approval.twice': 'You’ve already approved; someone else has to approve too.',
  'approval.twiceInPlace': '{who} has already approved for you; someone else has to approve too.',
  'approval.unchecked':
    'I couldn’t check with Slack whether the approvers may still approve this, so nothing was done. Try again in a minute.',
  'approval.gone': 'One of the approvers can no longer approve this, so nothing was done. Try again.',
  'approval.replaced': 'This question was replaced by a newer one in the same thread.',
  'approval.role':
    'Only someone with the {role} role in project {project} can answer this{who, select, none {} other {: {who}}}.',
  'approval.notYours': 'Only {who} can answer this.',
  'approval.agreed': '{who} has already {how, select, confirmed {confirmed} other {approved}} this.',
  'approval.declined': '{who} has already declined this.',

  'away.tooLong': 'The policy allows delegations of at most {most} (bounds.away).',
  'away.self': 'You can’t delegate to yourself.',
  'away.now': '{to} can approve for you until {until}. A new delegation replaces this.',
  'away.means': 'They can approve for you until {until}, but never their own requests or yours.',
  'away.notYours': 'Only the person who requested {verb} can undo it.',
  'away.told': 'You can approve for {who} until {until}.',
  'away.ended': 'You can no longer approve for {who}.',
  'away.begun': '{to} can approve for {who} until {until}.',
  'away.ownVote': '{to} is an approver already, and still has only one vote.',
  'away.over': 'Nobody approves for {who} any more.',
  'back.means': 'Nobody approves for you any more.',
  'back.none': 'You have no delegation to end.',

  'hold.ended': '{by} resumed automation for {name}, which you had paused until {until}.',
  'hold.shortened': '{by} changed your pause of automation for {name}: it ends {end}, not {until}.',

  'glass.notWaiting': 'Break-glass only works on a request that’s waiting for approval. Nothing was done.',
  'freeze.over': 'The pause has already ended.',

  'away.ask': 'Delegate approvals',
  'away.doing': 'Delegating approvals',
  'away.done': 'Delegated approvals',
  'form.away.submit': 'Delegate',
  'form.away.title': 'Delegate approvals',
  'back.ask': 'End the delegation',
  'back.doing': 'Ending the delegation',
  'back.done': 'Ended the delegation',
  'form.back.submit': 'End delegation',
  'form.back.title': 'End your delegation',

  'question.ask': 'Approval of “{question}”',
  'question.doing': 'Recording the approval of “{question}”',
  'question.done': 'Approved: “{question}”',
  'question.leave': 'Decline',
  'form.ask.title': 'Ask for approval',
  'form.ask.submit': 'Ask',

  'approve.ask': 'Approve',
  'approve.done': 'Approved: {deed}.',
  'approval.goesOn': 'Its card shows the result.',
  'decline.ask': 'Decline',
  'confirm.done': 'Confirmed: {deed}.',
  'decline.done': 'Declined: {deed}.',
  'break-glass.ask': 'Bypass approval',
  'break-glass.done': 'Break-glass used: {deed}.',
  'form.break-glass.submit': 'Bypass',
  'cancel.ask': 'Cancel',
  'cancel.done': 'Cancelled: {deed}.',
  'form.cancel.submit': 'Cancel request',
  'undo.ask': 'Undo',
  'undo.done': 'Undone: {deed}.',

  'keep.already': '{name} is already left alone until {until}. To end that, use <c>/endpoint resume</c>.',
  'keep.stopMoved': 'The stop planned for {planned} is moved to {at}.',
  'once.sooner':
    'It stops before that: {at}, {by, select, weekly {on its schedule} hold {after the pause} other {as planned}}.',
  'freeze.appliesAgain':
    'Schedules and idle stops apply to {name} again {until, select, none {once someone resumes all automation} other {from {until}; until then, all automation is paused}}.',
  'freeze.already':
    'Automation is already paused{by, select, none {} other { by {by}}} {until, select, none {until someone resumes it} other {until {until}}}{because, select, no {} other { (“{reason}”)}}. Resume it with <c>/endpoint thaw</c>{until, select, none {} other {, or set a later end with <c>/endpoint freeze</c>}}.',
  'freeze.means': '{locked, select, yes {All changes are blocked as well.} other {Manual requests still work.}}',
  'freeze.instead':
    'This replaces the pause by {by} {until, select, none {without an end} other {until {until}}}{because, select, no {} other { (“{reason}”)}}.',
  'freeze.before': 'Automation was already paused until {until}. Resuming it ends both pauses.',
  'freeze.shown': 'Automation is paused {until, select, none {until someone resumes it} other {until {until}}}.',
  'thaw.adminOnly': 'All changes are blocked, and only an admin can end that. {why}',
  'thaw.unlocks':
    'Changes are possible again.{frozen, select, yes { Automation stays paused until it’s resumed separately.} other {}}',
  'thaw.accepts':
    'By ending the lockdown, an admin accepts that loss; earlier requests that can’t be verified are ended.',
  'thaw.notFrozen': 'Automation isn’t paused.',
  'thaw.means': 'With that, schedules and idle stops apply again.',
  'thaw.noLockdown': 'A lockdown that an admin has ended can’t be restored.',

  'lockdown.announced': 'All changes in project {project} are blocked.',
  'lockdown.setAside': 'Requests that can’t be verified aren’t carried out.',
  'lockdown.lookInto':
    'Check who can write to Redis, and run “{program} audit verify”. If LAMPLIGHTER_KEY has just been changed, give the previous one as well (new,old). If Redis has just restarted, its data may still be in appendonlydir: stop all workers before you restore it.',
  'lockdown.end': 'After that, an admin can end this with <c>/endpoint thaw</c>.',
  'lockdown.loss': 'The audit trail {well, select, yes {is intact.} other {isn’t intact. {says}}} {missing}',
  'lockdown.missing':
    'Protections, pauses, delegations and schedules may be missing, or old ones may be back: check them.',

  'lockdown.changed': 'Stored data was changed in Redis: the record “{what}”.',
  'lockdown.shorter': 'Redis has lost data: the audit trail ends with entry {entry}, but had reached entry {before}.',
  'lockdown.otherEntry': 'Redis has lost data: entry {entry} of the audit trail isn’t the original one.',
  'lockdown.older': 'Redis has lost data: protections, pauses, delegations and schedules aren’t the newest ones.',
  'lockdown.otherEnd': 'The audit trail in Redis should end with entry {entry}, but doesn’t.',
  'lockdown.records': 'In Redis, protections, pauses, delegations or schedules are missing, or old ones were put back.',
  'lockdown.putBack':
    'In Redis, an old state of the request “{line}”{on, select, none {} other { on {name}}} by {by} was put back: the audit trail has newer entries about it.',
  'lockdown.oldRequest': 'In Redis, an old state of the request {id} was put back.',
  'lockdown.lostEntry': 'The audit trail in Redis has lost entry {entry}, or it was changed.',
  'lockdown.misled':
    'In Redis, {what, select, lock {the lock of {endpoint}} other {the record of the last change to {endpoint}}} names a request about something else.',

  'audit.notNoted': 'Entry {entry} doesn’t match its checkpoint.',
  'audit.changed': 'Entry {entry} was changed, or doesn’t follow the one before.',
  'audit.missing': 'Entry {entry} is missing or out of place.',
  'audit.gap': 'Entries {from} to {to} are missing or can’t be verified.',
  'audit.cut': '{count, plural, one {Entry {from} is} other {Entries {from} to {to} are}} missing.',
  'audit.more': '{count, plural, one {# more entry has} other {# more entries have}} the same problem.',
  'audit.goesOn':
    'Everything before it is intact.{on, select, yes { Everything after it is intact up to entry {entry}.} other {}}',
  'audit.empty': 'There are no entries.',
  'audit.proven':
    '{count, plural, one {Entry {from} is} other {Entries {from} to {to} are}} intact{unproven, select, none {} other {; unproven after entry {unproven}: there is no later checkpoint}}.',
  'audit.accepted':
    'Exception: {count, plural, =0 {what comes before entry {from} is} one {entry {from} is} other {entries {from} to {to} are}} lost or changed. {by} accepted this at {at} (entry {entry}).',

  'protect.byPolicy': '{name} is already protected by the policy file: {entry}.',
  'protect.already': '{name} is already protected.',
  'protect.means': 'It’s never stopped automatically; stopping it needs approval.',
  'protect.noStop': 'The stop that {by} scheduled for {until} is cancelled.',
  'protect.still': 'The policy file still protects {name}: {entry}.',
  'protect.not': '{name} isn’t protected.',
  'protect.fixed': 'The policy file protects {name} ({entry}), and only a change to that file can unprotect it.',

  'undo.since':
    'Something else has been done{on, select, project {} other { to {name}}} since, so nothing was undone.{known, select, no {} other { The last change was: {last}.}}',
  'undo.offer':
    'Undo {verb, select, schedule {the schedule of} unschedule {removing the schedule of} idle {idle stop for} skip {skipping the stop of} keep {pausing automation for} resume {resuming automation for} freeze {pausing all automation} thaw {resuming all automation} other {{verb}}}{on, select, none {} other { {name}}}',
  'undo.back':
    '{verb, select, start {Stop {name}} stop {Start {name} again} schedule {Undo the schedule of {name}} unschedule {Undo removing the schedule of {name}} idle {Undo idle stop for {name}} other {Undo {verb}{on, select, none {} other { {name}}}}}',
  'undo.skip': 'Skip the stop of {name}',
  'undo.asks': 'This undoes “{line}”.',
  'undo.underWay': '“{line}” is still in progress. Undo it once it has ended.',
  'undo.nothing': 'Nothing to undo for {name}.',
  'undo.cannot': 'I can’t undo “{line}”. {why}',
  'undo.noOpposite': 'No command reverses {verb}.',
  'undo.over': 'The earlier setting has since expired.',
  'undo.notEndpoint':
    'No endpoint is named “{word}”. To undo a {word}, type <c>/endpoint {line}</c> or use the history.',
  'undo.which':
    'The last change by a person was “{change}”; after that, automation did “{done}”. Which one should I undo?',
} as const
