import { expect, test } from 'vitest'
import type { Tail } from '../../../src/core/model/query-answer.ts'
import type { Outcome } from '../../../src/core/ports/platform.ts'
import type { Services } from '../../../src/core/ports/services.ts'
import { tailOf } from '../../../src/features/logs/command.ts'

const file = { node: 'n', replica: 'r1', filename: 'a/b.log', historical: false, start: null, end: null }
const endpoint = { id: 'ep-llm', name: 'my-llm', active: true }
const secret = 'hunter2-and-more'

/** Services with one log file of these lines, and counts of the mask's look-ups. */
function houseWith(lines: readonly string[]) {
  const asked = { inAll: 0, inTurn: 0, mostInTurn: 0 }
  const known = Object.assign(
    (text: string) => {
      asked.inAll += 1
      asked.inTurn += 1
      asked.mostInTurn = Math.max(asked.mostInTurn, asked.inTurn)
      return text === secret
    },
    { lengths: new Set([8, 9, 10, 11, 12, 13, 14, 15, secret.length]) },
  )
  const send = async ({
    path,
    params,
  }: {
    path: string
    params: { query: { start_line: number; end_line: number } }
  }) => {
    if (!path.endsWith('/file')) return { kind: 'answered', answer: [file] }
    const { start_line: from, end_line: to } = params.query
    return { kind: 'answered', answer: { content: lines.slice(from - 1, to).join('\n') } }
  }
  const services = { platform: { send }, seals: { known: async () => known } } as unknown as Services
  async function tail(values: object): Promise<Tail['tails'][number]> {
    let over = false
    const turn = () => {
      asked.inTurn = 0
      if (!over) setImmediate(turn)
    }
    turn()
    const outcome = (await tailOf(services, { values, endpoint } as never)) as Outcome<Tail>
    over = true
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
    return outcome.answer.tails[0]!
  }
  return { tail, asked }
}

/** One word of 250 parts, each with several places where a secret could begin or end. */
const hostile = (line: number) => Array.from({ length: 250 }, (_, n) => `abc${line}-${n}.b.c.d.e.f"`).join('')

test('Masking hostile lines takes turns, so other work can run in between', async () => {
  const { tail, asked } = houseWith(Array.from({ length: 5_000 }, (_, n) => hostile(n)))
  expect((await tail({ search: 'abc', lines: 1_000 })).lines).toEqual([])
  expect(asked.mostInTurn).toBeGreaterThan(100)
  expect(asked.mostInTurn).toBeLessThan(2_500)
  expect(asked.inAll).toBeLessThan(200_000)
})

test('A search masks only lines that contain the word', async () => {
  const { tail, asked } = houseWith([...Array.from({ length: 4_000 }, (_, n) => hostile(n)), 'the needle'])
  expect((await tail({ search: 'needle' })).lines).toEqual([{ text: 'the needle' }])
  expect(asked.inAll).toBe(0)
})

test('A masked secret can’t be found by searching for part of it', async () => {
  const { tail } = houseWith([`pw=${secret}`, 'hunter2 by itself'])
  expect((await tail({ search: 'HUNTER2' })).lines).toEqual([{ text: 'hunter2 by itself' }])
  expect((await tail({ search: 'pw=' })).lines).toEqual([{ text: 'pw=[masked]' }])
})

test('Of one record with very many lines the newest 20,000 are searched', async () => {
  const wrapped = JSON.stringify({
    source: 's',
    timestamp: 't',
    log: Array.from({ length: 60_000 }, (_, n) => `n${n}`).join('\n'),
  })
  const { tail } = houseWith([wrapped])
  expect((await tail({ search: 'n59999' })).lines).toEqual([{ at: 't', text: 'n59999' }])
  expect((await tail({ search: 'n40000' })).lines).toEqual([{ at: 't', text: 'n40000' }])
  expect((await tail({ search: 'n39999' })).lines).toEqual([])
})
