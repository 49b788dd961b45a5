import type { Offer, OwnAccess, QueryAnswer } from '../model/query-answer.ts'
import type { FieldValues } from '../model/request.ts'
import { includes, type Member, memberText, personNamed, type Role } from '../model/roles.ts'
import { limitsOf } from '../model/token.ts'
import { say, type Words } from '../model/words.ts'
import { call } from './call.ts'
import { defineQuery, type Row } from './define.ts'
import { readLine, usageOf } from './parse.ts'

export function neededFor(row: Row, values: FieldValues = {}): Role {
  return row.needs?.(values) ?? (row.kind === 'operation' ? 'operator' : 'viewer')
}

/**
 * Whether a button may only open the form of this line: it decides for others, or contains what cards don't show. Anyone
 * with the bot's token can post a button whose label says something else.
 */
export function opensForm(row: Row, values: FieldValues): boolean {
  const decides = row.kind === 'operation' && includes(neededFor(row, values), 'approver')
  return decides || Object.keys(values).some((name) => row.fields[name]?.unshown === true)
}

export function rowsFor(role: Role, among: readonly Row[]): readonly Row[] {
  return among.filter((row) => includes(role, neededFor(row)))
}

/** If there are more, only their number is shown. */
const mostNamed = 8

/** "2 more commands need a role you don’t have here: thaw and break-glass."; '' if no row is hidden. */
export function hiddenText(all: readonly Row[], listed: readonly Row[]): Words {
  const names = all.filter((row) => !listed.includes(row)).map(({ name }) => name)
  const few = names.length > mostNamed ? 'none' : { all: names }
  return names.length === 0 ? '' : say('help.hidden', { count: names.length, names: few })
}

/** Returns the usage without choices that this role may not make; the whole usage if the role is undefined. */
export function usageFor(role: Role | null | undefined, row: Row): string {
  if (role === undefined) return usageOf(row)
  const fields = Object.entries(row.fields).flatMap(([name, field]) => {
    const { optional, of, hint } = field
    if (!optional || of === undefined) return [[name, field] as const]
    const allowed = of.filter((one) => includes(role, neededFor(row, { [name]: one })))
    const shown = { ...field, hint: hint.replace(of.join('|'), allowed.join('|')) }
    return allowed.length === 0 ? [] : [[name, shown] as const]
  })
  return usageOf({ ...row, fields: Object.fromEntries(fields) })
}

/** Whether this role may send a line. An unreadable line is refused elsewhere. */
export function mayWrite(role: Role | null, line: string, rows: readonly Row[]): boolean {
  const read = readLine(line, rows)
  if (read.kind === 'misread') return true
  const { row, values } = read.kind === 'line' ? read.read : read
  return includes(role, neededFor(row, values))
}

/** Keeps only the buttons that the reader may press. */
export function offeredTo(may: (line: string) => boolean, shown: QueryAnswer): QueryAnswer {
  const allowed = (among: readonly Offer[]) => among.filter(({ line }) => may(line))
  const limited = <One extends Pick<QueryAnswer['items'][number], 'offers' | 'more'>>(one: One): One => ({
    ...one,
    ...(one.offers && { offers: allowed(one.offers) }),
    ...(one.more && { more: allowed(one.more) }),
  })
  return { ...limited(shown), items: shown.items.map(limited) }
}

export const whoami = defineQuery({
  name: 'whoami',
  also: ['내정보'],
  hints:
    'who approves,who am,am admin,am operator,am approver,what can,who can,who may,누가 수 있,access,role,roles,approvers,policy,누가 승인,누구 승인,승인 누,뭐 할,뭘 할,권한,역할,정책',
  everyToken: true,
  examples: ['whoami'],
  fields: {},
  call: () => call('get', '/me'),
  you: true,
  stranger: ({ user, membership, unread }) => {
    const why = say(`whoami.${membership}`, { as: memberText({ kind: 'user', id: user }) })
    return unread && membership === 'full' ? [why, say('role.groupsUnread')] : why
  },
  show: ({ organization, project, key, user }, { role, by, you, asker, byProgram = false, token, ...context }) => ({
    title:
      role === null
        ? say('whoami.none')
        : byProgram && asker !== undefined
          ? say('whoami.program', { role, project: context.project, by: { person: asker } })
          : say('whoami.role', { role, project: context.project }),
    items: [
      ...(role === null || byProgram ? [] : [{ text: say('whoami.may', { role, approves: approves(by, you) }) }]),
      ...(by === undefined ? [] : [{ text: say('whoami.by', { who: by.kind === 'user' && !byProgram ? 'you' : by }) }]),
      ...(token === undefined ? [] : [{ text: token.name, detail: limitsOf(token) }]),
      ...(you === undefined || byProgram ? [] : accessItems(you)),
    ],
    // Only admins can fix a problem with the key.
    ...(role === 'admin' && {
      foot: say('whoami.details', { organization, project, key: key ?? 'none', user: user ?? 'none' }),
    }),
  }),
})

/** Whether the holders of this person's role can approve, because the policy may name other approvers. */
function approves(by: Member | undefined, you: OwnAccess | undefined): 'yes' | 'no' {
  return you?.approvers.some((one) => by !== undefined && memberText(one) === memberText(by)) === true ? 'yes' : 'no'
}

function accessItems({ absent, standIn, waiting, approvers, admins }: OwnAccess): QueryAnswer['items'] {
  const show = { offers: [{ label: say('form.show'), line: 'approve' }] }
  return [
    { text: say('menu.waiting', { count: waiting }), ...(waiting > 0 && show) },
    ...(absent.length === 0 ? [] : [{ text: say('whoami.standsIn'), whom: absent.map(personNamed) }]),
    ...(standIn === null
      ? []
      : [{ text: say('whoami.standIn', { until: { at: standIn.until } }), whom: [personNamed(standIn.to)] }]),
    ...(approvers.length === 0 ? [] : [{ text: say('whoami.approvers'), whom: approvers }]),
    ...(admins.length === 0 ? [] : [{ text: say('whoami.admins'), whom: admins }]),
  ]
}
