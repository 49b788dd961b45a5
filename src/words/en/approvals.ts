/** Delegation, and requests that wait for approvals. */
export const approvalWords = {
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
} as const
