import type { OwnAccess, QueryAnswer } from '../model/query-answer.ts'
import { type Member, memberText, personNamed } from '../model/roles.ts'
import { limitsOf } from '../model/token.ts'
import { say } from '../model/words.ts'
import { call } from './call.ts'
import { defineQuery } from './define.ts'
import { wholeLine } from './fields.ts'
import { sentenceOf } from './phrases.ts'

export const whoami = defineQuery({
  name: 'whoami',
  also: ['내정보'],
  hints:
    'who am,what can,who can,who may,누가 수 있,access,role,roles,approvers,policy,누가 승인,누구 승인,승인 누,뭐 할,뭘 할,권한,역할,정책',
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
  return [
    { text: say('menu.waiting', { count: waiting }) },
    ...(absent.length === 0 ? [] : [{ text: say('whoami.standsIn'), whom: absent.map(personNamed) }]),
    ...(standIn === null
      ? []
      : [{ text: say('whoami.standIn', { until: { at: standIn.until } }), whom: [personNamed(standIn.to)] }]),
    ...(approvers.length === 0 ? [] : [{ text: say('whoami.approvers'), whom: approvers }]),
    ...(admins.length === 0 ? [] : [{ text: say('whoami.admins'), whom: admins }]),
  ]
}

export const doctor = defineQuery({
  name: 'doctor',
  also: ['점검'],
  examples: ['doctor'],
  fields: {},
  own: 'doctor',
  evenFull: true,
  show: (checks) => {
    const bad = checks.filter(({ well }) => !well)
    return {
      title: say('doctor.title', { bad: bad.length }),
      items: [...bad, ...checks.filter(({ well }) => well)].map(({ well, name, says }) => ({
        text: say(well ? 'doctor.well' : 'doctor.bad', { name }),
        detail: says,
      })),
    }
  },
})

export const explain = defineQuery({
  name: 'explain',
  also: ['설명'],
  hints: 'who can,who may,can i,may i,am allowed,누가 수 있,내가 수 있,would happen,happens if,need approval,승인 필요',
  everyToken: true,
  examples: ['explain stop my-llm', 'explain scale my-llm to 3'],
  fields: { line: wholeLine() },
  own: 'explain',
  show: (answer, { rows }) => ({
    ...answer,
    titleTold: typeof answer.title === 'string' ? sentenceOf(answer.title, rows) : [],
  }),
})
