import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { audit } from '../../src/cli/audit.ts'
import { dumpOf, findings } from '../support/canary.ts'
import { projects, startTwins, type Twins } from '../support/twins.ts'

/* What two projects store and send, checked from outside while both run all kinds of commands. */

let twins: Twins
beforeEach(async () => {
  twins = await startTwins({ listed: true, watched: true })
})
afterEach(() => twins.stop())

async function work(): Promise<void> {
  const { slack } = twins.town
  const [ana, cleo] = [slack.as('U0ANA'), slack.as('U0CLEO')]
  for (const where of projects) {
    const here = { in: where }
    await ana.types(where, `/endpoint start ${where}-tts`)
    await ana.sees(new RegExp(`^Started ${where}-tts`), here)
    await ana.types(where, '/endpoint stop my-llm')
    if (where === 'search') await ana.presses('Stop my-llm', here)
    else await cleo.presses('Approve: Stop my-llm', here)
    await ana.sees(/^Stopped my-llm\./, here)
    await ana.types(where, `/endpoint protect ${where}-tts because="customers"`)
    await ana.sees(`Protected ${where}-tts`, here)
    for (const line of ['list', 'whoami', 'status my-llm', 'history', 'doctor'])
      await ana.types(where, `/endpoint ${line}`)
  }
  await twins.rest()
}

test('A platform key is sent only to its own platform and appears nowhere else', async () => {
  await work()
  const { town, platforms, keys } = twins
  for (const project of projects) {
    const sent = platforms[project].calls().map(({ key }) => key)
    expect(new Set(sent)).toEqual(new Set([`the key of ${project}`]))
  }
  const places = {
    Slack: JSON.stringify(town.slack.calls()),
    log: town.log(),
    Redis: await dumpOf(inject('redisUrl'), town.prefix),
  }
  expect(findings(places, Object.values(keys))).toEqual([])
})

test('Every Redis key belongs to one project, and no command touches both', async (context) => {
  if (inject('redisKind') === 'in-process') return context.skip('The Redis in JavaScript cannot be monitored.')
  const tags = projects.map((project) => `{${twins.town.prefix}:${project}}`)
  // Read as raw text, because a client may take the answer to MONITOR and the first command for one piece.
  const { hostname, port } = new URL(inject('redisUrl'))
  const monitor = connect(Number(port || 6379), hostname)
  context.onTestFinished(() => void monitor.destroy())
  const heard: string[] = []
  monitor.setEncoding('utf8').on('data', (piece: string) => void heard.push(piece))
  monitor.write('MONITOR\r\n')
  await once(monitor, 'data')
  await work()
  const ofOurs = heard
    .join('')
    .split('\r\n')
    .filter((command) => command.includes(twins.town.prefix))
  for (const tag of tags) expect(ofOurs.filter((command) => command.includes(tag)).length).toBeGreaterThan(50)
  expect(ofOurs.filter((command) => tags.every((tag) => command.includes(tag)))).toEqual([])
  const keys = (await twins.redis.keys('*')).filter((key) => key.includes(twins.town.prefix))
  expect(keys.filter((key) => tags.every((tag) => !key.startsWith(tag)))).toEqual([])
})

test('Each project has its own audit, which is verified by itself', async () => {
  await work()
  const lines: string[] = []
  const papers = { out: (line: string) => void lines.push(line), err: () => undefined, now: twins.town.clock.now() }
  expect(await audit(['verify'], {}, twins.town.configFor('worker'), papers)).toBe(0)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    projects.map((project): unknown => expect.objectContaining({ project, well: true })),
  )
  lines.length = 0
  expect(await audit(['export'], {}, twins.town.configFor('worker'), papers)).toBe(0)
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const exported = join(folder, 'audit.jsonl')
  await writeFile(exported, lines.join('\n'))
  lines.length = 0
  expect(await audit(['verify', exported], {}, twins.town.configFor('worker'), papers)).toBe(0)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    projects.map((project): unknown => expect.objectContaining({ project, well: true })),
  )
  await twins.redis.xdel(`{${twins.town.prefix}:search}:audit`, '3-0')
  lines.length = 0
  expect(await audit(['verify'], {}, twins.town.configFor('worker'), papers)).toBe(1)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ project: 'search', well: false }),
    expect.objectContaining({ project: 'speech', well: true }),
  ])
})
