import { call } from './call.ts'
import { defineQuery } from './define.ts'

export const whoami = defineQuery({
  name: 'whoami',
  summary: 'Show whom the API key stands for, and what you may do here.',
  examples: ['whoami'],
  fields: {},
  call: () => call('get', '/me'),
  show: ({ organization, project, key, user, via }, context) => ({
    title:
      context.role === null
        ? 'You have no role here'
        : `You are ${article(context.role)} in project ${context.project}${context.by === undefined ? '' : `, by ${context.by}`}`,
    items: [
      { text: `Organization ${organization}` },
      { text: `Platform project ${project}` },
      { text: `Key ${key ?? 'unknown'}, by ${via}${user === null ? '' : `, made by ${user}`}` },
    ],
  }),
})

function article(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
}
