import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '../../sandbox/slack/message.ts'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import { effects } from '../support/ends.ts'
import { asks, policyApplied, presses } from '../support/ops.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const policy = policyOf(`
    prices: { per_hour: { "RTX 4090": 0.5 } }
    matrix: { disruptive: { dormant: confirmation } }
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
      admin: []
`)

const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
let town: Town
let ana: Actor

beforeEach(async () => {
  town = await startTown({ policy, env, at: '2026-11-25T10:00:00Z' })
  ana = town.slack.as('U0ANA')
})
afterEach(() => town.stop())

function types(line: string): Promise<string> {
  return ana.types('ops', `/endpoint ${line}`)
}

function sees(wanted: string | RegExp): Promise<Message> {
  return ana.sees(wanted, { in: 'ops' })
}

describe('A start for a while of a stopped endpoint', () => {
  test('is one row in history and status and starts the requested replicas', async () => {
    await types('start my-tts for 2h replicas=3')
    // A 4090 costs $0.50 an hour, and the endpoint had one replica.
    await sees(/with 3 replicas\? You can confirm here.*This costs \$1\.50 more an hour\..*\[Start my-tts\]/s)
    await sees(/with 3 replicas\? It’s stopped.* About \$3\.00 in all\./)
    expect(town.slack.transcript('ops')).not.toContain('would start')
    await ana.presses('Start my-tts', { in: 'ops' })
    await sees(/Started my-tts to run until today at 12:00 · about \$3\.00/)
    expect(town.platform.endpoints().find(({ name }) => name === 'my-tts')?.replicas).toBe(3)
    for (const line of ['history', 'status my-tts']) {
      await types(line)
      const { text } = await ana.sees(/Started my-tts to run until today at 12:00.*Details/s, { in: 'ops' })
      expect(text).not.toMatch(/Starting my-tts|confirmed by/)
    }
  })

  test('starts with the replicas that its question named, not with those before a stop', async () => {
    await types('stop my-llm')
    await presses(ana, 'Stop my-llm', 'Stopped my-llm')
    town.platform.console.scale('ep-llm', 1)
    await types('start my-llm for 2h')
    await sees(/Started my-llm to run until today at 12:00 · about \$1\.00\..*\[Scale to 3 again\]/s)
    expect(town.platform.endpoints().find(({ name }) => name === 'my-llm')?.replicas).toBe(1)
  })

  test('is not told as done, nor offered again, while its start is under way', async () => {
    town.platform.faults.add('startEndpoint', { kind: 'answer', status: 503, retryAfter: '60' }, 1)
    await types('start my-tts for 2h')
    await sees(/Starting my-tts… /)
    await types('status my-tts')
    await sees(/Open request: Start my-tts\.(?!.*(Starting my-tts until|\[Start my-tts\]))/s)
  })

  test('expires at its end without an answer, and keeps its price while it waits for one', async () => {
    await types('start my-tts for 10m replicas=3')
    await sees(/Expires today at 10:10.*\[Start my-tts\]/s)
    await town.minutesPass(20)
    await sees(/Start my-tts.* expired after \d+ min without an answer\./)
    expect(effects(town)).toEqual([])
    await types('start my-tts for 2h replicas=3')
    await sees(/It’s stopped.* About \$3\.00 in all\./)
    await town.minutesPass(20)
    await sees(/^Reminder: Start my-tts/)
    await town.calm()
    await sees(/It’s stopped.* About \$3\.00 in all\./)
    expect(town.slack.transcript('ops')).not.toContain('$2.')
  })

  test('is said to run on if a pause prevents its stop for a day', async () => {
    await types('start my-tts for 2h')
    await sees('Started my-tts to run until today at 12:00')
    await types('freeze because="a release"')
    await sees('Paused all automation')
    await town.minutesPass(25 * 60)
    expect(town.slack.transcript('ops')).not.toContain('still running')
    await town.minutesPass(62)
    await sees(
      /^my-tts is still running\. Its stop planned for yesterday at 12:00 was held back for a day,.*\[Stop my-tts\]/s,
    )
    expect(effects(town)).toEqual(['start'])
  })

  test('is refused while automation is paused, because nothing would stop the endpoint', async () => {
    await types('freeze because="a release"')
    await sees('Paused all automation')
    await types('start my-tts for 2h')
    await sees(
      'Automation is paused, so nothing would stop my-tts later. To start it without an end: /endpoint start my-tts',
    )
    await types('keep my-llm for 4h')
    await sees('Paused automation for my-llm')
    await types('stop my-llm')
    await ana.presses('Stop my-llm', { in: 'ops' })
    await sees('Stopped my-llm')
    await types('start my-llm for 2h')
    await sees('Automation is paused, so nothing would stop my-llm later.')
    expect(effects(town)).toEqual(['stop'])
  })

  test('says how long the schedule keeps it running if that is longer', async () => {
    await types('schedule my-tts up daily 11:00-20:00')
    await ana.presses('Save schedule', { in: 'ops' })
    await sees('Scheduled my-tts')
    await types('start my-tts for 2h')
    await sees('Starting my-tts. Its schedule keeps it running until today at 20:00. About $5.00 in all.')
    await sees('Started my-tts to run until today at 20:00 · about $5.00.')
    await types('start my-tts for 3h')
    await sees('my-tts is already running. Its schedule keeps it running until today at 20:00.')
    await types('status my-tts')
    await sees('Running until today at 20:00 (schedule: running daily 11:00–20:00 UTC), then stops.')
    await types('start my-tts for 25h')
    await sees(
      /Run my-tts until tomorrow at 11:00\?.*keeps it running until tomorrow at 20:00\..*today at 20:00 is skipped\./s,
    )
    await types('cancel my-tts')
    await types('start my-tts for 12h')
    await sees(/Run my-tts until today at 22:00\?.*The stop scheduled for today at 20:00 is skipped\./s)
  })
})

describe('A start for a while under a stricter or laxer policy', () => {
  /** The rules have seen the endpoint running, and then that it was stopped at the console. */
  async function isStoppedElsewhere(id: string): Promise<void> {
    await town.minutesPass(1)
    await town.looked()
    town.platform.console.stop(id)
    await town.minutesPass(1)
    await sees('was stopped outside Lamplighter')
  }

  /** Returns an endpoint to its rules, which the next check of the rules then follows. */
  async function resumes(name: string): Promise<void> {
    await presses(ana, `Start ${name}`, 'resumed its automation')
    await town.minutesPass(0)
  }

  test('needs the approval that a start needs, and then begins without a warning', async () => {
    const first = policy.replace('admin: []', 'approver: [user:U0DORA]')
    await policyApplied(town, first.replace('disruptive:', 'reversible: { dormant: approval }, disruptive:'))
    const dora = town.slack.as('U0DORA')
    await types('start my-tts for 2h')
    await sees('Needs 1 approval from @dora')
    await presses(dora, 'Approve: Start my-tts', 'Started my-tts to run until today at 12:00')
    await asks(dora, 'history who=@dora', /Started my-tts to run until .*@ana .*approved by @dora/s)
    await asks(dora, 'why is my-tts running?', 'requested by @ana. Approved by @dora. Running until')
    await presses(dora, 'Details', /Timeline of .*requested\s.*@ana.*approved\s.*@dora.*Started my-tts to run until/s)
    await asks(ana, 'stop my-tts', '[Stop my-tts]')
    await presses(ana, 'Stop my-tts', 'The stop scheduled for today at 12:00 is cancelled.')
    await asks(ana, 'undo my-tts', /^Start my-tts until .*Needs 1 approval from @dora/s)
    await town.calm()
    expect(effects(town)).toEqual(['start', 'stop'])
    expect(town.slack.transcript('ops')).not.toContain('🌙')
  })

  test('begins at once although the policy file has changed, unless that asks for more', async () => {
    const first = policy.replace('admin: []', 'approver: [user:U0DORA]')
    const strict = first.replace('disruptive:', 'reversible: { dormant: approval }, disruptive:')
    await policyApplied(town, strict)
    await types('start my-tts for 2h')
    await sees('Needs 1 approval from @dora')
    await policyApplied(town, `${strict}    # Nothing else.\n`)
    const dora = town.slack.as('U0DORA')
    await presses(dora, 'Approve: Start my-tts', 'Started my-tts to run until today at 12:00')
    // A later start of the same run is one that nobody has approved.
    await isStoppedElsewhere('ep-tts')
    await resumes('my-tts')
    await sees(/🌙 my-tts starts .*It runs until today at 12:00\./s)
    await presses(ana, 'Start now', /^✅ Started my-tts to run until .*confirmed by @ana/s)
    await asks(
      dora,
      'history my-tts',
      /^(?!.*approved by @dora.*approved by @dora).*confirmed by @ana.*approved by @dora/s,
    )
  })

  test('is not asked again because a look records that the endpoint was stopped at the console', async () => {
    const first = policy.replace('admin: []', 'approver: [user:U0DORA]')
    await policyApplied(town, first.replace('disruptive:', 'reversible: { dormant: approval }, disruptive:'))
    await types('schedule my-llm up daily 09:00-20:00')
    const dora = town.slack.as('U0DORA')
    await presses(dora, 'Approve: Save schedule', 'Scheduled my-llm')
    await town.minutesPass(1)
    await town.calm()
    town.platform.console.stop('ep-llm')
    await types('start my-llm until 22:00')
    await sees('Needs 1 approval from @dora')
    await town.minutesPass(2)
    await sees('was stopped outside Lamplighter')
    await presses(dora, 'Approve: Start my-llm', 'Started my-llm to run until today at 22:00')
    expect(town.slack.transcript('ops')).not.toMatch(/newer question|answer again/)
  })

  test('is announced if only a stop of its endpoint was approved', async () => {
    const cells = 'reversible: { dormant: approval }, disruptive: { active: approval }'
    const strict = policy.replace('disruptive: { dormant: confirmation }', cells)
    await policyApplied(town, strict.replace('admin: []', 'approver: [user:U0DORA]'))
    const dora = town.slack.as('U0DORA')
    await types('start my-llm for 2h')
    await presses(dora, 'Approve: Schedule stop', 'Scheduled a stop of my-llm')
    await town.calm()
    town.platform.console.stop('ep-llm')
    await town.minutesPass(1)
    await sees('was stopped outside Lamplighter')
    await resumes('my-llm')
    await sees(/🌙 my-llm starts .*It runs until today at 12:\d\d\./s)
    for (const line of ['schedules my-llm', 'why is my-llm stopped?'])
      await asks(dora, line, /A start is announced for today at 10:\d\d\./)
    await asks(dora, 'status my-llm', /stopped · starts in \d+ min/)
  })

  test('ends if its announced start is skipped, and undo requests it again', async () => {
    const first = policy.replace('admin: []', 'approver: [user:U0DORA]')
    await policyApplied(town, first.replace('disruptive:', 'reversible: { dormant: approval }, disruptive:'))
    const dora = town.slack.as('U0DORA')
    await types('start my-tts for 2h')
    await presses(dora, 'Approve: Start my-tts', 'Started my-tts to run until today at 12:00')
    await isStoppedElsewhere('ep-tts')
    await resumes('my-tts')
    await sees('🌙 my-tts starts ')
    await presses(dora, 'Skip this one', 'Start my-tts skipped by @dora')
    await town.minutesPass(2)
    await asks(dora, 'schedules my-tts', 'my-tts is stopped and has no schedule')
    await asks(ana, 'undo my-tts', /^Start my-tts until today at 12:00\?.*This undoes “Skip the start of my-tts”/s)
  })

  test('is refused if the policy refuses stops, because nothing could end it', async () => {
    const one = policy.replace('matrix: { disruptive: { dormant: confirmation } }', '').trimEnd()
    await policyApplied(town, `${one}\n    matrix: { disruptive: { active: refusal } }\n`)
    await types('start my-tts for 2h')
    await sees('The policy doesn’t allow this.')
    await types('start my-tts')
    await sees('Started my-tts; it’s serving.')
  })

  test('is refused at once if the policy refuses starts, and leaves nothing in history', async () => {
    await policyApplied(town, policy.replace('disruptive:', 'reversible: { dormant: refusal }, disruptive:'))
    await types('start my-tts for 2h')
    await sees('The policy doesn’t allow this. Why: the policy rules it out (this project’s policy).')
    await types('history my-tts')
    await sees('No history of my-tts')
  })

  test.each(['start my-tts for 2h replicas=3', 'start my-tts replicas=3', 'schedule my-tts up daily 09:00-20:00'])(
    '%s needs what a start needs too',
    async (line) => {
      const roles = policy.replace('admin: []', 'approver: [user:U0DORA]')
      const free = roles.replace('matrix: { disruptive: { dormant: confirmation } }', '')
      await policyApplied(town, `${free}    matrix: { reversible: { dormant: approval } }\n`)
      await types(line)
      await sees('Needs 1 approval from @dora')
      await policyApplied(town, `${free}    matrix: { reversible: { dormant: refusal } }\n`)
      await types('cancel my-tts')
      await types(line)
      await sees('The policy doesn’t allow this.')
      expect(effects(town)).toEqual([])
    },
  )

  test('needs nothing for more replicas if a scale of a stopped endpoint needs nothing', async () => {
    await policyApplied(town, policy.replace('matrix:', '# matrix:'))
    await types('start my-tts for 2h replicas=3')
    await sees('Started my-tts to run until today at 12:00')
  })
})

