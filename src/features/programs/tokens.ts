import { defineChange, defineQuery } from '../../core/commands/define.ts'
import { choice, type Field, matching, optional, person, text, word } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { when } from '../../core/commands/time-fields.ts'
import { defined } from '../../core/model/defined.ts'
import type { Records } from '../../core/model/records.ts'
import { includes, isSame, personNamed } from '../../core/model/roles.ts'
import {
  type AccessToken,
  isCalendar,
  isTakenName,
  limitsOf,
  readCode,
  tokenKey,
  tokenMeans,
  tokenRoles,
} from '../../core/model/token.ts'
import { say, type Words } from '../../core/model/words.ts'
import { liveTokens } from '../../core/policy/programs.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { readWhen } from '../../core/time/parse-when.ts'

/** The default and the longest lifetime of a token. ms. */
const [usualLife, longestLife] = [30 * dayMs, 90 * dayMs]
/** The most tokens one person can have. */
const mostTokens = 20
/** Cards show a name as it is, so nothing in it may be invisible or look like a person or a format. */
const plainName = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N} ._:/+()’'-]+$/u

const act = choice('tokenAct', ['new', 'revoke'])

export const token = defineChange({
  name: 'token',
  also: ['토큰'],
  hints: 'api,mcp,agent,ci,login,webhook',
  peopleOnly: true,
  examples: [
    'token new "ci of team a"',
    'token new claude-code viewer until fri 18:00',
    'token new "ci of team a" only=start,stop on=tag:ci',
    'token new "my calendar" only=calendar',
    'token revoke "ci of team a"',
  ],
  fields: {
    what: {
      ...act,
      read: (typed) => {
        const read = act.read(typed)
        return 'wrong' in read ? { wrong: [read.wrong, say('token.listed')] } : read
      },
    },
    name: { ...word('tokenName', '<name>'), read: matching(/\S/, () => say('token.unnamed')) },
    role: optional(choice('role', tokenRoles)),
    until: optional(when('endTime', 'until', 'fri 18:00')),
    only: optional({
      ...text('tokenOnly', 'only'),
      hint: 'only=start,stop',
      example: say('form.tokenOnly'),
      read: list(/^[a-z-]{2,20}(,[a-z-]{2,20}){0,30}$/, (typed) => say('token.badOnly', { word: typed })),
    }),
    on: optional({
      ...text('tokenOn', 'on'),
      hint: 'on=tag:ci',
      example: say('form.tokenOn'),
      read: list(/^[^\s,]{1,60}(,[^\s,]{1,60}){0,9}$/, (typed) => say('token.badOn', { word: typed })),
    }),
    code: optional({
      ...text('tokenCode', 'code'),
      hint: 'code=…',
      example: say('form.tokenCode'),
      most: 120,
      unshown: true,
    }),
    of: optional({ ...person('tokenOwner', 'of'), example: say('form.tokenOwner') }),
  },
  needs: () => 'viewer',
  endsToken: ({ what, name, of }) => (what === 'revoke' && of === undefined ? name : undefined),
  nonsense: ({ what, role, until, only, on, code }) =>
    what === 'revoke' &&
    [role, until, only, on, code].some((value) => value !== undefined) && {
      says: say('token.revokeAlone'),
      example: 'token revoke "ci of team a"',
      field: 'what',
    },
  impact: () => 'reversible',
  change: (values, context) => {
    const { records, by, at, role, zone, id } = context
    const { what, name, code, of } = values
    const found = liveTokens(records, at).filter((one) => one.name === name)
    if (what === 'revoke') {
      const theirs = found.filter((one) => of === undefined || `@${one.by.user}` === of)
      const mine = theirs.filter((one) => isSame(one.by, by))
      const [one, ...others] = mine.length > 0 || !includes(role, 'admin') ? mine : theirs
      if (one === undefined)
        return wrong('name', theirs.length === 0 ? say('token.none', { name }) : say('token.notYours'))
      if (others.length > 0)
        return wrong('of', say('token.whose', { name, by: { all: theirs.map((each) => ({ person: each.by })) } }))
      const whose = mine.length > 0 ? '' : say('token.owner', { by: { person: one.by } })
      return {
        change: { put: [{ ...one, until: at, revoked: true }] },
        means: [whose, say('token.revokesNamed', { count: 1 })],
      }
    }
    if (of !== undefined) return wrong('of', say('token.newIsYours'))
    if (context.tokenDigest === undefined) return wrong('what', say('token.notAllowed'))
    if (context.tokenDigest === null) return { wrong: say('token.needsKey') }
    if (!plainName.test(name)) return wrong('name', say('token.oddName'))
    if (isTakenName(name)) return wrong('name', say('token.taken', { name }))
    if (found.some((one) => isSame(one.by, by))) return wrong('name', say('token.already', { name }))
    if (liveTokens(records, at).filter((one) => isSame(one.by, by)).length >= mostTokens)
      return wrong('name', say('token.tooMany', { most: mostTokens }))
    const end = values.until === undefined ? { at: at + usualLife } : readWhen(values.until, at, zone)
    if ('wrong' in end) return end
    if (end.at - at > longestLife) return wrong('until', say('token.tooLong', { most: { lasting: longestLife } }))
    const made = code === undefined ? { id, digest: context.tokenDigest } : fromTerminal(code, records, at)
    if ('wrong' in made) return made
    const [only, on] = [values.only?.split(','), values.on?.split(',')]
    const put: AccessToken = {
      kind: 'token',
      ...made,
      name,
      by,
      role: values.role ?? (isCalendar({ only }) ? 'viewer' : 'operator'),
      at,
      until: end.at,
      ...defined({ only, on }),
    }
    return { change: { put: [put] }, means: tokenMeans(put, role) }
  },
  phrase: ({ what, name, code }) => ({
    key: what === 'revoke' ? 'tokenRevoke' : code === undefined ? 'token' : 'tokenTerminal',
    with: { token: name },
  }),
})

/** Reads words separated by commas, also with blanks around them. */
function list(pattern: RegExp, wrong: (typed: string) => Words): Field<string>['read'] {
  return (typed) => matching(pattern, () => wrong(typed))(typed.trim().replaceAll(/\s*,\s*/g, ','))
}

function wrong(field: string, says: Words): { readonly wrong: Words; readonly field: string } {
  return { wrong: says, field }
}

/** Reads a terminal's code. Its secret never leaves the terminal, so the line has only the digest. */
function fromTerminal(code: string, records: Records, now: number) {
  const read = readCode(code, now)
  if (read === 'bad') return wrong('code', say('token.badCode'))
  if (read === 'stale') return wrong('code', say('token.staleCode'))
  if (records.has(tokenKey(read.id))) return wrong('code', say('token.usedCode'))
  return { ...read, terminal: true } as const
}

export const tokens = defineQuery({
  name: 'tokens',
  also: ['토큰목록'],
  examples: ['tokens'],
  fields: {},
  own: 'tokens',
  show: (found, { asker, role }) => ({
    title: say('tokens.title', { count: found.length }),
    items: found.map(({ name, by, ...limits }) => {
      const isMine = asker !== undefined && isSame(asker, by)
      const line = `token revoke ${writeWord(name)}${isMine ? '' : ` of @${by.user}`}`
      const offers = (role === 'admin' || isMine) && { offers: [{ label: say('tokens.revoke'), line }] }
      return { text: name, strong: true, detail: limitsOf(limits), whom: [personNamed(by)], ...offers }
    }),
  }),
})
