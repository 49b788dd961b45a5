import { afterEach, describe, expect, test } from 'vitest'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'
import { endWatch, warned } from '../support/idle.ts'
import { asks, ops, presses } from '../support/ops.ts'
import { policyOf, type Town } from '../support/town.ts'

/* What becomes of a warning whose endpoint somebody changes at the console. Times are in Seoul. */

type Person = ReturnType<Town['slack']['as']>

let calendar: Calendar
let town: Town
afterEach(() => calendar?.stop())
afterEach(endWatch)

const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA], approver: [user:U0BEN], admin: [] }
    prices: { per_hour: { "RTX 4090": 0.75 } }
`)

async function begins(): Promise<Person> {
  calendar = await startCalendar({
    policy,
    endpoints: [
      { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3 },
      { id: 'ep-tts', name: 'my-tts', active: false, replicas: 3 },
    ],
  })
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
  return town.slack.as('U0ANA')
}

interface Announced {
  readonly id: string
  readonly name: string
  /** Two times while the warning is shown, and those from its stop on. */
  readonly meanwhile: readonly [string, string]
  readonly due: readonly string[]
}

async function goThrough(times: readonly string[]): Promise<void> {
  for (const at of times) await calendar.goTo(`mon ${at}`)
}

const atEight = {
  id: 'ep-llm',
  name: 'my-llm',
  meanwhile: ['19:53', '19:55'],
  due: ['20:00', '20:06', '20:17'],
} as const
const atTwo = { meanwhile: ['13:53', '13:55'], due: ['14:00', '14:06', '14:17'] } as const

/** Each lets a stop be announced for an endpoint that runs. */
const announced: Record<string, (ana: Person) => Promise<Announced>> = {
  async 'of a schedule'(ana) {
    await schedule(calendar, ana, 'my-llm')
    await goThrough(['19:50', '19:51'])
    return atEight
  },
  async 'of a schedule that only stops'(ana) {
    await ana.types('ops', '/endpoint schedule my-llm down weekdays 20:00-23:00 Asia/Seoul')
    await presses(ana, 'Save schedule', 'Scheduled my-llm')
    await goThrough(['19:50', '19:51'])
    return atEight
  },
  async 'of a stop for later'(ana) {
    await ana.types('ops', '/endpoint stop my-llm in 2h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await goThrough(['13:51', '13:52'])
    return { id: 'ep-llm', name: 'my-llm', ...atTwo }
  },
  async 'of the end of a run'(ana) {
    await asks(ana, 'start my-tts for 2h', 'Started my-tts')
    await goThrough(['12:10', '13:51', '13:52'])
    return { id: 'ep-tts', name: 'my-tts', ...atTwo }
  },
}

describe.each(Object.entries(announced))('The warning %s', (kind, announce) => {
  test('ends when the endpoint is stopped elsewhere, and one that runs again is stopped after all', async () => {
    const ana = await begins()
    const { id, name, meanwhile, due } = await announce(ana)
    await ana.sees(/🌙 .* stops .*It’s running with 3 replicas\./, ops)
    town.platform.console.stop(id)
    await goThrough(meanwhile.slice(0, 1))
    await ana.sees(`Stop ${name} is no longer needed. ${name} is already stopped.`, ops)
    expect(town.slack.transcript('ops')).not.toMatch(/🌙|no longer ask for it/)
    await asks(ana, `history ${name}`, / ago\) · no longer needed\n/)
    town.platform.console.start(id)
    await goThrough([...meanwhile.slice(1), ...due])
    expect(effects(town).at(-1), kind).toBe('stop')
    expect(town.platform.endpoints().find((one) => one.id === id)?.active).toBe(false)
  })

  test('shows the replicas and the price of now, and ends when the endpoint is deleted', async () => {
    const ana = await begins()
    const { id, name, meanwhile } = await announce(ana)
    const [first, second] = meanwhile
    await ana.sees(/with 3 replicas.*\[Keep 1 h \(\+\$2\.25\)\]/s, ops)
    town.platform.console.scale(id, 2)
    await goThrough([first])
    await ana.sees(/🌙 .*with 2 replicas.*\[Keep 1 h \(\+\$1\.50\)\]/s, ops)
    expect(town.slack.transcript('ops')).not.toContain('with 3 replicas')
    town.platform.remove(id)
    await goThrough([second])
    await ana.sees(`The platform’s answer about ${name}: “Endpoint not found”`, ops)
    expect(town.slack.transcript('ops')).not.toContain('🌙')
  })
})

describe('Around a change elsewhere', () => {
  /** A stop at eight is announced. */
  async function warnedAtEight() {
    const ana = await begins()
    await schedule(calendar, ana, 'my-llm')
    await goThrough(['19:50', '19:51'])
    await ana.sees('🌙 my-llm stops', ops)
    return ana
  }

  const emptyList = { kind: 'answer', status: 200, body: { items: [], total: 0, page: 1, size: 50, pages: 0 } } as const

  const isActive = () => town.platform.endpoints().find(({ id }) => id === 'ep-llm')?.active

  test('a warning waits if the list shows a stop and the read after it does not', async () => {
    await warnedAtEight()
    const stopListening = town.platform.onCall(({ when, operation }) => {
      if (when !== 'before acting') return
      if (operation === 'listEndpoints') town.platform.console.stop('ep-llm')
      else town.platform.console.start('ep-llm')
    })
    await goThrough(['19:53'])
    stopListening()
    expect(isActive()).toBe(true)
    expect(town.slack.transcript('ops')).toContain('🌙 my-llm stops')
    await goThrough(['19:55', '20:00', '20:01'])
    expect(isActive()).toBe(false)
  })

  test('a stop that was seen once and is over is announced again', async () => {
    await warnedAtEight()
    let reads = 0
    town.platform.console.stop('ep-llm')
    const stopListening = town.platform.onCall(({ when, operation }) => {
      if (when === 'before acting' && operation === 'getEndpointStatus' && ++reads === 2)
        town.platform.console.start('ep-llm')
    })
    await goThrough(['19:53'])
    stopListening()
    await goThrough(['19:54', '20:00', '20:01', '20:10'])
    expect(isActive()).toBe(false)
  })

  test('restarts there neither start the endpoint here nor count as a missed start', async () => {
    const ana = await begins()
    await calendar.jumpTo('mon 19:52')
    await schedule(calendar, ana, 'my-llm')
    await goThrough(['19:54'])
    for (const [at = '', back = ''] of [
      ['19:55', '19:56'],
      ['19:57', '19:58'],
    ]) {
      town.platform.console.stop('ep-llm')
      await goThrough([at])
      expect(isActive()).toBe(false)
      town.platform.console.start('ep-llm')
      await goThrough([back])
    }
    expect(town.slack.transcript('ops')).not.toMatch(/Missed|Started/)
    await goThrough(['20:00', '20:05', '20:20'])
    expect(effects(town)).toEqual(['stop', 'start', 'stop', 'start', 'stop'])
  })

  test('a stop that is announced after its time survives a restart there, too', async () => {
    const ana = await begins()
    await schedule(calendar, ana, 'my-llm')
    await asks(ana, 'keep my-llm 9h', 'Paused automation for my-llm')
    await goThrough(['19:50', '20:10'])
    await asks(ana, 'resume my-llm', 'it stops after a warning')
    await goThrough(['20:12'])
    await ana.sees('🌙 my-llm stops', ops)
    town.platform.console.stop('ep-llm')
    await goThrough(['20:14'])
    await ana.sees('Stop my-llm is no longer needed.', ops)
    town.platform.console.start('ep-llm')
    await goThrough(['20:16'])
    await ana.sees('🌙 my-llm stops', ops)
    await goThrough(['20:28'])
    expect(isActive()).toBe(false)
    expect(town.slack.transcript('ops')).not.toContain('outside Lamplighter')
  })

  test('a one-off that is announced after its time is listed by schedules', async () => {
    const ana = await begins()
    await ana.types('ops', '/endpoint stop my-llm in 2h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await calendar.goTo('mon 14:10')
    await ana.sees('🌙 my-llm stops', ops)
    await asks(ana, 'schedules', /1 endpoint with automation\s.*my-llm\s.*A stop is announced for today at /s)
  })

  test('a skip still counts if the endpoint was just stopped there', async () => {
    const ana = await warnedAtEight()
    const [, keep = ''] = /\[(Keep tonight[^\]]*)\]/.exec(town.slack.transcript('ops')) ?? []
    town.platform.console.stop('ep-llm')
    await presses(ana, keep, /Stop my-llm skipped by @ana\. Left my-llm as it is; automation paused until /)
    await goThrough(['19:53'])
    town.platform.console.start('ep-llm')
    await goThrough(['19:55', '20:00', '20:12'])
    expect(isActive()).toBe(true)
  })

  test('an empty list alone ends no warning', async () => {
    await warnedAtEight()
    const fault = town.platform.faults.add('listEndpoints', emptyList)
    await goThrough(['19:53'])
    fault.clear()
    expect(town.slack.transcript('ops')).toContain('🌙 my-llm stops')
  })

  test('an endpoint that disappears several times is stopped when it is back', async () => {
    await warnedAtEight()
    for (const [at = '', back = ''] of [
      ['19:53', '19:54'],
      ['19:56', '19:57'],
      ['19:59', '20:00'],
      ['20:02', '20:03'],
    ]) {
      const gone = [
        town.platform.faults.add('listEndpoints', emptyList),
        town.platform.faults.add('getEndpointStatus', {
          kind: 'answer',
          status: 404,
          body: { detail: 'Endpoint not found' },
        }),
      ]
      await goThrough([at])
      for (const fault of gone) fault.clear()
      await goThrough([back])
    }
    await goThrough(['20:14', '20:20', '20:30'])
    expect(isActive()).toBe(false)
    expect(town.slack.transcript('ops')).not.toContain('Gave up')
  })
})

test('The warning of several endpoints goes on for those that still run', async () => {
  const names = ['model-a', 'model-b', 'model-c', 'model-d']
  calendar = await startCalendar({
    endpoints: names.map((name) => ({ id: `ep-${name}`, name, active: true, replicas: 1 })),
  })
  town = calendar.town
  await calendar.jumpTo('mon 12:00')
  const ana = town.slack.as('U0ANA')
  for (const name of names) await schedule(calendar, ana, name)
  await goThrough(['19:50', '19:51'])
  await ana.sees('4 endpoints stop', ops)
  town.platform.console.stop('ep-model-a')
  town.platform.remove('ep-model-b')
  await goThrough(['19:53'])
  await ana.sees('2 endpoints stop', ops)
  await ana.sees('To stop: model-c and model-d', ops)
  await goThrough(['20:00', '20:01'])
  await ana.sees('Stopped: model-c and model-d', ops)
})

test('Endpoints that are stopped elsewhere at once are announced in one message', async () => {
  const names = ['model-a', 'model-b', 'model-c', 'model-d']
  calendar = await startCalendar({
    policy: `${policy}    schedules: { zone: Asia/Seoul }\n    endpoints: [{ match: ["*"], schedule: [up weekdays 09:00-20:00] }]\n`,
    endpoints: names.map((name) => ({ id: `ep-${name}`, name, active: true, replicas: 1 })),
  })
  town = calendar.town
  await goThrough(['12:00', '12:01'])
  for (const name of names) town.platform.console.stop(`ep-${name}`)
  await goThrough(['12:05'])
  const ana = town.slack.as('U0ANA')
  await ana.sees(/4 endpoints were started or stopped outside Lamplighter\..*\[Schedules\]/s, ops)
  const posts = town.slack.channel('ops').messages()
  expect(posts.filter(({ text }) => text?.includes('outside Lamplighter'))).toHaveLength(1)
})

test.each([
  ['is stopped elsewhere', 'stop', 'Stop my-llm is no longer needed. my-llm is already stopped.'],
  ['is deleted', 'remove', 'The platform’s answer about my-llm: “Endpoint not found”'],
] as const)('The warning of an idle stop ends when its endpoint %s', async (_, what, says) => {
  const { ana, town, platform, looks } = await warned()
  if (what === 'stop') platform.console.stop('ep-llm')
  else platform.remove('ep-llm')
  await looks(2)
  await ana.sees(says, ops)
  expect(town.slack.transcript('ops')).not.toContain('💤 my-llm stops')
})