describe('A start for a while that the platform refuses', () => {
  test('is not tried again unless someone presses, and leaves no rule', async () => {
    const fault = { kind: 'answer', status: 422, body: { detail: 'No capacity' } } as const
    town.platform.faults.add('startEndpoint', fault, 1)
    await types('start my-tts for 4h')
    await sees(/Start my-tts: failed\. It’s stopped\..*No capacity.*\[Try again\]/s)
    await types('schedules my-tts')
    await sees('my-tts is stopped and has no schedule')
    for (const minutes of [1, 3, 5]) await town.minutesPass(minutes)
    await types('schedules my-tts')
    await sees('my-tts is stopped and has no schedule')
    expect(town.platform.calls().filter(({ operation }) => operation === 'startEndpoint')).toHaveLength(1)
    await ana.presses('Try again', { in: 'ops' })
    await sees('Started my-tts to run until today at 14:09')
  })
})

describe('A stop before the end of a start for a while', () => {
  async function startsAndStops(): Promise<void> {
    await types('start my-tts for 2h')
    await sees('Started my-tts to run until today at 12:00')
    await town.minutesPass(20)
    await types('stop my-tts')
    await ana.presses('Stop my-tts', { in: 'ops' })
    await sees('Stopped my-tts. The stop scheduled for today at 12:00 is cancelled.')
  }

  test('cancels that end, so a later start is neither stopped then nor said to be', async () => {
    await startsAndStops()
    await types('status my-tts')
    const { text } = await ana.sees(/stopped · starts with 1 replica.*Schedule/s, { in: 'ops' })
    expect(text).not.toMatch(/should be|until today at 12:00 \(/)
    await town.minutesPass(5)
    await types('start my-tts')
    await sees('Started my-tts; it’s serving.')
    await town.minutesPass(120)
    expect(effects(town)).toEqual(['start', 'stop', 'start'])
    expect(town.slack.transcript('ops')).not.toMatch(/my-tts stops|outside Lamplighter/)
  })

  test('is undone together with the end that it cancelled', async () => {
    await startsAndStops()
    await types('undo my-tts')
    await sees('Starting my-tts until today at 12:00. About $0.83 in all.')
    await sees('Started my-tts to run until today at 12:00 · about $0.83.')
    await town.minutesPass(92)
    await sees(/🌙 my-tts stops today at 12:00.*Skip this one \(\+\$0\.50 an hour\)/s)
    await town.minutesPass(10)
    await sees('Stopped my-tts, as planned.')
    expect(effects(town)).toEqual(['start', 'stop', 'start', 'stop'])
  })

  test('cancels no other stop if the notice of its end made it', async () => {
    await types('start my-tts for 2h because="a demo"')
    await sees(/Started my-tts to run until today at 12:00.*Reason: “a demo”/s)
    await types('history my-tts')
    await sees(/History of my-tts.*Started my-tts .*“a demo”/s)
    await town.minutesPass(112)
    const { text } = await sees('my-tts stops today at 12:00')
    expect(text).not.toContain('a demo')
    await ana.presses('Stop now', { in: 'ops' })
    await sees(/Stopped my-tts/)
    // The reason was that of the start.
    await types('who stopped my-tts')
    await sees(/^Lamplighter last stopped my-tts .+ ago\), requested by @ana\./)
    await town.minutesPass(30)
    expect(effects(town)).toEqual(['start', 'stop'])
    expect(town.slack.transcript('ops')).not.toMatch(/is cancelled|outside Lamplighter/)
  })

  test('leaves the endpoint stopped until its schedule next changes', async () => {
    await types('schedule my-tts up daily 09:00-11:00')
    await ana.presses('Save schedule', { in: 'ops' })
    await sees('Started my-tts')
    await types('start my-tts for 2h')
    await ana.presses('Extend the run', { in: 'ops' })
    await sees('Extended the run of my-tts until today at 12:00.')
    await town.minutesPass(2)
    await types('stop my-tts')
    await ana.presses('Stop my-tts', { in: 'ops' })
    await sees(/The stop scheduled for today at 12:00 is cancelled\. It stays stopped until today at 11:00/)
    await town.minutesPass(30)
    expect(effects(town)).toEqual(['start', 'stop'])
  })
})

