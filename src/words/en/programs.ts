/** Programs: their tokens, their permissions, and the answers they get. */
export const programWords = {
  'program.peopleOnly': 'Only people can use {verb}, in Slack: programs propose, people decide.',
  'program.role':
    '{verb} needs a role that {name} doesn’t have. A program has at most its person’s role, and never more than operator.',
  'program.revoked': 'The token “{name}” was revoked. Its owner can create another with /endpoint token new.',
  'program.expired': 'The token “{name}” expired at {at}. Its owner can create another with /endpoint token new.',
  'program.only': 'The token “{name}” is only for {only}.',
  'program.on': 'The token “{name}” is only for endpoints that match {on}.',
  'program.wholeProject':
    '{verb} is about the whole project, and the token “{name}” is only for endpoints that match {on}.',
  'program.cancelOwn': 'A program can only cancel what it proposed itself as {name}.',
  'program.rule': 'a program proposed this, so a person has to confirm it',
  'program.oneMore': 'A workflow needs one more approval, since its author may be an approver.',
  'program.tooFew':
    'From a workflow this needs {needed, number} approvals, but {count, plural, =0 {nobody can} one {only one person can} other {only # people can}} give one. An admin can name more approvers in lamplighter.yaml.',
  'workflow.notAllowed':
    'The policy file doesn’t let workflows propose in this person’s name. An admin can add them there under workflows.',
  'workflow.noRole':
    'The person chosen for this step has no role here. Choose a full member of this workspace who is at least an operator.',
  'workflow.noPerson':
    'Choose a person for this step: a member of this workspace, such as the person who used the workflow.',
  'workflow.noProject': 'Write the project of this step as it’s named in the policy file.',
  'program.badToken':
    'This token isn’t valid. It may have been revoked or have expired: create another in Slack with /endpoint token new.',
  'program.calendarOnly': 'This token only opens a calendar. Create another in Slack with /endpoint token new.',
  'program.noToken': 'Send a token as “Authorization: Bearer lamp_…”. Create one in Slack with /endpoint token new.',
  'program.personGone': 'The owner of this token can no longer use Lamplighter here.',
  'program.personUnchecked': 'I couldn’t check the owner of this token with Slack. Try again in a moment.',
  'program.tooMany':
    '{count} proposals of {name} are waiting for people. Wait until they’re answered before you propose more.',
  'program.queryOnly': '{verb} changes something, so propose it instead of looking it up.',
  'program.operationOnly': '{verb} only looks something up, so send it as a query instead of proposing it.',
  'program.reasonMissing': 'Give a reason: people read it before they decide.',
  'program.twoReasons': 'The line and the field give different reasons. Give only one.',
  'program.otherLine':
    'This Idempotency-Key was already used {what, select, reason {with another reason} other {for another line}}. Use a new key for each proposal.',
  'program.keyMissing': 'Send an Idempotency-Key with each proposal, so that a retry doesn’t propose it twice.',
  'program.badKey': 'An Idempotency-Key has 1 to 100 visible ASCII characters, without blanks.',
  'program.noRequest': 'There’s no request {id} that you can see.',
  'program.problem':
    '{type, select, line {Unreadable line} other_kind {Wrong kind of line} not_allowed {Not allowed} too_much {Too many open requests} too_often {Too many commands} other_line {Key already used} storage {Storage unavailable} locked {Locked} no_page {Unknown address} bad_method {Wrong method} bad_content_type {Wrong content type} bad_signature {Invalid signature} bad_body {Unreadable body} no_key {Missing key} bad_key {Invalid key} no_request {Unknown request} unchecked {Unchecked person} person_gone {Person without access} no_token {Missing token} bad_token {Invalid token} no_login {Login refused} login_declined {Login declined} no_person {Missing person} no_project {Ambiguous project} too_many_calls {Too many calls} other {Internal error}}',
  'program.noPage': 'There’s nothing at {path}. The API is described at /v1/openapi.json.',
  'program.badMethod': '{method} isn’t allowed here. Use {allowed}.',
  'program.badBody':
    '{long, select, yes {The body is too large. Send at most {most} KiB.} other {Send a JSON object with a line and a reason.}}',
  'program.badField':
    '{field, select, line {“line” must be text of 1 to {line, number} characters.} reason {“reason” must be text of at most {reason} characters.} wait {“wait” must be a whole number of seconds from 0 to {wait}.} other {There’s no field “{field}”. The fields are line, reason and wait.}}',
  'program.badContentType': 'Send the proposal as Content-Type: application/json.',
  'program.busy': 'Too many calls {within, select, minute {in the last minute} other {at once}}. Try again in {wait}.',
  'program.away': 'The storage didn’t answer. Send the same call again, with the same key if it had one.',
  'program.fault': 'Something went wrong in Lamplighter. The log has the details.',
  'program.form': 'This needs a form, which only people can fill in.',
  'program.projects': 'This token is for another project.',
  'program.over':
    'You already proposed this, and that request has ended; nothing new was proposed. To propose it again, add a key.',
  'program.notAgain': 'Don’t propose it again unless someone asks you to.',
  'program.mend': 'Correct the line and send it again.',
  'program.noPerson': 'Slack didn’t say who this is for, so nothing can be looked up or proposed.',
  'program.noProject':
    'There are several projects here, and none of them is for every channel. Use /endpoint in a channel of the project instead.',
  'program.badSignature': 'This wasn’t signed with the app’s signing secret, or it’s too old.',
  'program.unreachable': 'Lamplighter’s API doesn’t answer at {address}. Is LAMPLIGHTER_API_URL right?',
  'program.state':
    '{status, select, received {Received; what it needs is still being checked.} awaiting {Waiting for a person to answer in Slack.} running {In progress.} other {Ended.}}',
  'program.asks': '{deed}.',
  'program.zone': 'Times without a zone were read in {zone}.',

  'token.badOnly': 'Commands are separated by commas, such as start,stop, unlike “{word}”.',
  'token.badOn': 'Endpoints are names or tags separated by commas, such as tag:ci,my-*, unlike “{word}”.',
  'token.noCommand':
    'Programs can’t use “{word}”.{near, select, none { Write commands such as start,stop.} other { Did you mean {near}?}}',
  'token.beyondRole': '{verb} needs an operator token. Choose the operator role, or leave out {verb}.',
  'token.calendarAlone': 'A calendar needs its own token, without other commands.',
  'token.unmatched': 'No endpoint matches {on} yet.',
  'token.revokeAlone': 'Revoking takes only the token’s name, and its owner if it’s someone else’s.',
  'token.newIsYours': 'A new token is always your own. Leave its owner out.',
  'token.owner': 'It belongs to {by}.',
  'token.whose': 'Several people have a token called “{name}”: {by}. Add its owner, such as “of @ana”.',
  'token.unnamed': 'Give the token a name, such as "ci of team a".',
  'token.oddName':
    'A token’s name can only have letters, digits, spaces, apostrophes and . _ - : / + ( ). Choose one such as "ci of team a".',
  'token.listed': '<c>/endpoint tokens</c> lists the tokens.',
  'token.none': 'There’s no token called “{name}”. <c>/endpoint tokens</c> lists them.',
  'token.notYours': 'That token is someone else’s. Only its owner or an admin can revoke it.',
  'token.revokesNamed':
    '{count, plural, one {It stops} other {# tokens of that name stop}} working at once, and waiting proposals are cancelled.',
  'token.notAllowed': 'The policy file doesn’t let you create tokens. An admin can add you there under tokens.',
  'token.needsKey': 'Tokens need LAMPLIGHTER_KEY. An admin has to set it.',
  'token.taken': 'Slack’s own programs already propose as {name}. Choose another name.',
  'token.already': 'You already have a token called “{name}”. Revoke it first, or choose another name.',
  'token.tooMany': 'You already have {most} tokens, the most you can have. Revoke one first.',
  'token.tooLong': 'A token lasts at most {most}.',
  'token.badCode': 'This code is incomplete. Copy the whole line from the terminal.',
  'token.staleCode': 'This code has expired: codes last ten minutes. Run “lamplighter login” again.',
  'token.usedCode': 'This code was already used. Run “lamplighter login” again.',
  'token.means':
    'It can {limited, select, yes {use only {only}, besides list, status, explain, help, whoami and cancel,} other {look things up{role, select, viewer {} other { and propose changes}}}}{fenced, select, yes { on {on}} other {}} in {by, select, none {its owner} other {{by}}}’s name, as {role, select, viewer {a viewer} other {an operator}}, until {until}.{role, select, viewer {} other { People confirm every change it proposes.}}',
  'token.notYourTerminal': 'Only the person who requested this can confirm that the terminal is theirs.',
  'token.yours': 'Confirm only if you ran “lamplighter login” yourself a moment ago.',
  'token.bySelf':
    '{by, select, none {Its owner} other {{by}}} gets the {what, select, address {address} other {token}} once, in a DM.',
  'token.calendar':
    'Anyone with its address can see what starts and stops{fenced, select, yes { on {on}} other {}}, until {until}, but can’t do anything else.',
  'token.address':
    'The address of your calendar “{name}”, shown only once. Put your API’s address in front of it, and subscribe to it in your calendar. If anyone else has seen this message, revoke it.',
  'calendar.change': '{name} {want, select, up {starts} other {stops}}{why, select, idle { (idle)} other {}}',
  'token.secret':
    'Your token “{name}”, shown only once. Store it where the program reads its secrets. If anyone else has seen this message, revoke it.',
  'tokens.title': '{count, plural, =0 {No tokens.} one {# token} other {# tokens}}',
  'tokens.one':
    '{role, select, viewer {viewer} other {operator}}{limited, select, yes {, only {only}} other {}}{fenced, select, yes {, on {on}} other {}} · until {until}',
  'tokens.revoke': 'Revoke',

  'token.ask': 'Create the token “{token}”',
  'token.doing': 'Creating the token “{token}”',
  'token.done': 'Created the token “{token}”',
  'token.leave': 'Don’t create it',
  'tokenTerminal.ask': 'Log in “{token}”',
  'tokenTerminal.doing': 'Logging in “{token}”',
  'tokenTerminal.done': 'Logged in “{token}”',
  'tokenTerminal.leave': 'No, it’s not mine',
  'tokenTerminal.press': 'Yes, it’s my terminal',
  'tokenRevoke.ask': 'Revoke the token “{token}”',
  'tokenRevoke.doing': 'Revoking the token “{token}”',
  'tokenRevoke.done': 'Revoked the token “{token}”',

  'terminal.name': 'terminal of {name}',
  'terminal.login':
    'Send this command in Slack within ten minutes. Then press “Yes, it’s my terminal” on the card that Lamplighter posts.',
  'terminal.loggedIn':
    'Logged in for {name, select, none {{person}} other {{name} ({person})}} in {project} as {role}, until {until}. The token is in {file}.',
  'terminal.notInTime': 'Nobody confirmed this terminal within ten minutes. Run “{program} login” again.',
  'terminal.loggedOut': 'Logged out: deleted {file}.',
  'terminal.stillValid':
    'The token may still be valid, since the API didn’t confirm that it was revoked. Revoke it in Slack: {line}',
  'terminal.loggedOutAlready': 'You aren’t logged in.',
  'terminal.notLoggedIn':
    '“{word}” isn’t a terminal command.{near} To use /endpoint commands here, log in: {program} login --url URL. {program} --help lists all commands.',
  'terminal.noUrl':
    'Give the address of the API with --url, or in LAMPLIGHTER_API_URL, such as https://lamplighter.example.com.',
  'terminal.noAddress': 'Set LAMPLIGHTER_API_URL to the address of the API, such as https://lamplighter.example.com.',
  'terminal.loginAgain': 'To log in again: {program} login --url {url}',
  'terminal.noToken': 'You aren’t logged in to {url} (LAMPLIGHTER_API_URL). Log in there, or set LAMPLIGHTER_TOKEN.',
  'terminal.badLength': '--wait takes a length of time such as 30s, 10m or 2h, not “{word}”.',
  'terminal.again': '{busy, select, yes {{why}} other {No answer ({why}).}} Trying again in {wait}.',
  'terminal.unreached': 'No answer from Lamplighter at {url}: {why}. Check the address, and that its API is running.',
  'terminal.unknown': 'The request may have arrived. It’s safe to run the same command again with --key {key}.',
  'terminal.accepted':
    'Request {id} was accepted and may still be carried out. Its card in Slack says how it ends, and so does the same command with --key {key}.',
  'terminal.withdrawn': 'Request {id} won’t run, unless it had already started. Its card in Slack says how it ended.',
  'terminal.blocked': 'It will be proposed again when that request has ended.',
  'terminal.member':
    '{kind, select, user {@{id}} group {user group {id}} channel {members of channel {id}} other {anyone in this workspace}}',
  'terminal.sameRequest':
    'This was already requested at {at}, and this is its answer; nothing new was requested. To request it again, use another --key.',
  'terminal.open':
    'It hasn’t ended yet. To wait for it, run the same command with --wait --key {key}. To cancel it: {program} cancel {id} --reason "no longer needed"',
  'terminal.asked': 'Request {id} expires at {at} if nobody answers.',
  'terminal.gone': 'the program that proposed it has ended',
} as const
