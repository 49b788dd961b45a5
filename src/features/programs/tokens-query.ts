import { defineQuery } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { type Actor, isSame, personNamed } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'

export const tokens = defineQuery({
  name: 'tokens',
  also: ['토큰목록'],
  examples: ['tokens'],
  fields: {},
  own: 'tokens',
  show: (found, { asker, role }) => {
    const isMine = (by: Actor) => asker !== undefined && isSame(asker, by)
    return {
      title: say('tokens.title', { count: found.length }),
      items: found.map(({ name, by, role: most, until, only = [], on = [] }) => ({
        text: name,
        strong: true,
        detail: say('tokens.one', {
          role: most,
          until: { at: until },
          limited: only.length === 0 ? 'no' : 'yes',
          only: { all: only },
          fenced: on.length === 0 ? 'no' : 'yes',
          on: { any: on },
        }),
        whom: [personNamed(by)],
        ...((role === 'admin' || isMine(by)) && {
          offers: [
            {
              label: say('tokens.revoke'),
              line: `token revoke ${writeWord(name)}${isMine(by) ? '' : ` of @${by.user}`}`,
            },
          ],
        }),
      })),
    }
  },
})