describe('The end of a start for a while', () => {
  test('is cancelled with the start', async () => {
    await town.stop()
    town = await startTown({ policy, env, at: '2026-11-25T10:00:00Z', platform: { startDelayMs: 600_000 } })
    ana = town.slack.as('U0ANA')
    await types('start my-tts for 2h')
    await sees('Starting my-tts… until today at 12:00')
    await types('cancel my-tts')
    await sees(
      /Start my-tts cancelled.*The stop scheduled for today at 12:00 is cancelled\. Cancelling doesn’t stop my-tts; stop it/,
    )
    await town.minutesPass(125)
    await types('status my-tts')
    await sees(/🟢 running · 1 replica/)
    expect(effects(town)).toEqual(['start'])
    expect(town.slack.transcript('ops')).not.toContain('my-tts stops')
  })

  test('is the requester’s stop even if somebody else’s schedule wants it stopped anyway', async () => {
    const ben = town.slack.as('U0BEN')
    await ben.types('ops', '/endpoint schedule my-tts up daily 06:00-09:00')
    await ben.presses('Save schedule', { in: 'ops' })
    await sees('Scheduled my-tts')
    await types('start my-tts for 30m')
    await sees('Started my-tts to run until today at 10:30')
    await types('list')
    await sees(/my-tts\s+running · stops in \d+ min · /)
    await town.minutesPass(21)
    await sees(/🌙 my-tts stops today at 10:30.*requested by @ana/s)
    await town.minutesPass(10)
    await sees('Stopped my-tts, as planned.')
    expect(town.slack.transcript('ops')).not.toContain('schedule by @ben')
    await types('why did my-tts stop?')
    await sees(/Lamplighter last stopped my-tts .+ ago\), as @ana had requested before\./)
    await ana.presses('Details', { in: 'ops' })
    // The times of the request and of the warning.
    await sees(
      /Timeline of “stop my-tts”\s+today at 10:00 · requested · @ana\s+today at 10:2\d · announced: [^@]*due: /,
    )
    await sees(/Requested 3\d min ago · my-tts/)
  })

  test('is an earlier planned stop if there is one', async () => {
    await types('stop my-tts at 11:00')
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees('Scheduled a stop of my-tts today at 11:00.')
    await types('start my-tts for 5h')
    await sees(/until today at 15:00\. It stops before that: today at 11:00, as planned\. About \$0\.50/)
    await sees('Started my-tts to run until today at 11:00 · about $0.50.')
  })
})

