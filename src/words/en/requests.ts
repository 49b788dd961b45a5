/** Answers and messages that any request may have. */
export const requestWords = {
  'message.project': 'project {project}',
  'message.repeated': 'repeated',
  'message.repeatedWhy': 'Repeated: the first copy may not have arrived.',
  'storage.away': 'I can’t reach my storage. Try again in a minute.',
  'storage.slow': 'My storage was too slow. Try again in a minute.',
  'storage.full': 'My storage is full. Whoever runs Redis has to give it more memory.',
  'storage.readonly':
    'My storage is read-only. Try again in a minute; if it stays that way, an admin has to look at Redis.',
  'storage.changing': 'My storage is starting or failing over. Try again in a minute.',
  'storage.disk': 'My storage can’t write to its disk. An admin has to look at Redis.',
  'storage.locked': 'My storage rejected the login. An admin has to check the password in REDIS_URL.',
  'storage.refused': 'My storage refused this. The log says why.',

  'line.tooLong': 'That command is too long: at most {most, number} characters. Nothing was done.',
  'line.unknownVerb': 'I don’t know the command “{verb}”.',
  'line.beyond': 'Lamplighter doesn’t {verb} endpoints.',
  'line.allVerbs': 'Type <c>/endpoint help</c> for all commands.',
  'line.typed': '<c>/endpoint {line}</c>',
  'line.near': '{of, select, other {Did you mean {near}?}}',
  'line.example': 'For example: <c>/endpoint {example}</c>',
  'line.missing': '{what} is missing. Usage: <c>{usage}</c>',
  'line.surplus': 'I don’t understand “{word}” here. Usage: <c>{usage}</c>',
  'line.twice': '“{word}” is given twice. Give it once.',
  'line.unclosed': 'A closing quote is missing. Nothing was done.',
  'line.secret':
    'That looks like it contains a password or a token, so nothing was stored or done. Put secrets into environment variables: the form encrypts them.',

  'endpoint.offer': '{verb, select, Keep {Pause automation for} Idle {Idle stop for} other {{verb}}} {name}',
  'endpoint.near': 'No endpoint is named “{name}”.',
  'endpoint.taken': 'No endpoint is named “{typed}”, so this is {name}.',
  'endpoint.whatWith': 'What would you like to do with {name}?',
  'endpoint.each': 'I can only do that for one endpoint at a time. Which one?',
  'endpoint.person': 'That’s a person, not an endpoint. Type <c>/endpoint list</c> to see all endpoints.',
  'endpoint.unknown': 'No endpoint is named “{name}”. Type <c>/endpoint list</c> to see them all.',
  'endpoint.ambiguous': 'More than one endpoint is named “{name}”. Choose one by its id.',
  'endpoint.renamed': 'The platform now calls that endpoint {name}, so nothing was done. Use that name or its id.',
  'endpoint.unread': 'I couldn’t read this from the platform, so nothing was done. {why}',

  'role.lacking':
    'You need the {role} role in project {project}. Nothing was done. {admins, select, none {An admin} other {{admins}}} can add it in lamplighter.yaml, under roles.',
  'role.groupsUnread':
    'Slack can’t list the policy’s user groups right now, so a role from one of them doesn’t count. See <c>/endpoint doctor</c>.',
  'role.noPolicy':
    'Read-only: there is no policy file yet. Create lamplighter.yaml (LAMPLIGHTER_CONFIG) and give someone the operator role. Nothing was done.',
  'role.outsider':
    'Only members of this workspace, and guests that the policy names, can use Lamplighter. Nothing was done.',
  'role.guest': 'Guests can only view, and only if the policy names them. Nothing was done.',
  'role.none':
    'You don’t have a role here. An admin can give you one in lamplighter.yaml, under roles. Guests can only view, and only if they are named.',
  'role.inNone': 'You need the {role} role for that, and you don’t have it in {projects}.',
  'role.elsewhere':
    'You’re an operator only in this channel, but automatic starts and stops need an operator in the operations channel. Use /endpoint there, or ask an admin to name you in lamplighter.yaml, under roles. Nothing was done.',
  'role.unchecked': 'I couldn’t check your role with Slack, so nothing was done. Try again in a minute.',

  'project.none': 'No project belongs to this channel. Add the channel to a project in lamplighter.yaml.',
  'project.which': 'Which project? In a project’s own channel I don’t have to ask.',

  'request.taken': '{name} already has an open request: {line}. Nothing was done.',
  'request.askedBy': '{by, select, you {You} other {{by}}} already requested “{line}”. Nothing was done.',
  'request.takenBy':
    '{name} already has an open request: {line}, requested by {by, select, you {you} other {{by}}}. Nothing was done.',
  'request.asked': 'This was already requested and is waiting for an answer. Nothing was done.',
  'request.changing':
    'The endpoint kept changing, so I stopped after {asks} attempts. Nothing was done. Try again later.',
  'request.unanswered':
    'It expired after {length} {votes, select, none {without an answer} other {with {votes} of {needed} approvals}}. Nothing changed.',
  'request.unknown': '(written by another version)',
  'request.unchanged': 'Nothing changed.',
  'request.tooLate': 'This couldn’t start within 5 minutes of the approval, so nothing was done. Try again.',
  'request.notHere':
    'This needs confirmation or approval, but I’m not in this channel. Run /invite @Lamplighter, then try again. Nothing was done.',
  'request.noChannel':
    'This needs confirmation or approval, but there’s no channel to ask in. Set operations_channel in lamplighter.yaml, or run it in a channel. Nothing was done.',
  'request.tooMuch.person': 'You’re sending too many commands, so nothing was done. Try again in a minute.',
  'request.tooMuch.hour':
    'This program has proposed too much within an hour, so nothing was done. People read each proposal: try again later.',
  'request.tooMuch.project': 'This project is sending too many commands, so nothing was done. Try again in a minute.',
  'request.tooMuch.storage':
    'My storage is nearly full, so I answer no queries for now. Tell whoever runs Redis; until it is full, <c>/endpoint doctor</c> shows how much is used.',
  'request.notStored': 'Nothing was done. {why}',
  'line.startsNow': 'I can’t start it at a later time, only now. To start it regularly, use <c>/endpoint schedule</c>.',
  'line.noTime': 'I couldn’t read the time: check the form before you send it.',
  'request.more':
    '{count, plural, one {# more request isn’t} other {# more requests aren’t}} listed. Name the endpoint: <c>/endpoint {example}</c>',
  'request.forgotten': 'I no longer have this request, so nothing was done. Try again.',
  'request.perhapsStored': 'I’m not sure this was stored. If no card appears within a minute, nothing was done.',
  'request.pressPerhapsStored': 'I’m not sure this was stored. Press again in a minute if nothing changes.',
  'request.notTaken': 'No worker picked this up within 30 minutes, so nothing was done. Try again.',
  'request.noWorker': 'Stored, but no worker is running. It’ll run when one starts.',
  'request.lockedDown': 'All changes are blocked. {why} {allowed} An admin can end this with <c>/endpoint thaw</c>.',
  'request.stillAllowed': 'Still allowed: protect, freeze, unschedule, back.',
  'request.formHeld':
    'This endpoint has another open request: {deed}, requested by {by}{until, select, none {} other {, waiting until {until}}}. {form, select, opened {You can submit this form once it has ended.} other {Cancel it or wait until it ends, then submit again. What you typed stays here.}}',
  'request.unsettled': 'Protections, schedules or pauses kept changing, so nothing was done. Try again later.',
  'request.several': 'More than one request on “{word}” is open. Choose one.',
  'request.notYours': 'You can’t answer this.',
  'request.theirs': 'Waiting for an answer.',
  'request.noneWaits': 'No waiting request matches “{word}”.{others, select, yes { Others are waiting.} other {}}',
  'request.own':
    '{deed, select, cancel {{count, plural, =0 {You have no open requests.} other {Which request do you want to cancel?}}} other {{count, plural, =0 {You haven’t changed anything that can be undone.} other {Which change do you want to undo?}}}}',
  'request.over': 'This request has ended. {ending}',
  'request.lost':
    'Data was lost after this was requested, so the outcome is unknown. Check the endpoint, then try again.',
  'request.broke':
    'Something went wrong in Lamplighter, not at the endpoint. The log has the details under this request.',
  'request.brokeBack': 'Something went wrong in Lamplighter, not at the endpoint, and I gave up restoring {name}.',
  'request.replyLost': 'The platform’s reply was lost; its status confirms this.',

  'secret.inForm': '{field} are set in the form, where values stay hidden. Nothing was done.',
  'secret.needsKey': 'Secret values need LAMPLIGHTER_KEY. Create one with openssl rand -base64 32.',
  'secret.twice': 'This form is already being submitted, with the values entered first.',
  'secret.notStored': 'I couldn’t store the values encrypted, so nothing was done. Try again in a minute.',
  'secret.gone': 'The encrypted values are gone, so nothing was changed. Enter them again.',
  'file.unsent':
    'I couldn’t send you the file {name}. The Slack app needs the scopes files:write and im:write; <c>/endpoint doctor</c> says what is missing. Then try again.',

  'end.asked': '{done}, as planned',
  'end.against': 'Left {wants, select, up {running} other {stopped}} until {until}. Its rules apply again after that.',
  'end.noStop': 'The stop scheduled for {until} is cancelled.',
  'end.done': '{done}.',
  'end.done.late': '{done}, {late} late.',
  'end.serving': '{done}; it’s serving.',
  'end.serving.late': '{done}, {late} late; it’s serving.',
  'end.failed': '{deed}: failed.',
  'end.stepFailed': '{deed}: “{step}” failed.',
  'explain.does': 'Dry run: {deed}.',
  'history.tried': '{verb}: {deed}',
  'request.listed': '<b>{what}</b>',
  'request.ago': '{ago} ago',
  'request.cancels':
    'Cancel request: {verb, select, keep {pausing automation for} resume {resuming automation for} freeze {pausing all automation} thaw {resuming all automation} other {{verb}}}{on, select, none {} other { {name}}}',
  'request.answer': '{verb}: {about}',
} as const
