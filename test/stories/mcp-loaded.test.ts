import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../sandbox/redis/port.ts'
import { buildProduct, type Child, startChild } from '../support/child.ts'
import { tokenOf } from '../support/programs.ts'
import { policyOf, startTown } from '../support/town.ts'

/* MCP needs a package of its own, which only the first call of /mcp may load. */

const policy = policyOf(`
    roles: { viewer: [everyone], operator: [user:U0ANA] }
    tokens: [user:U0ANA]
`)
const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** Logs the loaded files on a signal. */
const telling = `
import { createRequire } from 'node:module'
const { cache } = createRequire('/')
process.on('SIGUSR2', () => console.log('loaded ' + Object.keys(cache).join() + ' so far'))
`

beforeAll(buildProduct)

async function loadedBy(child: Child): Promise<string> {
  const before = child.log().length
  child.signal('SIGUSR2')
  await expect.poll(() => child.log().slice(before)).toMatch(/loaded .* so far/)
  return /loaded (.*) so far/.exec(child.log().slice(before))?.[1] ?? ''
}

test('The MCP package is a file of its own that the API loads at the first call of /mcp', async ({
  onTestFinished,
}) => {
  const files = (await readdir(dist)).filter((name) => name.endsWith('.cjs'))
  const has = async (name: string) =>
    (await readFile(join(dist, name), 'utf8')).includes('node_modules/@modelcontextprotocol/server')
  const holding = (await Promise.all(files.map(has))).flatMap((holds, at) => (holds ? files[at] : []))
  expect(holding).toEqual([expect.stringMatching(/^mcp-/)])

  const [port, LAMPLIGHTER_KEY] = [await freePort(), randomBytes(32).toString('base64')]
  const town = await startTown({ policy, roles: [], env: { LAMPLIGHTER_KEY } })
  onTestFinished(() => town.stop())
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}` }
  const start = async (role: 'bot' | 'worker' | 'api', more = {}) => {
    const child = await startChild(town, role, { ...env, ...more })
    onTestFinished(() => child.stop())
    return child
  }
  const others = [await start('worker'), await start('bot')]
  const api = await start('api', { LAMPLIGHTER_API_PORT: String(port) })

  const token = await tokenOf(town, 'U0ANA', 'token new agent')
  const call = (path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  expect((await call('/v1/me')).status).toBe(200)
  const [file = ''] = holding
  expect(await loadedBy(api)).not.toContain(file)
  const listed = await call('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect(await listed.text()).toContain('"propose"')
  expect(await loadedBy(api)).toContain(file)
  for (const other of others) expect(await loadedBy(other)).not.toContain(file)
})
