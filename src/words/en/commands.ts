/** How lines are read, and what help, whoami and doctor show. */
export const commandWords = {
  'field.textTooLong': '{field} can have at most {most} characters.',
  'field.choice': '{field} must be {of}, not “{word}”.',
  'field.number': '{field} must be a whole number from {low} to {high}, not “{word}”.',
  'field.noReplicas': 'To go to 0 replicas, use stop.',
  'field.path': '{field} must be a path that begins with /, not “{word}”.',
  'field.secretsEmpty':
    '{field}: write {clear} to remove all of them. To set some, open the form with /endpoint patch.',
  'field.secretsTyped':
    '{field} are set in the form, where values stay hidden. Leave {key} out and open /endpoint patch.',
  'field.endpointEmpty': 'Which endpoint? There is no name between the quotation marks.',
  'field.endpointTooLong': 'An endpoint’s name has at most 200 characters.',
  'field.requestEmpty': 'Which request? Give the endpoint it is about, or its id.',
  'field.requestTooLong': 'Name a request by its endpoint or its id.',
  'field.person': '{field} must be a person chosen from the list that Slack shows after @, not “{word}”.',
  'field.personOrMe': '{field} must be me, or a person chosen from the list that Slack shows after @, not “{word}”.',
  'field.time': '{field} must be a time such as 19:00, tomorrow 09:00, fri 18:00, 2026-12-24 or 4h, not “{word}”.',
  'field.length': '{field} must be a length of time such as {examples}, not “{word}”.',
  'field.historyOf': 'For the history of an endpoint with that name, give its id.',
  'field.historySince': 'History goes back 90 days at most.',

  'help.title': 'Commands: put /endpoint in front',
  'help.unknown': 'No command “{verb}”.{near, select, none {} other { Did you mean {near}?}}',
  'help.hidden':
    '{count, plural, one {# more command needs} other {# more commands need}} a role you don’t have here{names, select, none {} other {: {names}}}.',
  'help.about': 'Type /endpoint help stop for details of a command.',
  'group.endpoints': 'Endpoints',
  'group.automation': 'Schedules and automation',
  'group.requests': 'Requests and approvals',
  'group.others': 'History, savings and checks',

  'menu.title': 'What would you like to do?',
  'menu.waiting':
    '{count, plural, =0 {Nothing is waiting for you.} one {# request is waiting for you} other {# requests are waiting for you}}',
  'menu.moreWaiting': '{count} more on the Home tab.',
  'menu.choose': 'Choose an endpoint to see what you can do with it.',
  'menu.endpoint': 'Choose an endpoint',
  'menu.more': 'More…',
  'menu.back': 'Back to the menu',
  'menu.open': 'Menu',
  'menu.close': 'Close',
  'menu.typed': 'You can also type any command. /endpoint help lists them.',
  'menu.taken': 'Got it. I’ll DM you the result.',
  'menu.asTyped': 'use as typed (not in the list)',

  'whoami.none': 'You don’t have a role here',
  'whoami.role':
    'You’re {role, select, viewer {a viewer} operator {an operator} approver {an approver} other {an admin}} in project {project}',
  'whoami.by': 'You have it as',
  'whoami.details':
    'Organization {organization} · platform project {project} · API key {key, select, none {unknown} other {{key}}}, by {via}{user, select, none {} other {, created by {user}}}{policy, select, unsaid {} none { · no policy file} other { · policy {policy}}}',
  'whoami.waiting':
    '{count, plural, =0 {Nothing is waiting for you} one {# request is waiting for you} other {# requests are waiting for you}}',
  'whoami.standsIn': 'You can approve in place of',
  'whoami.standIn': 'Until {until} your approvals can be given by',
  'whoami.full': 'You don’t have a role here yet. An admin can add {as} under roles in lamplighter.yaml.',
  'whoami.guest':
    'You don’t have a role here. Guests can only view, and only if an admin names them in lamplighter.yaml, under roles, viewer: {as}.',
  'whoami.outside':
    'You don’t have a role here. Slack says you aren’t a member of this workspace: you belong to another one, are an app, or your account is deactivated. Only members get a role; ask one of them.',

  'doctor.title': '{bad, plural, =0 {All checks passed} one {# problem} other {# problems}}',
  'doctor.well': '✅ {name}',
  'doctor.bad': '❌ {name}',
} as const
