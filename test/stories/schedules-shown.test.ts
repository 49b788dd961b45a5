import { afterEach, describe, expect, test } from 'vitest'
import { effects } from '../support/ends.ts'
import { asks, presses } from '../support/ops.ts'
import { policyOf, startTown, type Town, type TownOptions } from '../support/town.ts'

let town: Town
afterEach(() => town.stop())

async function begin(options: TownOptions = {}): Promise<Town> {
  const people = [
    { id: 'U0ANA', name: 'ana', tz: 'Asia/Seoul' },
    { id: 'U0BEN', name: 'ben', tz: 'Europe/Berlin' },
  ]
  const members = people.map(({ id }) => id)
  const channels = [{ id: 'C0OPS', name: 'ops', members }]
  town = await startTown({ listed: true, slack: { people, channels, usergroups: [] }, ...options })
  return town
}

const week = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [ \d]\d \w{3} {2}(running|stopped|left)/g

describe('A new rule or pause', () => {
  test('is confirmed with a preview of its week in the rule’s zone and the requester’s', async () => {
    await begin()
    const ben = town.slack.as('U0BEN')
    await asks(ben, 'schedule my-llm up weekdays 09:00-20:00 Asia/Seoul', 'Next 7 days (Berlin time):')
    const read = town.slack.transcript('C0OPS')
    expect(read).toContain('Schedule my-llm: running weekdays 09:00–20:00 Seoul time?')
    expect(read).toContain('At all other times, my-llm is stopped.')
    expect(read).toContain('Next 7 days (Seoul time):')
    expect(read.match(week)).toHaveLength(14)
    expect(effects(town)).toEqual([])
  })

  test('from a form shows its preview first and is one request', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint schedule')
    await ana.opens('Schedule an endpoint')
    await ana.chooses('Endpoint', 'my-llm')
    await ana.chooses('State', 'Running only at these times')
    await ana.chooses('Times', 'weekdays 09:00-20:00')
    expect(await ana.submits()).toMatchObject({ outcome: 'pushed' })
    const { given } = await ana.opens('Preview')
    const shown = JSON.stringify(given)
    expect(shown).toContain('At all other times, my-llm is stopped.')
    expect(shown.match(week)).toHaveLength(7)
    expect(town.slack.transcript('C0OPS')).not.toContain('Save schedule')
    expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
    await ana.sees('At all other times, my-llm is stopped.', { in: 'ops' })
    expect(town.slack.transcript('C0OPS')).not.toContain('Next 7 days')
    await presses(
      ana,
      'Save schedule',
      'Scheduled my-llm: running weekdays 09:00–20:00 Seoul time. At all other times, my-llm is stopped.',
    )
    await ana.types('ops', '/endpoint unschedule my-llm rule=?')
    await ana.presses('Open the form', { in: 'ops' })
    const rules = JSON.stringify((await ana.opens('Remove a schedule')).blocks)
    expect(rules).toContain('running weekdays 09:00–20:00 Seoul time')
    await ana.closes()
    await ana.types('ops', '/endpoint schedule my-llm')
    const { blocks } = await ana.opens('Schedule an endpoint')
    expect(JSON.stringify(blocks)).toContain('Now: running weekdays 09:00–20:00 Seoul time.')
    expect(begunWith(blocks)).toEqual({ endpoint: 'ep-llm', direction: 'up', zone: 'Asia/Seoul' })
    await ana.closes()
    // An empty zone means the same as a line without one.
    await ana.types('ops', '/endpoint schedule my-tts')
    expect(begunWith((await ana.opens('Schedule an endpoint')).blocks)).toEqual({ endpoint: 'ep-tts', direction: 'up' })
  })

  test('set on or off by a line fills the idle form, and submitting it as is does nothing', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    for (const [line, done, mode, holds] of [
      ['idle my-llm after 45m warn=15m', 'Turned on', 'on', 'already has this rule'],
      ['idle my-llm off', 'Turned off', 'off', 'already off'],
    ] as const) {
      await ana.types('ops', `/endpoint ${line}`)
      if (mode === 'on') await ana.presses('Turn on idle stop')
      await ana.sees(done, { in: 'ops' })
      await ana.types('ops', '/endpoint idle my-llm')
      const { blocks } = await ana.opens('Idle stop')
      expect(begunWith(blocks)).toEqual({ endpoint: 'ep-llm', mode, after: '45m', warn: '15m' })
      const { outcome, errors } = await ana.submits()
      if (outcome === 'errors') expect(JSON.stringify(errors)).toContain(holds)
      else await ana.sees(holds, { in: 'ops' })
      await ana.closes(true)
    }
  })

  test('fills the form anew for the endpoint picked in it, and keeps what the person typed', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint idle my-llm after 45m warn=15m')
    await ana.presses('Turn on idle stop')
    await ana.sees('Turned on', { in: 'ops' })
    await ana.types('ops', '/endpoint idle')
    await ana.opens('Idle stop')
    await ana.chooses('Warning time', '20m')
    await ana.chooses('Endpoint', 'my-llm')
    expect(begunWith((await ana.opens('Idle stop')).blocks)).toMatchObject({
      endpoint: 'ep-llm',
      after: '45m',
      mode: 'on',
    })
    await ana.chooses('Endpoint', 'my-tts')
    expect(begunWith((await ana.opens('Idle stop')).blocks)).toMatchObject({ endpoint: 'ep-tts', after: '1h' })
    await ana.chooses('Endpoint', 'my-llm')
    await ana.submits()
    await ana.sees(/45 min.*20 min/s, { in: 'ops' })
  })

  const freeze = ['freeze', 'Pause all automation', 'Paused all automation'] as const
  test.each([
    [
      'with an end',
      [
        ['keep my-llm 2h', 'keep my-llm', 'Pause automation', 'Paused automation', 'paused its automation until'],
        [
          'away until tomorrow to @U0BEN',
          'away',
          'Delegate approvals',
          'Delegated approvals',
          'can approve for you until',
        ],
        ['freeze until tomorrow reason="release week"', ...freeze, '"initial_date_time":'],
      ],
    ],
    ['without an end', [['freeze reason="release week"', ...freeze, 'Automation is paused by']]],
  ] as const)('or a delegation %s is shown in its form as the current state', async (_, all) => {
    await begin({ policy: policyOf('\n    roles: { viewer: [], operator: [], approver: [everyone], admin: [] }\n') })
    const ana = town.slack.as('U0ANA')
    for (const [line, form, title, done, says] of all) {
      await ana.types('ops', `/endpoint ${form}`)
      expect(JSON.stringify((await ana.opens(title)).blocks)).not.toContain(says)
      await ana.closes()
      await asks(ana, line, done)
      await ana.types('ops', `/endpoint ${form}`)
      expect(JSON.stringify((await ana.opens(title)).blocks)).toContain(says)
      await ana.closes()
    }
  })

  test('shows its week without the freeze during a freeze, which a resume doesn’t end', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'freeze reason="release week"', 'Paused all automation')
    await asks(
      ana,
      'schedule my-llm up weekdays 09:00-20:00 Asia/Seoul',
      'my-llm is left alone. Previews ignore the pause.',
    )
    await ana.sees('Next 7 days (Seoul time):', { in: 'ops' })
    const read = town.slack.transcript('C0OPS')
    expect(read.match(week)).toHaveLength(7)
    expect(read.match(week)?.join()).not.toContain('left')
    await presses(ana, 'Save schedule', 'Scheduled my-llm')
    await asks(ana, 'keep my-llm 2h', 'Paused automation for my-llm')
    await asks(ana, 'resume my-llm', 'apply to my-llm again once someone resumes all automation.')
  })

  test('from the schedule or idle form says at its checkbox that an autoscaled endpoint needs the tick', async () => {
    await begin({ endpoints: [{ id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, autoscaled: true }] })
    const ana = town.slack.as('U0ANA')
    for (const [verb, title, label, value] of [
      ['schedule', 'Schedule an endpoint', 'Times', 'weekdays 09:00-20:00'],
      ['idle', 'Idle stop', 'Idle time', '1h'],
    ] as const) {
      await ana.types('ops', `/endpoint ${verb}`)
      await ana.opens(title)
      await ana.chooses('Endpoint', 'my-llm')
      await ana.chooses(label, value)
      const { errors } = await ana.submits()
      expect(errors).toEqual({
        autoscaled:
          'my-llm is autoscaled, so the platform starts and stops it. To add this rule anyway, tick “Even if it’s autoscaled”.',
      })
      await ana.closes()
    }
  })
})

