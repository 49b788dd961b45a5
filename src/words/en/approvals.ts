/** Who approves for whom, and what waits for approvals. */
export const approvalWords = {
  'approval.needsKey':
    'Approvals are signed, and there is no key yet: set LAMPLIGHTER_KEY (openssl rand -base64 32) for the bot and the workers. Nothing was done.',
  'approval.counted':
    'Your approval counts ({count, number} of {needed, number}). {left, number} more needed by {until}.',
  'approval.noAnswer': 'No answer for {length}.',
  'approval.own': 'You can’t approve your own request.',
  'approval.twice': 'You’ve already approved; someone else has to as well.',
  'approval.twiceInPlace': 'Someone else has to approve: this was already approved in your place by {who}.',
  'approval.gone': 'Someone who approved this can’t approve any more, so nothing was done. Try again.',
  'approval.replaced': 'This question was replaced by a newer one in the same thread.',
  'approval.role': 'Only someone with the role {role} in project {project} can answer this.',
  'approval.notYours': 'Only {who} can answer this.',
  'approval.agreed': 'This was already approved by {who}.',
  'approval.declined': 'This was already declined by {who}.',

  'away.tooLong': 'The policy allows delegations of at most {most} (bounds.away).',
  'away.self': 'You can’t delegate to yourself.',
  'away.means': 'They can approve in your place until {until}, each request once, and never one of their own or yours.',
  'away.notYours': 'Only the person who requested {verb} can undo it.',
  'away.told': 'Until {until} you can approve for {who}.',
  'away.begun': 'Until {until} {to} can approve for {who}.',
  'away.over': 'Nobody approves for {who} any more.',
  'back.means': 'Nobody approves in your place any more.',
  'back.none': 'You have no delegation to end.',

  'hold.ended': 'You paused automation for {name} until {until}. {by} has resumed it.',
  'hold.shortened': 'You paused automation for {name} until {until}. {by} has changed that to {end}.',

  'glass.notWaiting': 'Only a request that is waiting for approvals can skip them. Nothing was done.',
  'freeze.over': 'Automation isn’t paused any more: the freeze has ended.',
} as const
