import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anaTokens, tokensIn } from '../support/mentions.ts'
import { asks, presses } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town } from '../support/town.ts'

const shout = '<!channel> <@U0BEN> <http://evil.example|click> *bold* & `code`'

let town: Town
beforeEach(async () => {
  town = await startTown({
    endpoints: [
      { id: 'ep-llm', name: 'my-llm', active: true },
      { id: 'ep-tts', name: 'my-tts' },
      { id: 'twin-a', name: 'twin' },
      { id: 'twin-b', name: 'twin' },
      { id: 'ep-shout', name: shout },
      { id: 'ep-long', name: 'n'.repeat(5_000) },
      { id: 'ep-hidden', name: 'safe\u202Egnitrats\u200B' },
    ],
  })
})
afterEach(async () => {
  const log = town.log()
  await town.stop()
  expect(log).not.toMatch(/"level":"error"|broke/)
})

/** Runs a line and returns its only answer, which must be private. */
async function answerTo(line: string): Promise<string> {
  const ana = town.slack.as('U0ANA')
  const before = privately().length
  await ana.types('ops', line)
  await expect.poll(() => privately().length).toBeGreaterThan(before)
  await town.calm()
  const said = privately().slice(before)
  expect(said).toHaveLength(1)
  expect(town.slack.transcript('ops')).not.toContain('App: ')
  return said[0]!
}

function privately(): readonly string[] {
  return town.slack
    .channel('ops')
    .messages()
    .filter(({ ephemeralTo }) => ephemeralTo === 'U0ANA')
    .map(({ text }) => text)
}

describe('A line that can’t be carried out gets a private answer with the correction', () => {
  test.each([
    ['an unknown verb', '/endpoint strat my-llm', 'Did you mean /endpoint start my-llm'],
    [
      'a verb that is like none',
      '/endpoint frobnicate my-llm',
      'I don’t know the command “frobnicate”. Type /endpoint help',
    ],
    [
      'a surplus word',
      '/endpoint stop my-llm hard',
      'I don’t understand “hard” here. Usage: /endpoint stop <endpoint>',
    ],
    ['an unknown setting', '/endpoint stop my-llm colour=red', 'I don’t understand “colour=” here.'],
    ['an open quotation mark', '/endpoint stop my-llm because="no end', 'A closing quote is missing.'],
    ['a line of 3,000 characters', `/endpoint stop ${'a'.repeat(3_000)}`, 'That command is too long'],
    ['a name of 500 characters', `/endpoint stop ${'a'.repeat(500)}`, 'An endpoint’s name has at most 200 characters.'],
    ['a name that nothing has', '/endpoint stop my-nothing-at-all', 'No endpoint is named'],
    [
      'a question instead of a name',
      '/endpoint cost',
      'No endpoint is named “cost”. Type /endpoint list to see them all. Did you mean /endpoint list?',
    ],
    ['a path instead of an id', '/endpoint stop ../../me', 'No endpoint is named'],
    ['dots instead of an id', '/endpoint stop ..', 'No endpoint is named'],
    ['somebody instead of a name', '/endpoint stop @ben', 'No endpoint is named'],
    ['a broadcast instead of a name', '/endpoint stop <!channel>', 'No endpoint is named'],
    ['markup instead of a verb', '/endpoint <!channel> my-llm', 'I don’t know the command “'],
  ])('%s', async (_, line, says) => {
    expect(await answerTo(line)).toContain(says.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    for (const message of town.slack.channel('ops').messages()) expect(tokensIn(message)).toEqual([])
    expect(town.platform.changes()).toEqual([])
  })
})

test('Control characters and curly quotes are read as intended', async () => {
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint\tstart\u0007 “my-tts”\u200B because=„demo at three“')
  await ana.sees('Started my-tts', { in: 'ops' })
})

test('Two endpoints with the same name are offered by id, and the chosen one starts', async () => {
  const ana = town.slack.as('U0ANA')
  const offer = await asks(ana, 'start twin', 'More than one endpoint is named “twin”. Choose one by its id.')
  expect(offer.ephemeralTo).toBe('U0ANA')
  expect(town.platform.changes()).toEqual([])
  await presses(ana, 'Start twin-b', 'Started twin')
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'twin-b', effective: true }])
})

test('Text from the platform never becomes a mention, a link or formatting', async () => {
  town.platform.faults.add('startEndpoint', { kind: 'message', text: shout })
  town.platform.faults.add('stopEndpoint', { kind: 'answer', status: 409, body: { detail: shout } })
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'list', '7 endpoints')
  await asks(ana, 'start ep-shout', /^✅ Started <!channel>/)
  await asks(ana, `stop my-llm because="${shout.replaceAll('"', '')}"`, '[Leave it running]')
  await presses(ana, 'Stop my-llm', /^❌ Stop my-llm: failed\. .* “<!channel> <@U0BEN>/)
  await timePassesUntil(town, town.calm())
  const tokens = new Set(town.slack.channel('ops').messages().flatMap(tokensIn))
  expect([...tokens].filter((token) => !anaTokens.includes(token))).toEqual([])
})

test('Very long names are shortened and hidden characters are made visible', async () => {
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'start ep-hidden', 'Started safe\\u{202e}gnitrats\\u{200b}')
  await asks(ana, 'start ep-long', /^Started n{100,}/)
  await asks(ana, 'list', '7 endpoints')
})
