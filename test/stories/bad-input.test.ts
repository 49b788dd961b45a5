import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('A line that can’t be carried out gets a private answer with the correction, without mentions', async () => {
  for (const [line, says] of [
    // These three come first: once the endpoints are listed, they are answered by what is known of them.
    ['strat my-llm', 'Did you mean /endpoint start my-llm'],
    ['<!channel> my-llm', 'I don’t know the command “'],
    ['cost', 'No endpoint is named “cost”. Type /endpoint list to see them all. Did you mean /endpoint list?'],
    ['lsit', 'No endpoint is named “lsit”. Type /endpoint list to see them all. Did you mean /endpoint list?'],
    ['hitsory', 'Did you mean /endpoint history?'],
    ['stop my-nothing-at-all', 'No endpoint is named'],
    ['stop ../../me', 'No endpoint is named'],
    ['stop ..', 'No endpoint is named'],
    ['stop @ben', 'That’s a person, not an endpoint.'],
    ['stop <!channel>', 'No endpoint is named'],
  ] as const) {
    expect(await answerTo(`/endpoint ${line}`)).toContain(says)
    for (const message of town.slack.channel('ops').messages()) expect(tokensIn(message)).toEqual([])
    expect(town.platform.changes()).toEqual([])
  }
})

test('Two endpoints with the same name are offered by id, and odd characters in a line or a name do no harm', async () => {
  const ana = town.slack.as('U0ANA')
  const offer = await asks(ana, 'start twin', /named “twin”\. Choose one by its id\..*twin-b is stopped now\./s)
  expect(offer.ephemeralTo).toBe('U0ANA')
  expect(town.platform.changes()).toEqual([])
  await presses(ana, 'Start twin-b', 'Started twin')
  expect(town.platform.changes()).toMatchObject([{ endpointId: 'twin-b', effective: true }])
  // Control characters and curly quotes are read as intended.
  await ana.types('ops', '/endpoint\tstart\u0007 “my-tts”\u200B because=„demo at three“')
  await ana.sees('Started my-tts', { in: 'ops' })
  // Very long names are shortened, and hidden characters are made visible.
  await asks(ana, 'start ep-hidden', 'Started safe\\u{202e}gnitrats\\u{200b}')
  await asks(ana, 'start ep-long', /^Started n{100,}/)
  await asks(ana, 'list', '7 endpoints')
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