test('resume says that automation applies again, and the second time that it wasn’t paused', async () => {
  await begin()
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'keep my-llm 2h', 'Paused automation for my-llm until')
  await asks(
    ana,
    'resume my-llm',
    'Resumed automation for my-llm. It has no schedule and no idle stop, so Lamplighter doesn’t start or stop it.',
  )
  await asks(ana, 'resume my-llm', /automation isn’t paused for my-llm\./i)
})

test('keep says when the stop that it puts off happens', async () => {
  await begin({ at: '2026-11-25T10:00:00Z' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm at 1h')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  // "Keep it half an hour longer" may be meant, and this changes nothing about the stop.
  await asks(ana, 'keep my-llm 30m', / The stop today at 11:00 comes after this pause and isn’t skipped\./)
  await asks(ana, 'keep my-llm 2h', / The stop planned for today at 11:00 is moved to today at 12:00\./)
  await asks(ana, 'schedules my-llm', /• stop once today at 11:00 \(moved to today at 12:00\)/)
  await town.minutesPass(62)
  await asks(
    ana,
    'schedules',
    /1 endpoint with automation.*• stop once today at 11:00 \(moved to.*\[Cancel this stop\]/s,
  )
  await town.minutesPass(50)
  await ana.sees('🌙 my-llm stops today at 12:00.', { in: 'ops' })
})

test('keep does not say that a stop at the minute at which it ends is moved to that minute', async () => {
  await begin({ at: '2026-11-25T10:00:00Z' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm at 1h')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await asks(ana, 'keep my-llm 1h', /until today at 11:00\.(?! The stop)/)
})

test('resume says when a planned stop is made if nothing else applies', async () => {
  await begin({ at: '2026-11-25T10:00:00Z' })
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm at 2h')
  await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
  await asks(ana, 'keep my-llm 1h', 'Paused automation for my-llm')
  await asks(ana, 'resume my-llm', 'Resumed automation for my-llm. my-llm stops today at 12:00.')
  await asks(ana, 'keep my-llm 4h', 'Paused automation for my-llm until today at 14:00')
  await town.minutesPass(150)
  await asks(
    ana,
    'resume my-llm',
    /Resumed automation for my-llm\. By its rules, my-llm should be stopped now; it stops after a warning of 10 min\./,
  )
})

/** The initial values of a form's fields. */
function begunWith(blocks: readonly unknown[]): Readonly<Record<string, unknown>> {
  const inputs = blocks as readonly {
    block_id: string
    element?: { initial_value?: string; initial_option?: { value: string } }
  }[]
  return Object.fromEntries(
    inputs.flatMap(({ block_id: id, element }) => {
      const value = element?.initial_value ?? element?.initial_option?.value
      return value === undefined ? [] : [[id, value]]
    }),
  )
}

/** A 4090 costs $0.75 an hour, and my-llm has three of them. */
const priced = policyOf(`
    prices: { per_hour: { "RTX 4090": 0.75 } }
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN], approver: [], admin: [] }
`)

describe('A rule’s stop', () => {
  async function told(): Promise<ReturnType<Town['slack']['as']>> {
    // Evening in Seoul, so “tonight” ends the next morning there.
    await begin({ policy: priced, at: '2026-11-25T10:00:00Z' })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint stop my-llm at 1h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    await town.minutesPass(51)
    await ana.sees('🌙 my-llm stops', { in: 'ops' })
    return ana
  }

  function cardOf(words: string): string {
    return town.slack
      .transcript('C0OPS')
      .split(/^App/m)
      .filter((one) => one.includes(words))
      .join('App')
  }

  test('is announced once with the price of each choice, and happens', async () => {
    const ana = await told()
    expect(cardOf('🌙')).toMatch(
      /\[Keep 1 h \(\+\$2\.25\)\] \[Keep tonight \(\+\$[\d.]+\)\] \[Stop now\] \[⋯ Skip this one \(\+\$2\.25 an hour\)\]\n {2}Keep 1 h: until today at 12:0\d · Keep tonight: until tomorrow at 00:00 · requested by @ana$/m,
    )
    expect(effects(town)).toEqual([])
    await town.minutesPass(10)
    await ana.sees(
      /Stopped my-llm, as planned\.\s[^/]*requested by @ana · [^/]*Platform: “Endpoint stopped successfully”\s[^/]*\[Start my-llm again\]/,
      { in: 'ops' },
    )
    // A stop that has happened is no longer listed.
    await asks(ana, 'schedules', 'No schedules yet.')
    expect(town.slack.transcript('C0OPS')).not.toContain('🌙 ')
    expect(effects(town)).toEqual(['stop'])
  })

  test('happens at once by a press', async () => {
    const ana = await told()
    const stays = '“Stop my-llm” was announced and goes ahead unless this is confirmed first.'
    const says = 'The stop of my-llm that was announced would be cancelled.'
    const { text, blocks } = await asks(ana, 'explain stop my-llm', stays)
    // The announced stop has a card of its own, with its own buttons.
    expect(text).not.toMatch(/would end|warned again|Open request/)
    expect(JSON.stringify(blocks).match(/"Stop my-llm"/g)).toHaveLength(1)
    await asks(ana, 'explain restart my-llm', `${says} If it’s still running after that, you’ll be warned again.`)
    await asks(ana, 'why does my-llm stop?', /then stops.*\[Pause automation…\]/s)
    await presses(ana, 'Stop now', 'Stopped my-llm.')
    expect(effects(town)).toEqual(['stop'])
  })
})

describe('The effect of rules', () => {
  test('is shown by schedules, status, list, explain and on the Home', async () => {
    await begin({ policy: priced })
    const ana = town.slack.as('U0ANA')
    await asks(ana, 'schedules', 'No schedules yet.')
    await ana.types('ops', '/endpoint stop my-llm at 3h')
    await presses(ana, 'Schedule stop', 'Scheduled a stop of my-llm')
    const { text } = await asks(
      ana,
      'schedules my-llm',
      /Schedule of my-llm.*Left alone until.*, then stops\. After a stop, it stays stopped until someone starts it\..*• stop once/s,
    )
    expect(text).not.toContain('Next 7 days')
    await asks(ana, 'status my-llm', ', then stops.')
    await asks(ana, 'list', /stops in (3 h|2 h 59 min) · /)
    await asks(ana, 'explain stop my-llm', /Dry run: Stop my-llm\..*my-llm is left alone until .*, then stops\./s)
    await ana.opensHome()
    await expect
      .poll(() => JSON.stringify(town.slack.workspace.homes.get('U0ANA')?.blocks ?? []))
      .toContain('Next 24 hours')
    await ana.types('ops', '/endpoint schedules my-llm')
    await ana.presses('Cancel this stop')
    await ana.sees('Removed the schedule of my-llm', { in: 'ops' })
  })
})

describe('A rule', () => {
  test('is removed by its button, and the message names it', async () => {
    // 13:00 in Seoul is outside both windows, so no rule acts meanwhile.
    await begin({ at: '2026-11-25T04:00:00Z' })
    const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
    for (const [who, times] of [
      [ana, 'daily 08:00-12:00'],
      [ben, 'daily 14:00-23:00'],
    ] as const) {
      await who.types('ops', `/endpoint schedule my-tts up ${times} Asia/Seoul`)
      await presses(who, 'Save schedule', `Scheduled my-tts: running ${times.replace('-', '–')}`)
    }
    await ana.types('ops', '/endpoint schedules my-tts')
    await ana.presses('Remove')
    await ana.sees(/Changed the schedule of my-tts\. Removed: running daily \S+ Seoul time\.\s+requested by @ana/, {
      in: 'ops',
    })
    await asks(ana, 'unschedule my-tts down', 'my-tts has no rule of its own that says when it’s stopped.')
    await asks(
      ana,
      'unschedule my-tts',
      /Removed the schedule of my-tts\. Removed: running daily \S+ Seoul time\.\s+requested by @ana/,
    )
  })

  test('from the policy file can’t be removed here, and the answer says where to change it', async () => {
    await begin({ policy: `${priced}    endpoints: [{ match: ["my-*"], schedule: [up daily Asia/Seoul] }]\n` })
    const ana = town.slack.as('U0ANA')
    await asks(
      ana,
      'unschedule my-llm',
      /has no schedule of its own\. Its schedule comes from the policy file: running daily .+ Change it in lamplighter\.yaml/,
    )
  })

  test('is listed without a hold that has ended', async () => {
    await begin()
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint schedule my-llm up daily Asia/Seoul')
    await presses(ana, 'Save schedule', 'Scheduled my-llm')
    await asks(ana, 'keep my-llm 10m', 'Paused automation for my-llm')
    await town.minutesPass(11)
    await asks(ana, 'schedules my-llm', 'running daily Seoul time')
    expect(town.slack.transcript('ops')).not.toContain('Return to schedule')
  })
})
