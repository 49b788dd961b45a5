import { mostAsks } from './request.ts'

/** What makes nothing less safe goes through while all changes are stopped. */
export const stillAllowed = 'Still allowed: protect, freeze, unschedule, back.'

/** Why the storage took nothing, and what to do. */
const unstored = {
  away: 'I could not reach my storage. Try again in a minute.',
  slow: 'my storage was too slow. Try again in a minute.',
  full: 'my storage is full. An administrator has to give Redis more memory.',
  readonly: 'my storage is read-only. Try again in a minute; if it stays so, an administrator has to look at Redis.',
  changing: 'my storage is starting or failing over. Try again in a minute.',
  disk: 'my storage cannot write to its disk. An administrator has to look at Redis.',
  locked: 'my storage does not let me in. An administrator has to check the password in REDIS_URL.',
  refused: 'my storage refused. An administrator finds the reason in the log.',
} as const
export type Unstored = keyof typeof unstored

/** Expected failures, each with a sentence that says what to do. Anything else is a bug, shown as `broke`. */
export const sentences = {
  tooLong: (most: number) =>
    `That line is too long: at most ${most.toLocaleString('en')} characters. Nothing was done.`,
  unknownVerb: (verb: string, near?: string) =>
    `I do not know “${verb}”.${near ? ` Did you mean ${near}?` : ''} /endpoint help lists what you can ask.`,
  missing: (what: string, usage: string) => `${what} is missing. Write: ${usage}`,
  surplus: (word: string, usage: string) => `I do not know what to do with “${word}”. Write: ${usage}`,
  unclosed: 'A quotation mark is not closed. Nothing was done.',
  unknownEndpoint: (name: string, near: number) =>
    near > 0
      ? `No endpoint is called exactly “${name}”. Did you mean one of these?`
      : `No endpoint is called “${name}”. /endpoint list shows those this key can see.`,
  ambiguous: (name: string) => `More than one endpoint is called “${name}”. Choose one by its id:`,
  notYours: (needed: string, project: string) =>
    `You need the role ${needed} in project ${project} for this, and nothing was done. An administrator can give it in lamplighter.yaml, under roles.`,
  /** After a refusal for want of a role. */
  groupsUnread:
    'But user groups of the policy cannot be read at Slack now, so a role that one of them gives does not count: /endpoint doctor says why.',
  notYoursWithoutFile:
    'Nobody may change anything yet: there is no policy file. Write one (lamplighter.yaml, named by LAMPLIGHTER_CONFIG) that gives the role operator to people or groups. Nothing was done.',
  outsider:
    'Only members of this workspace can use Lamplighter; guests only where the policy names them. Nothing was done.',
  guest: 'Guests can use Lamplighter only where the policy names them, and only to look. Nothing was done.',
  noRole:
    'You have no role here, so there is nothing you could ask for. An administrator can give you one in lamplighter.yaml, under roles; guests only by name, and only to look.',
  cannotCheck: 'I could not check at Slack who you are, so nothing was done. Try again in a minute.',
  cannotRead: (why: string) => `I could not read this from the platform, so nothing was done. ${why}`,
  noProject: 'No project is tied to this channel. Add the channel to a project in lamplighter.yaml.',
  whichProject: 'Which project do you mean? In a channel that is tied to one I need not ask.',
  taken: (name: string, line: string) => `Another request is open on ${name}: ${line}. Nothing was done.`,
  askedAlready: 'Somebody has asked for this already, and it waits for an answer. Nothing was done.',
  changing: `It kept changing while I asked ${mostAsks} times, so nothing was done. Ask again when it is calm.`,
  unanswered: (length: string) => `Nobody answered within ${length}, so nothing was done.`,
  tooLate: 'The work could not begin within 5 minutes of the decision, so nothing was done. Ask again.',
  notHere:
    'I cannot post in this channel, and this needs an answer from people. Invite me there with /invite and ask again. Nothing was done.',
  noOperationsChannel:
    'This needs an answer from people, and there is no channel to ask in: set operations_channel in lamplighter.yaml, or ask in a channel. Nothing was done.',
  token:
    'That holds what looks like a password or a token, so nothing was stored or done. Secrets belong in environment variables: the form seals them.',
  tooMuch: {
    person: 'That is more than I take from one person at a time, so nothing was done. Try again in a minute.',
    project: 'This project is sending me more than I can take, so nothing was done. Try again in a minute.',
    storage:
      'My storage is nearly full, so I answer no questions now; changes still work. Tell who runs Lamplighter: /endpoint doctor says how full it is.',
  },
  nothingStored: (why: Unstored) => `Nothing was done: ${unstored[why]}`,
  forgotten: 'I do not remember this request any more, so nothing was done. Ask again.',
  perhapsStored: 'I am not sure this was stored. If no card appears within a minute, nothing was done.',
  pressPerhapsStored: 'I am not sure this was stored. Press again in a minute if nothing changes.',
  notTaken: 'No worker took this within 30 minutes, so nothing was done. Ask again.',
  noWorker: 'Taken, but no worker is running: it will be done when one starts.',
  lockedDown: (why: string) =>
    `All changes are stopped: ${why} ${stillAllowed} An admin ends this with /endpoint thaw.`,
  otherName: (name: string) =>
    `The platform now calls that endpoint ${name}, so nothing was done. Ask again by its id or by that name.`,
  needsKey:
    'An approval has to be sealed, and there is no key: set LAMPLIGHTER_KEY (openssl rand -base64 32) for bot and workers. Nothing was done.',
  ownApproval: 'Somebody else has to approve this: you have asked for it.',
  voted: 'You have approved this already; it takes somebody else now.',
  votedInPlace: 'It takes somebody else now: this has been approved in your place by',
  approvalGone: 'Somebody who approved this may not any more, so nothing was done. Ask again.',
  oldAsk: 'That question has been replaced by a newer one in the same thread.',
  notYourAnswer: (needed: string, project: string) =>
    `Only somebody with the role ${needed} in project ${project} can answer this.`,
  notYourApproval: 'This is not yours to answer.',
  over: (ending: string) => `This is over. ${ending}`,
  decided: (yes: boolean) => (yes ? 'This was already agreed to by' : 'This was already declined by'),
  replyLost: 'The platform gave no clear answer; a later read shows this.',
  sealGone: 'The secret values are no longer there, so nothing was changed with them. Please enter them again.',
  fileUnsent: (name: string) =>
    `I could not send you the file ${name}. The Slack app needs the scopes files:write and im:write for it: /endpoint doctor says what is missing. Then ask again.`,
  lostTrack:
    'This was asked before data were lost, and nobody can say what became of it. Look how the endpoint stands, then ask again.',
  broke: 'Something broke here, not at the endpoint. The log has the details under this request.',
  brokeBack: (name: string) =>
    `Something broke here, not at the endpoint, and I gave up bringing ${name} back to where it was.`,
} as const
