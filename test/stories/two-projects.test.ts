import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { effects, keepHour, labelIn } from '../support/ends.ts'
import { ops, policyApplied, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTwins, type Twins, twinPolicy } from '../support/twins.ts'

let twins: Twins
beforeEach(async () => {
  twins = await startTwins()
})
afterEach(() => twins.stop())

const search = { in: 'search' } as const
const speech = { in: 'speech' } as const
function person(name: 'ana' | 'ben' | 'cleo' | 'dora') {
  return twins.town.slack.as(`U0${name.toUpperCase()}`)
}

/** Returns the effects in each project. */
function done() {
  const { platforms } = twins
  return { search: effects({ platform: platforms.search }), speech: effects({ platform: platforms.speech }) }
}

/** Both projects' my-llm are scheduled to stop, and both notices are in #ops. */
async function scheduled(): Promise<void> {
  const ana = person('ana')
  for (const where of ['search', 'speech']) await ana.types(where, '/endpoint schedule my-llm down daily')
  await ana.presses('Save schedule', search)
  await person('cleo').presses('Approve: Save schedule', speech)
  for (const where of [search, speech]) await ana.sees('Scheduled', where)
  await twins.rest()
  for (const project of ['search', 'speech']) await ana.sees(told(project), ops)
}

/** Matches a project's notice in #ops. */
function told(project: string): RegExp {
  return new RegExp(String.raw`^my-llm stops .*\(project ${project}\)`, 's')
}

describe('A line', () => {
  test('is about the endpoint of its channel’s project, even if another project has one with that name', async () => {
    const ana = person('ana')
    await ana.types('search', '/endpoint stop my-llm')
    await ana.presses('Stop my-llm', search)
    await ana.sees(/^Stopped my-llm\./, search)
    expect(done()).toEqual({ search: ['stop'], speech: [] })
    expect(twins.platforms.speech.calls()).toEqual([])
    expect(twins.town.slack.transcript('search')).not.toContain('roject search')
  })

  test('follows its own project’s policy and roles', async () => {
    const [ana, ben, cleo, dora] = [person('ana'), person('ben'), person('cleo'), person('dora')]
    await dora.types('speech', '/endpoint stop my-llm')
    await dora.sees('You need the operator role', speech)
    await ana.types('speech', '/endpoint stop my-llm')
    await ben.presses('Approve: Stop my-llm', speech)
    await ben.sees('Only someone with the approver role in project speech can answer this: @cleo.', speech)
    await cleo.presses('Approve: Stop my-llm', speech)
    await ana.sees(/^Stopped my-llm\./, speech)
    expect(done()).toEqual({ search: [], speech: ['stop'] })
    expect(twins.platforms.search.calls()).toEqual([])
  })

  test('holds only its own project’s endpoint, so the question in the other project stays', async () => {
    const ana = person('ana')
    for (const where of ['search', 'speech']) await ana.types(where, '/endpoint stop my-llm')
    await ana.sees('Needs 1 approval.', speech)
    await ana.presses('Stop my-llm', search)
    await ana.sees(/^Stopped my-llm\./, search)
    await twins.town.calm()
    expect(done()).toEqual({ search: ['stop'], speech: [] })
    await person('cleo').presses('Decline…', speech)
    await person('cleo').opens('Decline a request')
    await person('cleo').submits()
    await ana.sees('Stop my-llm declined by @cleo', speech)
    expect(done()).toEqual({ search: ['stop'], speech: [] })
  })

  test('typed in a channel without a project is asked which project it means', async () => {
    const ana = person('ana')
    const asked = await ana.types('@app', '/endpoint start my-llm')
    expect(asked).toContain('Which project?')
    await ana.types('@app', '/endpoint stop my-llm')
    await ana.presses('speech', { in: '@app' })
    await ana.sees(/^ana: Stop my-llm\?.*\(project speech\)/s, ops)
    await person('cleo').presses('Approve: Stop my-llm', ops)
    await ana.sees(/^Stopped my-llm\..*\(project speech\)/s, ops)
    expect(done()).toEqual({ search: [], speech: ['stop'] })

    expect(await ana.types('ops', '/endpoint start search-tts')).toContain('Which project?')
    await presses(ana, 'search', /^Started search-tts.*\(project search\)/s)

    await ana.types('@app', '/endpoint status my-llm')
    await ana.presses('search', { in: '@app' })
    await ana.sees('project search', { in: '@app' })
    await ana.types('@app', '/endpoint scale')
    await ana.presses('search', { in: '@app' })
    await ana.opens('Scale an endpoint')
  })

  test('typed in a channel without a project is offered only projects where its sender has the role', async () => {
    const [ben, dora] = [person('ben'), person('dora')]
    const asked = await dora.types('@app', '/endpoint stop my-llm')
    expect(asked).toMatch(/Which project\?.*\[search\]$/s)
    expect(await dora.types('@app', '/endpoint history export')).toContain(
      'You need the approver role for that, and you don’t have it in search or speech.',
    )
    expect(await ben.types('@app', '/endpoint stop my-llm')).toMatch(/\[search\].*\[speech\]/s)
    expect(done()).toEqual({ search: [], speech: [] })
    // An empty one shows the commands that the sender may use in any project.
    const cleo = person('cleo')
    await dora.types('ops', '/endpoint')
    const { blocks } = await presses(dora, 'More…', 'Schedules and automation')
    expect(JSON.stringify(blocks)).toContain('"value":"stop"')
    expect(JSON.stringify(blocks)).not.toContain('"break-glass"')
    await cleo.types('ops', '/endpoint')
    await cleo.presses('More…', ops)
    expect(JSON.stringify((await cleo.sees('Schedules and automation', ops)).blocks)).toContain('"break-glass"')
  })

  test('from the shortcut belongs to the project picked there', async () => {
    const [ana, dora] = [person('ana'), person('dora')]
    await ana.runsShortcut('lamplighter')
    await ana.presses('speech', { in: 'modal' })
    await ana.presses('Start…', { in: 'modal' })
    await ana.opens('Start an endpoint')
    await ana.chooses('Endpoint', 'speech-tts')
    expect(await ana.submits()).toMatchObject({ outcome: 'cleared' })
    await ana.sees(/^Started speech-tts.*\(project speech\)/s, ops)
    expect(done()).toEqual({ search: [], speech: ['start'] })
    // dora has a role in one project only, so she is not asked.
    await dora.runsShortcut('lamplighter')
    await dora.presses('List', { in: 'modal' })
    await dora.sees('search-tts', { in: '@app' })
  })
})

