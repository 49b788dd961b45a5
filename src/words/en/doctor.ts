/** Doctor's checks, results and remedies; mistakes in the policy file. */
export const doctorWords = {
  'check.scopes': 'Slack scopes',
  'check.channel': 'This channel',
  'check.key': 'API key',
  'check.storage': 'Storage',
  'check.redis': 'Redis',
  'check.clock': 'Clock',
  'check.requests': 'Requests',
  'check.memory': 'Memory',
  'check.scale': 'Scale',
  'check.prices': 'Prices',
  'check.processes': 'Processes',
  'check.rules': 'Schedules',
  'check.lockdown': 'Lockdown',
  'check.freeze': 'Automation',
  'check.audit': 'Audit',
  'check.queue': 'Queue',
  'check.versions': 'Versions',
  'check.secrets': 'Secret values',
  'check.policy': 'Policy file',
  'check.groups': 'User groups',
  'check.approvers': 'Approvers',
  'check.events': 'Events',

  'scopes.unknown': 'Slack accepts the token, but doesn’t say which scopes it has.',
  'scopes.all': 'All scopes of the manifest are granted.',
  'scopes.missing': 'Missing: {missing}. Add them to the app and reinstall it.',
  'scopes.one':
    '{scope} ({of, select, chat_write {nothing can be posted} commands {/endpoint doesn’t exist} files_write {log files and exports can’t be sent} users_read {nobody can be recognized, so everyone is refused} usergroups_read {the policy’s user groups count as empty} channels_read {the policy’s channels can’t be looked up} groups_read {the policy’s private channels can’t be looked up} channels_history {a message in a public channel may appear twice} groups_history {a message in a private channel may appear twice} other {direct messages can’t be opened}})',
  'scopes.token': 'Slack rejects the bot token: {why}.',
  'channel.direct': 'This is a direct message, so questions go to the operations channel.',
  'channel.archived': 'This channel is archived, so I can’t ask anything here.',
  'channel.notIn': 'I’m not in this channel. Use /invite; until then I can only answer privately.',
  'channel.in': 'I’m in this channel.',
  'channel.unseen': 'I can’t see this channel ({why}). Use /invite.',
  'groups.known': 'All groups in the policy exist in Slack.',
  'groups.off':
    '{at} names group:{id}, which is disabled in Slack and counts as empty. Enable it, or name another group.',
  'groups.unknown':
    '{at} names group:{id}, which isn’t a user group of this workspace and counts as empty. Copy the group’s id from Slack: it begins with S.',
  'groups.scope':
    '{places}: the app lacks the usergroups:read scope, so user groups count as empty. Add the scope and reinstall the app.',
  'groups.unread': '{places}: I can’t check the user groups right now ({why}). Try again later.',
  'groups.changed': 'The policy file has changed and has these problems:',
  'approvers.all': 'All named approvers are full members.',
  'approvers.unable':
    '{who} can’t approve: approvers must be active full members of this workspace. Name someone else in lamplighter.yaml.',
  'approvers.unknown': 'Slack can’t say right now whether {who} can approve. Try again later.',

  'storage.unwritable': 'Writing to Redis failed: {why}',
  'storage.writable': 'Writing to Redis works.',
  'redis.forgets': 'It isn’t append-only, so a crash would lose requests: set appendonly yes.',
  'redis.evicts': 'It may evict keys, so requests could vanish: set maxmemory-policy noeviction.',
  'redis.hidden': 'Redis doesn’t show its settings. Make sure it’s append-only, with maxmemory-policy noeviction.',
  'redis.well': 'Append-only, no eviction.',
  'clock.apart': '{ms, number} ms apart from Redis.{fault, select, yes { Sync both with NTP.} other {}}',
  'requests.late':
    '{count, plural, one {# request is} other {# requests are}} more than a minute late. Are there enough workers?',
  'requests.none': 'No requests are late.',
  'scale.field': 'Replica counts are sent as {field}.',
  'scale.other': 'The platform asked for {field}: set PLATFORM_SCALE_FIELD={field}.',
  'rules.late': 'Schedules haven’t been checked for three minutes. Is a worker running, and does the platform respond?',
  'rules.checked': 'Last checked {ago} ago.',
  'audit.unwritable':
    'I can’t write to LAMPLIGHTER_AUDIT_DIR ({why}). Make room there, and let workers write to it. Until then checkpoints are only posted, and nothing is moved there.',
  'audit.moved':
    'Entries older than 400 days are moved out once a day. “{program} audit verify” says whether any are missing.',
  'audit.young': 'No entry is older than 400 days. “{program} audit verify” says whether any are missing.',
  'audit.kept':
    'Entries older than 400 days stay in Redis. Set LAMPLIGHTER_AUDIT_DIR to a persistent directory, and workers move them there once a day; “{program} audit prune” does it now. “audit verify” says whether any are missing.',
  'queue.depth': '{count, plural, =0 {No jobs are} one {# job is} other {# jobs are}} waiting.',
  'workers.none':
    'No worker is running; commands are stored until one is. Start one. A worker that ended says why in its log; one that hangs doesn’t answer /livez.',
  'bots.none': 'No bot is running, so nothing that people type in Slack arrives. Start one.',
  'processes.well': 'A worker and a bot are running.',
  'processes.unknown': 'What is running can’t be known while writing to Redis fails.',
  'versions.left':
    '{some, number} of {all, plural, one {# process} other {# processes}} can’t read something that a newer version stored; their logs say what. Run the newest version everywhere.',
  'versions.well': 'All processes can read the stored data.',
  'secrets.noKey': 'There is no encryption key: set LAMPLIGHTER_KEY (openssl rand -base64 32).',
  'secrets.key': 'The encryption key is set.',
  'secrets.open':
    'Anyone who can write to Redis can make me act, because LAMPLIGHTER_KEY still accepts what was stored without a key (none). The manual says under “Keys” how long it is needed.',
  'secrets.earlier':
    '{count, plural, one {An earlier key is} other {# earlier keys are}} still accepted: with {count, plural, one {it} other {one of them}} and write access to Redis, anyone can make me act.',
  'policyFile.bad': 'The file has mistakes, so the previous one still applies. {mistakes}',
  'policyFile.same':
    '{count, plural, =0 {The file has no mistakes.} other {Everything that runs uses version {version}.}}',
  'policyFile.differ':
    'Processes use different files: {counts}.{fresh, select, yes { One has just changed.} other { Give all of them the same file.}}',
  'policyFile.count': '{count, number} use {version}',

  // Most follow a place: `lamplighter.yaml:9 projects[0].name` …
  'policyFile.mended': 'The policy file is valid again: version {version} applies.',
  'policyFile.refused': 'The changed policy file isn’t valid, so the previous one still applies:',
  'policyFile.gone': '{path} is gone. Put it back, or stop Lamplighter if nobody should use it.',
  'policyFile.unreadable': '{path} can’t be read. Check that it’s a file and that this process may read it.',
  'policyFile.restart':
    '{what, select, gone {no longer has project {name}.} new {is a new project: {name}.} other {names a different variable than at startup.}} Restart Lamplighter to apply this, or restore what was there.',

  'policyFile.tab': 'is indented with a tab. YAML takes spaces only: write two spaces per level.',
  'policyFile.twiceKey': 'is already set above. Keep one of the two.',
  'policyFile.syntax': 'isn’t valid YAML: {message}. Check quotes, brackets, colons and indentation there.',

  'policyFile.file': 'the file',
  'policyFile.value':
    '{kind, select, missing {is missing} empty {is empty} none {is an empty list} list {is a list} group {is a group of keys} other {is {value}}}.',
  'policyFile.hidden': 'has an invalid value, not shown because it may be secret.',
  'policyFile.unknownKey': 'isn’t {what, select, role {a role} other {a key of this file}}. Known here: {known}.',

  'policyFile.like': 'Write, for example, {example}{name, select, none {} other {, or leave {name} out}}.',
  'policyFile.keys': 'Write {keys} below it{name, select, none {} other {, or leave {name} out}}.',
  'policyFile.projects': 'Write projects: with at least one project.',
  'policyFile.words':
    'Write {words}{because, select, destructive {: a change that can’t be undone always needs confirmation} loosening {: removing a safeguard always needs approval by someone else} other {}}.',
  'policyFile.number': 'Write a whole number from {low} to {high}.',
  'policyFile.length':
    'Write a length of time from {low} to {high}, for example {examples}{off, select, yes {; or off} other {}}.',
  'policyFile.date': 'Write a date that exists, for example 2026-12-25.',
  'policyFile.projectName': 'Write 1 to 32 lowercase letters, digits or hyphens, for example "default".',
  'policyFile.variable': 'Write the name of an environment variable, for example {example}, never its value.',
  'policyFile.channel':
    'Write a channel id such as C0123ABCD (Slack shows it at the end of the channel details){all, select, yes {, or "*" for all} other {}}.',
  'policyFile.member': 'Write everyone, user:U…, group:S… or channel:C… (an id, without a space after the colon).',
  'policyFile.pattern': 'Write a name such as my-llm or "prod-*", or a tag such as "tag:prod".',
  'policyFile.webhook':
    'Write an https address without a user, a password or a #, for example https://hooks.example.com/lamplighter; plain http needs {setting}.',
  'policyFile.price': 'Write what one replica costs per hour, for example 0.75, or 0 if it’s reserved.',
  'policyFile.gpus': 'Write GPUs as the platform names them, each with its price, for example {example}.',
  'policyFile.currency': 'Write the three letters of a currency, for example USD.',
  'policyFile.rule': 'Begin with up or down, for example {example}; a line with commas goes in quotes.',
  'policyFile.noZone': 'It has no time zone. Add one at its end, for example {example}, or for every line: {setting}.',

  'policyFile.nobody':
    'is {what, select, channel {a channel} other {everyone}}. Name approvers and admins with user:U… or group:S….',
  'policyFile.nothingSaid': 'sets nothing for the endpoints it matches.',
  'policyFile.contradicts':
    'contradicts the rest: {low} is {least} and {high} is {most}. Make {low} shorter or {high} longer.',
  'policyFile.sameProject': 'names a second project {name}. Give each its own name.',
  'policyFile.twice': 'repeats {value}. Remove one of the two.',
  'policyFile.sharedChannel':
    'gives {channel} to {second}, but {first} already has it. A channel belongs to one project: remove it from one of the two.',
  'policyFile.tooFew':
    '{key, select, needed {is {needed}} other {is too short: needed is {needed}}}, but {count, plural, =0 {nobody can approve} other {only # can approve ({people})}}. Name more people or a group:S…{count, plural, =0 {} other {, or write needed: #}}.',
  'policyFile.tooLate':
    'lets the fallback approve after {after}, but the request expires before that (after {expires}). Write a shorter after, or a longer expires.',
  'policyFile.misnamed':
    'names {variable}, which holds {whose, select, ours {one of Lamplighter’s own secrets} platform {the platform’s API key} other {the metrics key}}.',
  'policyFile.sameValue': '{variable} holds the same value as {other}.',
  'policyFile.sentTo':
    '{to, select, platform {It would be sent to the platform. Name a variable with an API key of the platform, for example PLATFORM_API_KEY.} receiver {The receiver of the events knows it. Name a variable with a secret of its own, for example EVENTS_SECRET.} other {It would be sent to every container. Name a variable with a key made for reading metrics only, for example METRICS_KEY, or leave key_env out.}}',
} as const
