import { describe, expect, test } from 'vitest'
import { formView } from '../../src/adapters/slack/forms/form.ts'
import { answerArrives, arrive, requestIdOf } from '../../src/adapters/slack/inbound/accept.ts'
import type { Arrival, Taken } from '../../src/adapters/slack/inbound/arrival.ts'
import { sentence } from '../../src/adapters/slack/messages/query-answer.ts'
import type { Door } from '../../src/adapters/slack/projects.ts'
import type { Press, Request } from '../../src/core/model/request.ts'
import type { Role } from '../../src/core/model/roles.ts'
import { sentences } from '../../src/core/model/sentences.ts'
import type { Received } from '../../src/core/ports/services.ts'
import { commands } from '../../src/features/command-table.ts'
import { ana, start } from './requests.ts'

interface Doorway extends Door {
  readonly stored: Request[]
  readonly pressed: Press[]
  readonly woken: string[]
}

/** A door that keeps what passes it, and answers as its storage would. */
function doorway(
  project: string,
  channels: readonly string[],
  received: Received = { kind: 'stored', workers: true },
  role: Role | null = null,
): Doorway {
  const stored: Request[] = []
  const pressed: Press[] = []
  const woken: string[] = []
  return {
    project,
    channels: () => channels,
    operationsChannel: () => undefined,
    stored,
    pressed,
    woken,
    store: {
      async receive(request) {
        stored.push(request)
        return received
      },
      async press(press) {
        pressed.push(press)
        return received
      },
      load: async () => null,
      holderOf: async () => null,
      names: async () => null,
    },
    queue: {
      async wake({ id }) {
        woken.push(id)
      },
    },
    home: {
      open: async () => [],
      coming: async () => [],
      saved: async () => null,
      listAgain: async () => undefined,
      roleOf: async () => role,
      uselessTo: async () => [],
      membersOf: () => [],
      answersOf: async () => () => false,
    },
  }
}

const clock = { now: () => start, monotonic: () => 0 }

function typed(line: string, more: Partial<Arrival> = {}): Arrival {
  return { delivery: 'd1', typed: line, via: 'typed', actor: ana, channel: 'C0OPS', replyUrl: undefined, ...more }
}

function saidIn(taken: Taken): string {
  return taken.kind === 'said' ? taken.message.text : taken.kind
}

