import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { asks } from '../support/ops.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

const policy = policyOf(`
    roles:
      viewer: [everyone]
      operator: [user:U0ANA, user:U0BEN]
    tokens: [user:U0ANA, user:U0CLEO]
    schedules: { zone: Europe/Berlin }
    endpoints:
      - { match: ["my-*"], schedule: ["up mon-sun 09:00-20:00"] }
`)

let town: Town
afterEach(() => town.stop())

/** In Berlin the clocks go back on 25 October. */
async function begin(): Promise<void> {
  town = await startTown({
    at: '2026-10-23T10:00:00Z',
    policy,
    slack: {
      people: [
        { id: 'U0ANA', name: 'ana' },
        { id: 'U0CLEO', name: 'cleo', locale: 'ko-KR' },
      ],
    },
    endpoints: [
      { id: 'ep-llm', name: 'my-llm', active: true, replicas: 3, tags: ['prod'] },
      { id: 'ep-odd', name: 'my-, ; \\ 음성 인식 서비스 엔드포인트 이름이 아주 길다', active: true, replicas: 1 },
    ],
    roles: ['worker', 'bot', 'api'],
    env: { LAMPLIGHTER_KEY: randomBytes(32).toString('base64') },
    listed: true,
  })
}

/** Creates a token and returns the address in the direct message. */
async function addressFor(user: string, line: string): Promise<string> {
  const person = town.slack.as(user)
  await person.types('ops', `/endpoint ${line}`)
  const sent = JSON.stringify(await person.sees('/v1/calendar/', { in: '@app' }))
  return /\/v1\/calendar\/lamp_[\w-]{65}\.ics/.exec(sent)?.[0] ?? sent
}

/** Parses a feed as RFC 5545 requires, independently of the product. */
function readCalendar(text: string): readonly Readonly<Record<string, string>>[] {
  expect(text.endsWith('\r\n')).toBe(true)
  const raw = text.slice(0, -2).split('\r\n')
  for (const line of raw) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line).not.toMatch(/[\r\n\ufffd]/)
  }
  const lines = raw.join('\r\n').replaceAll('\r\n ', '').split('\r\n')
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR'])
  const events: Record<string, string>[] = []
  for (const line of lines) {
    const at = line.indexOf(':')
    const [name, value] = [line.slice(0, at), line.slice(at + 1)]
    if (line === 'BEGIN:VEVENT') events.push({})
    const event = events.at(-1)
    if (event !== undefined && !/^(BEGIN|END)$/.test(name)) event[name] = value.replace(/\\([\\;,])/g, '$1')
  }
  return events
}

async function fetched(address: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${town.api()}${address}`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

/** Waits until the worker has listed the endpoints. */
async function calendarAt(address: string) {
  await expect.poll(async () => (await fetched(address)).text).toContain('BEGIN:VEVENT')
  const { status, type, text } = await fetched(address)
  expect({ status, type }).toEqual({ status: 200, type: 'text/calendar; charset=utf-8' })
  return { text, events: readCalendar(text) }
}

test('A calendar shows scheduled starts and stops, also across a clock change', async () => {
  await begin()
  const address = await addressFor('U0ANA', 'token new "my calendar" only=calendar')
  const { text, events } = await calendarAt(address)
  const llm = events.filter(({ SUMMARY }) => SUMMARY?.startsWith('my-llm '))
  // 20:00 and 09:00 in Berlin, in summer time until Saturday and in winter time from Sunday on.
  expect(llm.slice(0, 6).map(({ SUMMARY, DTSTART }) => [SUMMARY, DTSTART])).toEqual([
    ['my-llm stops', '20261023T180000Z'],
    ['my-llm starts', '20261024T070000Z'],
    ['my-llm stops', '20261024T180000Z'],
    ['my-llm starts', '20261025T080000Z'],
    ['my-llm stops', '20261025T190000Z'],
    ['my-llm starts', '20261026T080000Z'],
  ])
  expect(llm).toHaveLength(28)
  expect(events.map(({ SUMMARY }) => SUMMARY)).toContain('my-, ; \\ 음성 인식 서비스 엔드포인트 이름이 아주 길다 stops')
  expect(new Set(events.map(({ UID }) => UID)).size).toBe(events.length)
  expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n')
  for (const { DTSTAMP } of events) expect(DTSTAMP).toMatch(/^20261023T1\d{5}Z$/)

  // An hour later the events have the same ids.
  await town.minutesPass(60)
  const later = readCalendar((await fetched(address)).text)
  expect(later.slice(0, 20).map(({ UID }) => UID)).toEqual(events.slice(0, 20).map(({ UID }) => UID))
  expect(town.log()).not.toContain(address)
  expect(town.log()).not.toContain(address.slice(14, -4))
})

test('A calendar is for a token’s endpoints and person, until it is revoked or the person loses the role', async () => {
  await begin()
  const mine = await addressFor('U0ANA', 'token new "my calendar" only=calendar')
  const hers = await addressFor('U0CLEO', 'token new prod only=calendar on=tag:prod')
  await calendarAt(mine)
  // Only the endpoint with the tag, in cleo's language.
  const { events } = await calendarAt(hers)
  expect(new Set(events.map(({ SUMMARY }) => SUMMARY))).toEqual(new Set(['my-llm 시작', 'my-llm 중지']))
  const ana = town.slack.as('U0ANA')
  await asks(ana, 'token revoke "my calendar"', 'Revoked the token')
  expect(await fetched(mine)).toMatchObject({ status: 401, text: expect.not.stringContaining('lamp_') })
  expect(await fetched(hers)).toMatchObject({ status: 200 })
  await town.rules(policy.replace('viewer: [everyone]', 'viewer: []'))
  await expect.poll(async () => (await fetched(hers)).status).toBe(403)
})