test('A start before a planned stop says when that stop comes', async () => {
  await types('stop my-tts at 11:00')
  await ana.presses('Schedule stop', { in: 'ops' })
  await sees('Scheduled a stop of my-tts today at 11:00.')
  await types('start my-tts')
  await sees('✅ Started my-tts; it’s serving. It stops today at 11:00, as planned.')
})

describe('A start for a while of a running or protected endpoint', () => {
  test('does not scale it, is asked as the stop that it amounts to, and is refused if it is protected', async () => {
    await types('start my-llm for 1h replicas=9')
    await sees('my-llm is already running. To change its replicas: /endpoint scale my-llm to 9')
    await types('start my-llm for 3h')
    // The time appears only once.
    await sees(/Stop my-llm today at 13:00\?[^?]*Expires today at \S+\s+A warning is posted before the stop\./)
    expect(await types('cancel')).toContain('[Cancel request: planning a stop of my-llm]')
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees('Scheduled a stop of my-llm today at 13:00. A warning is posted before the stop.')
    await types('protect my-tts')
    await sees('Protected my-tts')
    await types('start my-tts for 2h')
    await sees(
      /my-tts is protected, so it can’t be stopped automatically\. .*To start it without an end: .*start my-tts/s,
    )
  })

  test('extends the run that it replaces, and its undo goes back to that', async () => {
    await types('start my-tts for 2h')
    await sees('Started my-tts to run until today at 12:00')
    const ben = town.slack.as('U0BEN')
    await types('stop my-tts at 15:00')
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees('Scheduled a stop of my-tts today at 15:00.')
    await ben.types('ops', '/endpoint start my-tts for 6h')
    await sees(/Run my-tts until today at 16:00\?.*The stop @ana scheduled for today at 12:00 is skipped\./s)
    await ben.presses('Extend the run', { in: 'ops' })
    await sees(/Extended the run of my-tts until today at 16:00\..*The stop @ana scheduled for today at 12:00/s)
    await ben.types('ops', '/endpoint undo my-tts')
    await sees(
      /End the run of my-tts today at 12:00\?.*It was to run until today at 16:00, as @ben requested\..*@ana scheduled for today at 15:00 is planned again\./s,
    )
  })

  test('ends the run that it replaces sooner, without a price for that', async () => {
    await types('start my-tts for 4h')
    await sees('Started my-tts to run until today at 14:00')
    await types('start my-tts for 2h')
    const asked = await sees(
      /^End the run of my-tts today at 12:00\? .*It was to run until today at 14:00, as @ana requested\..*\[Shorten the run\]/s,
    )
    expect(asked.text).not.toContain('$')
    await ana.presses('Shorten the run', { in: 'ops' })
    await sees(
      /Shortened the run of my-tts: it ends today at 12:00\. It was to run until today at 14:00, as @ana requested\./,
    )
    await town.minutesPass(119)
    await sees(/^🌙 my-tts stops today at 12:00\./)
  })

  test('names another person’s longer run that it ends, and its undo brings back', async () => {
    const ben = town.slack.as('U0BEN')
    await ben.types('ops', '/endpoint start my-tts for 6h')
    await ben.sees('Started my-tts', { in: 'ops' })
    await types('stop my-tts at 13:00')
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees('Scheduled a stop of my-tts')
    await types('start my-tts for 4h')
    await sees(
      /Run my-tts until today at 14:00\?.*@ana scheduled for today at 13:00 is skipped\..* until today at 16:00, as @ben requested\./s,
    )
    await ana.presses('Extend the run', { in: 'ops' })
    await sees('Extended the run of my-tts until today at 14:00.')
    await types('undo my-tts')
    await sees(/^Stop my-tts today at 13:00\?.*The stop @ben scheduled for today at 16:00 is planned again\./s)
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees(/Scheduled a stop of my-tts today at 13:00\..*undo by @ana/s)
    await types('schedules my-tts')
    const { text } = await sees(/stop once today at 13:00.*runs until today at 16:00/s)
    expect(text).not.toContain('14:00')
  })

  test('is no pause if the endpoint was stopped while its question was open', async () => {
    await types('stop my-llm at 10:20')
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees('Scheduled a stop of my-llm')
    await types('start my-llm for 3h')
    await sees('[Extend the run]')
    await town.minutesPass(11)
    await sees('🌙 my-llm stops today at 10:2')
    await town.minutesPass(12)
    await sees('Stopped my-llm, as planned.')
    await ana.presses('Extend the run', { in: 'ops' })
    await sees(/Run my-llm .* cancelled\. my-llm has been stopped since this was requested\./)
    expect(effects(town)).toEqual(['stop'])
  })

  test('skips the stops that others planned before its end, and its undo plans them again instead of its end', async () => {
    const ben = town.slack.as('U0BEN')
    for (const time of ['11:00', '15:00']) {
      await ben.types('ops', `/endpoint stop my-llm at ${time}`)
      await ben.presses('Schedule stop', { in: 'ops' })
      await sees(`Scheduled a stop of my-llm today at ${time}.`)
    }
    await types('start my-llm until 15:00')
    const asked = await sees(
      /^Run my-llm until today at 15:00\?.*The stop @ben scheduled for today at 11:00 is skipped\./s,
    )
    expect(asked.text).not.toMatch(/today at 15:00 is skipped|stops before/)
    await types('cancel my-llm')
    await types('start my-llm for 6h')
    await sees(
      /^Run my-llm until today at 16:00\?.*@ben scheduled for today at 11:00 is skipped\..*at 15:00 is skipped\./s,
    )
    await ana.presses('Extend the run', { in: 'ops' })
    await sees('Extended the run of my-llm until today at 16:00.')
    await types('schedules my-llm')
    const { text } = await sees(/runs until today at 16:00/)
    expect(text).not.toContain('stop once')
    await types('undo my-llm')
    await sees(
      /^Stop my-llm today at 11:00\?.* until today at 16:00, as @ana .*@ben scheduled for today at 15:00 is planned again\..*\[Schedule stop\]/s,
    )
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees(/Scheduled a stop of my-llm today at 11:00\..*at 15:00 is planned again\..*undo by @ana/s)
    await types('schedules my-llm')
    const { text: planned } = await sees(/stop once today at 11:00.*stop once today at 15:00/s)
    expect(planned).not.toContain('16:00')
    // The undo can itself be undone.
    await types('undo my-llm')
    await sees(/^Run my-llm until today at 16:00\?.*at 11:00 is skipped\..*at 15:00 is skipped\./s)
    await types('cancel my-llm')
    await town.minutesPass(52)
    await sees('🌙 my-llm stops today at 11:00.')
    await town.minutesPass(10)
    await sees('Stopped my-llm, as planned.')
    expect(effects(town)).toEqual(['stop'])
  })

  test('is called longer if it is longer than the run before it, also in a pause', async () => {
    await types('start my-tts for 2h')
    await sees('Started my-tts to run until today at 12:00')
    await types('keep my-tts for 8h')
    await sees('Paused automation for my-tts')
    await types('start my-tts for 4h')
    await sees(/^Run my-tts until today at 14:00\?.*\[Extend the run\]/s)
  })

  test('replaces an announced stop, which a plain start names', async () => {
    await types('schedule my-llm up daily 09:00-10:08')
    await ana.presses('Save schedule', { in: 'ops' })
    await sees('🌙 my-llm stops today at 10:08.')
    await types('start my-llm')
    await sees(/^my-llm is already running\. my-llm stops today at 10:08\.\s+\[Keep 1 h/)
    await types('start my-llm for 3h')
    await ana.presses('Extend the run', { in: 'ops' })
    await sees(/Stop my-llm cancelled\. The rules of my-llm no longer ask for it\./)
  })

  test('says what it does while automation is paused', async () => {
    await types('freeze because="a release"')
    await sees('Paused all automation')
    for (const line of ['start my-llm for 3h', 'stop my-llm at 19:00']) {
      await types(line)
      await sees('Automation is paused, so nothing stops it unless someone resumes automation.')
    }
    await types('schedule my-llm up weekdays 09:00-20:00')
    await sees(
      'This applies once someone resumes automation; until then, my-llm is left alone. Previews ignore the pause.',
    )
    // The pause is mentioned only once.
    expect(town.slack.transcript('ops')).not.toContain('Automation is paused.')
  })

  test('says that a stop comes before it, when the pause ends', async () => {
    await types('stop my-llm at 11:00')
    await ana.presses('Schedule stop', { in: 'ops' })
    await sees('Scheduled a stop of my-llm today at 11:00.')
    await types('keep my-llm 2h')
    await sees('Paused automation for my-llm until today at 12:00.')
    await types('stop my-llm at 20:00')
    await sees('It stops before that: today at 12:00, after the pause.')
  })

  test('shows no price for a stop that a pause prevents', async () => {
    await types('keep my-llm 8h')
    await sees('Paused automation for my-llm until today at 18:00.')
    await types('start my-llm for 2h')
    await sees(/^Stop my-llm today at 12:00\?.*it stops today at 18:00, not sooner\.\s+requested by @ana/s)
    await sees(/can confirm.*Automation is paused, so it stops today at 18:00, not sooner\./s)
    expect(town.slack.transcript('ops')).not.toContain('About $')
    await ana.presses('Schedule stop', { in: 'ops' })
    await ana.presses('Resume automation', { in: 'ops' })
    await sees('Resumed automation for my-llm')
  })
})
