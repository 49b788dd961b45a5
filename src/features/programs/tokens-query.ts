import { defineQuery } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { type Actor, isSame, personNamed } from '../../core/model/roles.ts'
import { limitsOf } from '../../core/model/token.ts'
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
      items: found.map(({ name, by, ...token }) => ({
        text: name,
        strong: true,
        detail: limitsOf(token),
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