describe('A message in a channel shared by two projects', () => {
  test('names its project, and its buttons act on that project', async () => {
    await scheduled()
    const { slack } = twins.town
    const newest = (project: string) =>
      slack
        .channel('ops')
        .messages()
        .toReversed()
        .findIndex(({ text }) => told(project).test(text))
    await person('ben').presses(labelIn(twins.town, keepHour), { ...ops, nth: newest('speech') })
    await person('ana').sees('Kept my-llm running until', ops)
    await twins.town.minutesPass(16)
    await twins.rest()
    expect(done()).toEqual({ search: ['stop'], speech: [] })
    await person('ana').sees(/^Stopped my-llm\..*\(project search\)/s, ops)
  })

  test('appears on the Home under its project and can be answered there', async () => {
    await scheduled()
    const ana = person('ana')
    await ana.opensHome()
    await expect
      .poll(() => JSON.stringify(twins.town.slack.workspace.homes.get('U0ANA')?.blocks ?? []))
      .toMatch(/Project search.*Project speech/)
    await ana.presses('Stop now', { in: 'home', nth: 0 })
    await ana.sees(/^Stopped my-llm\..*\(project search\)/s, ops)
    expect(done()).toEqual({ search: ['stop'], speech: [] })
  })
})

describe('A freeze, a lockdown or a record', () => {
  test('affects one project only', async () => {
    const [ana, ben] = [person('ana'), person('ben')]
    await scheduled()
    await ana.types('search', '/endpoint freeze because="release week"')
    await ana.sees('Paused all automation', search)
    await twins.town.minutesPass(16)
    await twins.rest()
    expect(done()).toEqual({ search: [], speech: ['stop'] })

    await twins.redis.del(`{${twins.town.prefix}:search}:root`)
    await ana.types('search', '/endpoint protect my-llm because="customers"')
    await ana.sees('All changes in project search are blocked', ops)
    await ben.types('speech', '/endpoint protect speech-tts because="customers"')
    await ben.sees('Protected speech-tts', speech)
    await ben.types('search', '/endpoint thaw')
    await ben.presses('End the lockdown', search)
    await ben.sees('Ended the lockdown.', search)

    for (const where of ['search', 'speech'])
      for (const line of ['history', 'schedules', 'savings', 'list']) await ben.types(where, `/endpoint ${line}`)
    await twins.town.calm()
    const { messages } = twins.town.slack.workspace
    const [ofSearch, ofSpeech] = ['C0SEARCH', 'C0SPEECH'].map((id) => JSON.stringify(messages.get(id)))
    expect(ofSearch).toContain('search-tts')
    expect(ofSearch).not.toContain('speech')
    expect(ofSpeech).toContain('protecting speech-tts')
    expect(ofSpeech).not.toMatch(/search-tts|release week/)
  })
})