describe('A line that comes in', () => {
  test('is stored in its canonical spelling, a worker is woken, and nothing is said', async () => {
    const door = doorway('default', ['*'])
    expect(await arrive({ doors: [door], commands, clock }, typed('DOWN my-llm  because=“moving”'))).toEqual({
      kind: 'taken',
    })
    expect(door.stored).toEqual([
      {
        id: requestIdOf('d1'),
        project: 'default',
        kind: 'operation',
        line: 'stop my-llm because=moving',
        actor: ana,
        place: { channel: 'C0OPS' },
        via: 'typed',
        receivedAt: start,
        status: 'received',
        notes: [],
        nextAt: start,
      },
    ])
    expect(door.woken).toEqual([requestIdOf('d1')])
  })

  test('that cannot be read stores nothing and says so', async () => {
    const door = doorway('default', ['*'], undefined, 'viewer')
    expect(saidIn(await arrive({ doors: [door], commands, clock }, typed('stpo my-llm')))).toContain(
      'I do not know “stpo”.',
    )
    expect(saidIn(await arrive({ doors: [door], commands, clock }, typed('x'.repeat(3_000))))).toBe(
      sentences.tooLong(1_000),
    )
    expect(door).toMatchObject({ stored: [], woken: [] })
  })

  test('that asks for help where no project is learns that, and nothing else', async () => {
    expect(saidIn(await arrive({ doors: [], commands, clock }, typed('help stop')))).toContain(
      'No project is tied to this channel.',
    )
  })

  test.each([
    'help',
    'help stop',
    'stp x y z',
    'stop',
    'set-env my-llm set=K=v',
    `stop my-llm because=ghp_${'a1B2'.repeat(9)}`,
  ])('(%s) of somebody without a role shows them nothing but that they have none', async (line) => {
    const door = doorway('default', ['*'])
    expect(await arrive({ doors: [door], commands, clock }, typed(line))).toEqual({
      kind: 'said',
      message: sentence(sentences.noRole),
    })
    const two = [doorway('one', ['C0ONE']), doorway('two', ['C0TWO'])]
    expect(saidIn(await arrive({ doors: two, commands, clock }, typed(line, { channel: '' })))).toBe(sentences.noRole)
    expect([door, ...two].flatMap(({ stored }) => stored)).toEqual([])
  })

  test('that is stored waits for nobody’s role', async () => {
    const door = doorway('default', ['*'])
    const home = { ...door.home, roleOf: () => Promise.reject(new Error('Nobody is looked up here.')) }
    expect(await arrive({ doors: [{ ...door, home }], commands, clock }, typed('stop my-llm'))).toEqual({
      kind: 'taken',
    })
  })

  test('that asks for help is told of what this person may ask, and how much more there is', async () => {
    const help = async (line: string, role: Role | null) =>
      saidIn(
        await arrive(
          { doors: [doorway('default', ['*'], { kind: 'stored', workers: true }, role)], commands, clock },
          typed(line),
        ),
      )
    const [viewer, admin] = [await help('help', 'viewer'), await help('help', 'admin')]
    expect(viewer).toContain('/endpoint list')
    expect(viewer).not.toContain('/endpoint stop ')
    expect(admin).toContain('/endpoint stop &lt;endpoint&gt;')
    expect(await help('help stop', 'viewer')).toContain('/endpoint stop my-llm')
  })

  test.each<[Received, string]>([
    [{ kind: 'stored', workers: true }, 'taken'],
    [{ kind: 'known', workers: true }, 'taken'],
    [{ kind: 'stored', workers: false }, sentences.noWorker],
    [{ kind: 'nothing', why: 'away' }, sentences.nothingStored('away')],
    [{ kind: 'nothing', why: 'full' }, sentences.nothingStored('full')],
    [{ kind: 'perhaps' }, sentences.perhapsStored],
    [{ kind: 'refused', why: 'person' }, sentences.tooMuch.person],
    [{ kind: 'refused', why: 'storage' }, sentences.tooMuch.storage],
  ])('of which storage says %j is answered: %s', async (received, says) => {
    expect(saidIn(await arrive({ doors: [doorway('default', ['*'], received)], commands, clock }, typed('list')))).toBe(
      says,
    )
  })

  test('belongs to the project that names its channel, else to the one that takes every channel, else to none', async () => {
    const [named, every] = [doorway('named', ['C0OPS', 'C0TWO']), doorway('every', ['*'])]
    await arrive({ doors: [every, named], commands, clock }, typed('list'))
    await arrive({ doors: [every, named], commands, clock }, typed('list', { channel: 'C0OTHER' }))
    expect(named.stored.map(({ place }) => place.channel)).toEqual(['C0OPS'])
    expect(every.stored.map(({ place }) => place.channel)).toEqual(['C0OTHER'])
    expect(saidIn(await arrive({ doors: [named], commands, clock }, typed('list', { channel: 'C0OTHER' })))).toBe(
      sentences.noProject,
    )
  })

  test('is the same request each time it is delivered, and another one when it is typed again', async () => {
    const door = doorway('default', ['*'])
    for (const delivery of ['d1', 'd1', 'd2'])
      await arrive({ doors: [door], commands, clock }, typed('list', { delivery }))
    const [first, second, third] = door.stored.map(({ id }) => id)
    expect(first).toMatch(/^[\w-]{22}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('is taken although nobody could be woken: the sweep makes up for it', async () => {
    const door = doorway('default', ['*'])
    const deaf: Door = { ...door, queue: { wake: () => Promise.reject(new Error('The queue is away.')) } }
    expect(await arrive({ doors: [deaf], commands, clock }, typed('list'))).toEqual({ kind: 'taken' })
  })
})

describe('An answer that comes in', () => {
  const id = 'r'.repeat(22)
  const press = (value: string, more: Partial<Arrival> = {}) => ({ ...typed('', more), value, yes: true })

  test('is stored as it was pressed, with the question it answers, and wakes a worker', async () => {
    const door = doorway('default', ['*'])
    expect(await answerArrives({ doors: [door], clock }, press(`${id}.2`))).toEqual({ kind: 'taken' })
    expect(door.pressed).toEqual([
      { id: requestIdOf('d1'), request: id, ask: 2, yes: true, actor: ana, channel: 'C0OPS', at: start },
    ])
    expect(door.woken).toEqual([id])
  })

  test.each([
    '',
    id,
    `${id}.`,
    `${id}.x`,
    `${id}.1234`,
    `${id}.-1`,
    `${id}x.1`,
    `../${id}.1`,
    `${id}.1\n`,
    `x:${id}.1`,
  ])('that carries %j answers nothing: whatever is forged into a button is only refused', async (value) => {
    const door = doorway('default', ['*'])
    expect(saidIn(await answerArrives({ doors: [door], clock }, press(value)))).toBe(sentences.oldAsk)
    expect(door).toMatchObject({ pressed: [], woken: [] })
  })

  test('that may not have been stored is to be pressed again, as no card will tell', async () => {
    const door = doorway('default', ['*'], { kind: 'perhaps' })
    expect(saidIn(await answerArrives({ doors: [door], clock }, press(`${id}.1`)))).toBe(sentences.pressPerhapsStored)
  })

  test('in a channel that belongs to no project answers nothing', async () => {
    const door = doorway('default', ['C0OTHER'])
    expect(saidIn(await answerArrives({ doors: [door], clock }, press(`${id}.1`)))).toBe(sentences.oldAsk)
  })
})

test.each([
  ['start my-llm for 2h until fri 18:00', 'until', /^Say either for how long or until when\. /],
  ['keep my-llm 2h until 23:00', 'until', /^Say for how long, or until when\. /],
])('%s: the form says at the field why that makes no sense', async (line, field, why) => {
  const door = doorway('default', ['*'], undefined, 'operator')
  const taken = await arrive({ doors: [door], commands, clock }, typed(line))
  if (taken.kind !== 'form') throw new Error(`It opened no form: ${saidIn(taken)}`)
  const hints = formView(taken.form).blocks.flatMap((block) =>
    block.type === 'input' && 'hint' in block && why.test(block.hint?.text ?? '') ? [block.block_id] : [],
  )
  expect(hints).toEqual([field])
  expect(door.stored).toEqual([])
})
