import { afterEach, describe, expect, test } from 'vitest'
import { anaTokens, tokensIn } from '../support/mentions.ts'
import { standing } from '../support/search.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

/** Every shape that platforms, and gateways before them, are known to refuse in; and what is left of it. */
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
  test.each([400, 401, 403, 404, 409, 422, 500])(
    'a %i is told in the platform’s words, whatever its shape, with what was last seen, and nothing is claimed',
    async (status) => {
      town = await startTown()
      const ana = town.slack.as('U0ANA')
      // How a shape is read does not depend on the status: one that is words and one that is none stand for the others.
      for (const one of standing(bodies, ({ shape }) => status === 400 || shape === 'a detail' || shape === 'a page')) {
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
        // Nobody but the requester is named.
        expect(tokensIn(end)).not.toEqual([])
        expect(tokensIn(end).filter((token) => !anaTokens.includes(token))).toEqual([])
        expect(fault.hits()).toBe(1)
        // What follows must not be mistaken for this one.
        await timePassesUntil(town, town.calm())
        town.slack.workspace.messages.delete('C0OPS')
      }
      expect(town.slack.transcript('ops')).toBe('')
      expect(town.platform.changes()).toEqual([])
      expect(town.log()).not.toContain('"level":"error"')
    },
  )
})