describe('A project whose platform', () => {
  test.for([
    ['is gone', { kind: 'drop-before' }],
    ['does not answer', { kind: 'hang' }],
    ['has taken the key back', { kind: 'answer', status: 401, body: { detail: 'Invalid API key' } }],
  ] as const)('%s leaves the other project alone', async ([, fault]) => {
    const [ana, ben] = [person('ana'), person('ben')]
    const broken = twins.platforms.search.faults.add('*', fault)
    await ana.types('search', '/endpoint start search-tts')
    await ben.types('speech', '/endpoint start speech-tts')
    await ben.sees(/^Started speech-tts/, speech)
    await ana.types('speech', '/endpoint list')
    await ana.sees('speech-tts', speech)
    expect(done()).toEqual({ search: [], speech: ['start'] })
    expect(broken.hits()).toBeGreaterThan(0)
  })

  test('hangs while rules of both projects act delays only its own', async () => {
    const ana = person('ana')
    await scheduled()
    const broken = twins.platforms.search.faults.add('*', { kind: 'hang' })
    await twins.town.minutesPass(10)
    await ana.sees(/^Stopped my-llm\..*\(project speech\)/s, ops)
    expect(done()).toEqual({ search: [], speech: ['stop'] })
    expect(broken.hits()).toBeGreaterThan(0)
    broken.clear()
    const late = ana.sees(/^Stopped my-llm\..*\(project search\)/s, { ...ops, timeoutMs: 25_000 })
    await timePassesUntil(twins.town, late)
    expect(done()).toEqual({ search: ['stop'], speech: ['stop'] })
  })
})

/** #speech belongs to project search now. */
const moved = twinPolicy
  .replace('[C0SPEECH]', '[C0ELSE]')
  .replace('channels: [C0SEARCH]', 'channels: [C0SEARCH, C0SPEECH]')

test('A question stays where it was asked when its channel moves to another project', async () => {
  const [ana, ben, cleo] = [person('ana'), person('ben'), person('cleo')]
  await ana.types('speech', '/endpoint stop my-llm')
  await ana.sees('Needs 1 approval.', speech)
  await twins.town.calm()
  await policyApplied(twins.town, moved)
  await ana.types('speech', '/endpoint start search-tts')
  await ana.sees(/^Started search-tts/, speech)
  await ben.presses('Approve: Stop my-llm', speech)
  await ben.sees('Only someone with the approver role in project speech can answer this: @cleo.', speech)
  await cleo.presses('Approve: Stop my-llm', speech)
  await ana.sees(/^Stopped my-llm\..*\(project speech\)/s, speech)
  expect(done()).toEqual({ search: ['start'], speech: ['stop'] })
})

test('A form stays with its project when its channel moves to another project', async () => {
  const ana = person('ana')
  await ana.types('speech', '/endpoint stop')
  await ana.opens('Stop an endpoint')
  await ana.chooses('Endpoint', 'my-llm')
  await policyApplied(twins.town, moved)
  await ana.submits()
  await person('cleo').presses('Approve: Stop my-llm', speech)
  await ana.sees(/^Stopped my-llm\..*\(project speech\)/s, speech)
  expect(done()).toEqual({ search: [], speech: ['stop'] })
})
