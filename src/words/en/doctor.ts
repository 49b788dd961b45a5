/** What doctor checks, what it has seen, and what to do. */
export const doctorWords = {
  'check.scopes': 'Slack scopes',
  'check.channel': 'This channel',
  'check.key': 'Platform key',
  'check.storage': 'Storage',
  'check.redis': 'Redis',
  'check.clock': 'Clock',
  'check.requests': 'Requests',
  'check.memory': 'Memory',
  'check.scale': 'Scale',
  'check.prices': 'Prices',
  'check.rules': 'Rules',
  'check.lockdown': 'Lockdown',
  'check.freeze': 'Freeze',
  'check.audit': 'Audit',
  'check.queue': 'Queue',
  'check.versions': 'Versions',
  'check.secrets': 'Secret values',
  'check.policy': 'Policy file',
  'check.groups': 'User groups',
  'check.approvers': 'Approvers',

  'scopes.unknown': 'Slack accepts the token, but doesn’t say which scopes it has.',
  'scopes.all': 'All scopes of the manifest are granted.',
  'scopes.missing': 'Missing: {missing}. Add them to the app and reinstall it.',
  'scopes.one':
    '{scope} ({of, select, chat_write {nothing can be posted} commands {/endpoint doesn’t exist} files_write {log files and exports can’t be sent} users_read {nobody can be recognized, so everyone is refused} usergroups_read {the policy’s user groups count as empty} channels_read {the policy’s channels can’t be looked up} groups_read {the policy’s private channels can’t be looked up} channels_history {a message whose reply was lost may appear twice} groups_history {the same in private channels} other {direct messages can’t be opened}})',
  'scopes.token': 'Slack rejects the bot token: {why}.',
  'channel.direct': 'A direct message. Questions go to the operations channel.',
  'channel.archived': 'This channel is archived, so I can’t ask anything here.',
  'channel.notIn': 'I’m not in this channel. Use /invite; until then I can only answer privately.',
  'channel.in': 'I’m in this channel.',
  'channel.unseen': 'I can’t see this channel ({why}). Use /invite.',
  'groups.known': 'Slack knows every group that the policy names.',
  'groups.off':
    '{at} names group:{id}, which is disabled in Slack, so nobody counts as its member. Enable it, or name another group.',
  'groups.unknown':
    '{at} names group:{id}, which isn’t a user group of this workspace, so nobody counts as its member. Copy the group’s id from Slack: it begins with S.',
  'groups.scope':
    '{places}: user groups are named, but the app lacks the scope usergroups:read, so nobody counts as their member. Add the scope and reinstall the app.',
  'groups.unread': '{places}: I can’t check the user groups right now ({why}). Try again later.',
  'groups.changed': 'The policy file has changed and has these problems:',
  'approvers.all': 'Everyone named for approvals is a full member.',
  'approvers.unable':
    '{who} can’t approve: a guest, a bot, deactivated, from another workspace, or unknown to Slack. Name someone else in lamplighter.yaml.',
  'approvers.unknown': 'Slack can’t say right now whether {who} can approve. Try again later.',

  'storage.unwritable': 'Writing to Redis failed: {why}',
  'storage.writable': 'Writing to Redis works.',
  'redis.forgets': 'It isn’t append-only, so a crash would lose requests: set appendonly yes.',
  'redis.evicts': 'It may evict keys, so requests could vanish: set maxmemory-policy noeviction.',
  'redis.hidden': 'Redis doesn’t show its settings. Make sure it’s append-only, with maxmemory-policy noeviction.',
  'redis.well': 'Append-only, no eviction.',
  'clock.apart': '{ms, number} ms off from Redis.{fault, select, yes { Set both by NTP.} other {}}',
  'requests.late':
    '{count, plural, one {# request is} other {# requests are}} more than a minute late. Are there enough workers?',
  'requests.none': 'No requests are late.',
  'scale.field': 'The count is sent as {field}.',
  'scale.other': 'The platform asked for {field}: set PLATFORM_SCALE_FIELD={field}.',
  'rules.late': 'Nobody has checked them for three minutes. Is a worker running, and does the platform respond?',
  'rules.checked': 'Last checked {ago} ago.',
  'audit.unwritable':
    'I can’t write to LAMPLIGHTER_AUDIT_DIR ({why}). Make room there, and let workers write to it. Until then checkpoints are only posted, and nothing is moved there.',
  'audit.moved': 'Entries older than 400 days are moved out once a day.',
  'audit.kept':
    'Entries older than 400 days stay in Redis. Set LAMPLIGHTER_AUDIT_DIR to a lasting directory, and workers move them there once a day; npm start -- audit prune does it now.',
  'queue.depth': '{count, plural, one {# job is} other {# jobs are}} waiting.',
  'versions.left':
    '{some, number} of {all, plural, one {# process} other {# processes}} can’t read something that a newer version stored: {what} Run the newest version everywhere.',
  'versions.well': 'Every process can read what is stored.',
  'secrets.noKey': 'There is no key to encrypt them: set LAMPLIGHTER_KEY (openssl rand -base64 32).',
  'secrets.key': 'There is a key to encrypt them.',
  'policyFile.bad': 'The file has mistakes, so the previous one still applies. {mistakes}',
  'policyFile.same': '{count, plural, one {The only process uses} other {All # processes use}} version {version}.',
  'policyFile.differ':
    'Processes use different files: {counts}.{fresh, select, yes { One has just changed.} other { Give all of them the same file.}}',
  'policyFile.count': '{count, number} use {version}',
} as const
