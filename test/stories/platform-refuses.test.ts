import { afterEach, describe, expect, test } from 'vitest'
import { anaTokens, tokensIn } from '../support/mentions.ts'
import { sampleOf } from '../support/search.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

/** The known shapes of a refusal, from platforms and from gateways before them, and what people read of each. */
const bodies = [
  { shape: 'a detail', body: { detail: 'No <!channel> for *you* & <http://x.example|me>' } },
  {
    shape: 'a list of details',
    body: { detail: [{ loc: ['body', 'gpu'], msg: 'Field <@U0BEN> required', type: 'missing' }] },
    says: 'gpu: Field <@U0BEN> required',
  },
  { shape: 'a message', body: { message: 'Not @here' }, says: 'Not @here' },
  { shape: 'a message and a detail', body: { message: 'Sorry', detail: 'Not now' }, says: 'Sorry: Not now' },
  { shape: 'a problem', body: { title: 'Refused', status: 400, detail: 'By rule 7' }, says: 'Refused: By rule 7' },
  { shape: 'plain text', body: 'invalid api key' },
  { shape: 'a page', body: '<html><title>403 Forbidden</title><body>…</body></html>', says: null },
  { shape: 'nothing', body: '', says: null },
] as const

function saidBy(one: (typeof bodies)[number]): string | null {
  if ('says' in one) return one.says
  return typeof one.body === 'string' ? one.body : one.body.detail
}

const orders = [
  { verb: 'start', name: 'my-tts', operation: 'startEndpoint', seen: /It’s stopped\./ },
  {
    verb: 'stop',
    name: 'my-llm',
    operation: 'stopEndpoint',
    seen: /It’s running \(3 of 3 replicas running\)\./,
  },
] as const

describe.each(orders)('$verb', ({ verb, name, operation, seen }) => {
  // What a refusal says depends on neither the call nor, except for a 401 and a 500, its status.
  const few = verb === 'start' ? [400, 401, 404, 500] : [409, 500]
  test.each(sampleOf([400, 401, 403, 404, 409, 422, 500], (status) => few.includes(status)))(
    'refused with %i shows the platform’s words and the last state, and claims nothing',
    async (status) => {
      town = await startTown()
      const ana = town.slack.as('U0ANA')
      // The tests of the sentence for an error cover every shape; here are those with mentions, and an unreadable one.
      const shapes = status === 400 ? ['a detail', 'a list of details', 'a message', 'a page'] : ['a detail', 'a page']
      for (const one of sampleOf(bodies, ({ shape }) => shapes.includes(shape))) {
        const fault = town.platform.faults.add(operation, { kind: 'answer', status, body: one.body }, 1)
        await town.minutesPass(1)
        await ana.types('ops', `/endpoint ${verb} ${name} because="${one.shape}"`)
        if (verb === 'stop') await ana.presses(`Stop ${name}`, { in: 'ops' })
        const said = saidBy(one)
        const end = await timePassesUntil(
          town,
          ana.sees(said === null ? /: failed\. .*(The|No) / : `“${said}”`, { in: 'ops' }),
        )
        expect(end.text).toContain(`${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${name}: failed.`)
        expect(end.text).toMatch(seen)
        if (status === 401) expect(end.text).toContain('The API key is wrong or was deleted. Create one')
        // Only the requester is mentioned. A state that was read some time ago is shown with its time.
        expect(tokensIn(end)).not.toEqual([])
        const isExpected = (token: string) => anaTokens.includes(token) || token.startsWith('<!date^')
        expect(tokensIn(end).filter((token) => !isExpected(token))).toEqual([])
        expect(fault.hits()).toBe(1)
        // Wait, so that the next loop does not see this one's messages.
        await timePassesUntil(town, town.calm())
        town.slack.workspace.messages.delete('C0OPS')
      }
      expect(town.slack.transcript('ops')).toBe('')
      expect(town.platform.changes()).toEqual([])
      expect(town.log()).not.toContain('"level":"error"')
    },
  )
})
