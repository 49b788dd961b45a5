import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import packageJson from '../package.json' with { type: 'json' }
import { freePort } from '../sandbox/redis/port.ts'
import { readConfig } from '../src/config/config.ts'
import { editorSchema } from '../src/config/policy-file/schema.ts'
import { startOps } from '../src/ops/metrics.ts'
import { createReadiness, needsOf } from '../src/ops/readiness.ts'
import { startTown } from './support/town.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('npm start', () => {
  let project: string
  beforeEach(async () => {
    project = await smallProject()
  })

  test('builds only if the bundle is missing or outdated, and passes on the role and the exit code', async () => {
    expect(await start('worker')).toMatchObject({ code: 7, stdout: 'first worker\n' })
    const before = await built()
    await start('bot')
    expect(await built()).toBe(before)
    const sources = ['src', 'src/main.ts', 'generated', 'generated/api.ts', 'package-lock.json', 'scripts/build.mjs']
    let last = 'first'
    for (const name of ['src/main.ts', 'generated/api.ts', 'package-lock.json']) {
      await writeFile(join(project, 'src/main.ts'), main(name))
      const [old, fresh] = [-60_000, 60_000].map((by) => new Date(Date.now() + by)) as [Date, Date]
      for (const file of sources) await utimes(join(project, file), old, old)
      expect(await start('bot')).toMatchObject({ stdout: `${last} bot\n` })
      await utimes(join(project, name), fresh, fresh)
      expect(await start('bot')).toMatchObject({ stdout: `${name} bot\n` })
      last = name
    }
    // Without sources, as in the image, it runs the existing bundle.
    await rm(join(project, 'src'), { recursive: true })
    await rm(join(project, 'node_modules'))
    expect(await start('bot')).toMatchObject({ code: 7, stdout: `${last} bot\n` })
  })

  test('reads settings from .env unless they are already set, and names a file that it cannot read', async () => {
    await writeFile(
      join(project, 'src/main.ts'),
      "process.stdout.write([process.env['FROM_FILE'], process.env['PATH'] === 'file'].join())\n",
    )
    await writeFile(join(project, '.env'), 'FROM_FILE=yes # of its own\nPATH=file\n')
    expect(await start('bot')).toMatchObject({ code: 0, stdout: 'yes,false' })
    await rm(join(project, '.env'))
    await mkdir(join(project, '.env'))
    expect(await start('bot')).toMatchObject({ code: 1, stderr: expect.stringContaining('.env cannot be read') })
  })

  test('says what to install when it cannot build', async () => {
    await rm(join(project, 'node_modules'))
    expect(await start('bot')).toMatchObject({ code: 1, stderr: expect.stringContaining('`npm ci`') })
  })

  test('passes on the signal that ends it', async () => {
    await writeFile(
      join(project, 'src/main.ts'),
      "process.once('SIGTERM', () => { process.stdout.write('gently'); clearInterval(stay) })\n" +
        "const stay = setInterval(() => {}, 1000)\nprocess.stdout.write('ready ')\n",
    )
    const ways = [
      ['node', ['scripts/start.mjs']],
      // A shell between npm and the product would take the signal for itself.
      ['sh', ['-c', packageJson.scripts.start]],
    ] as const
    for (const [word, words] of ways) {
      const child = spawn(word, words, { cwd: project })
      onTestFinished(() => void child.kill('SIGKILL'))
      let said = ''
      child.stdout.on('data', (bytes: Buffer) => {
        if (said === '') child.kill('SIGTERM')
        said += String(bytes)
      })
      const [code] = await once(child, 'close')
      expect([word, code, said]).toEqual([word, 0, 'ready gently'])
    }
  })

  test('keeps letters of other scripts, even in regular expressions', async () => {
    await writeFile(
      join(project, 'src/main.ts'),
      "console.log(/을(를)/.test('을를'), '가나다'.split(/나/).join('–'))\n",
    )
    const { stdout } = await start('bot')
    expect(stdout).toBe('true 가–다\n')
  })

  test('refuses to build a product that contains the sandbox', async () => {
    await mkdir(join(project, 'sandbox'))
    await writeFile(join(project, 'sandbox/fake.ts'), 'export const fake = true\n')
    await writeFile(join(project, 'src/main.ts'), "import { fake } from '../sandbox/fake.ts'\nconsole.log(fake)\n")
    const { code, stderr } = await start('bot')
    expect(code).toBe(1)
    expect(stderr).toContain('must not contain the sandbox, but something imports sandbox/fake.ts')
  })

  test('can run twice at the same time', async () => {
    const both = await Promise.all([start('bot'), start('worker')])
    expect(both.map(({ stdout }) => stdout)).toEqual(['first bot\n', 'first worker\n'])
    expect((await readdir(join(project, 'dist'))).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  function start(role: string): Promise<Ended> {
    return run(process.execPath, ['scripts/start.mjs', role], project)
  }
  async function built(): Promise<number> {
    return (await stat(join(project, 'dist/main.js'))).mtimeMs
  }
})

test('.env.example lists every variable of docs/operate.md, and the one of Compose', async () => {
  const names = (text: string, shape: RegExp) => new Set([...text.matchAll(shape)].map(([, name]) => name))
  const [docs, example] = await Promise.all(['docs/operate.md', '.env.example'].map((file) => readFile(file, 'utf8')))
  const rows = (docs ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const described = names(rows.map((line) => line.split('|')[1]).join(), /`([A-Z][A-Z_]+)`/g)
  described.delete('LAMPLIGHTER_ENV_FILE')
  expect(names(example ?? '', /^#?([A-Z][A-Z_]+)=/gm)).toEqual(described.add('REDIS_PASSWORD'))
})

describe('The Dockerfile', () => {
  test('builds an image that contains only the bundle, and says what to configure', async () => {
    const image = await theImage()
    expect((await readdir(image.directory)).toSorted()).toEqual(['audit', 'dist', 'package.json'])
    const { code, stdout, stderr } = await run(process.execPath, [...image.entry, ...image.words], image.directory)
    expect(code).toBeGreaterThan(0)
    expect(stdout + stderr).toContain('Nothing is configured yet.')
    expect(stdout + stderr).not.toContain('    at ')
  })

  test('builds an image whose process no signal opens to an inspector', async () => {
    const [entry = ''] = (await linesOf('Dockerfile')).filter((line) => line.startsWith('ENTRYPOINT'))
    expect(entry).toContain('"--disable-sigusr1", "--disable-proto=delete", "dist/main.js"')
  })

  test('builds an image whose health check passes while the process is ready, and otherwise prints why', async () => {
    expect(await linesOf('Dockerfile')).toContain('ENV LAMPLIGHTER_OPS_PORT=9464')
    const log = { info: () => undefined }
    const ops = await startOps({ host: '127.0.0.1', port: 0, readiness: createReadiness(needsOf.bot, []), log })
    onTestFinished(() => ops.stop())
    const health = () => healthOf(ops.port)
    expect(await health()).toMatchObject({ code: 1, stdout: expect.stringContaining('It is starting.') })
    for (const need of ['storage', 'slack'] as const) ops.meter.probe(need, () => null)
    expect(await health()).toMatchObject({ code: 0, stdout: expect.stringContaining('"ready":true') })
    await ops.stop()
    expect((await health()).code).toBe(1)
  })

  test('builds an image that starts bot and worker, becomes healthy, and stops gracefully', async () => {
    const image = await theImage()
    const town = await startTown({ roles: [] })
    onTestFinished(() => town.stop())
    const port = await freePort()
    const child = spawn(process.execPath, [...image.entry, ...image.words], {
      cwd: image.directory,
      env: { PATH: process.env['PATH'], ...town.env, LAMPLIGHTER_OPS_PORT: String(port) },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await expect.poll(() => healthOf(port)).toMatchObject({ code: 0 })
    const ana = town.slack.as('U0ANA')
    await ana.types('ops', '/endpoint list')
    await ana.sees('my-llm', { in: 'ops' })
    const gone = once(child, 'close')
    child.kill('SIGTERM')
    expect(await gone).toEqual([0, null])
  })

  test('builds an image that can check a policy file, and exits with the result', async () => {
    const image = await theImage()
    const check = () => run(process.execPath, [...image.entry, 'check'], image.directory)
    const file = join(image.directory, 'lamplighter.yaml')
    onTestFinished(() => rm(file, { force: true }))
    await writeFile(file, 'projects: []\n')
    expect(await check()).toEqual({
      code: 1,
      stdout: expect.stringContaining('has a mistake:\n- lamplighter.yaml:1 '),
      stderr: '',
    })
    const [, example = ''] =
      /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(await readFile(join(root, 'docs/policy.md'), 'utf8')) ?? []
    await writeFile(file, example)
    expect(await check()).toEqual({
      code: 0,
      stdout: expect.stringContaining('lamplighter.yaml is valid: 1 project'),
      stderr: '',
    })
  })
})

describe('The tools', () => {
  test('npm run check runs every check, so that CI and people see the same', () => {
    const parts = Object.keys(packageJson.scripts).filter((name) => name.startsWith('check:'))
    expect(packageJson.scripts.check.split(' && ')).toEqual(parts.map((name) => `npm run ${name}`))
  })

  test('the schema for editors matches the policy file’s schema (run scripts/schema.ts)', async () => {
    expect(await readFile(join(root, 'generated/lamplighter.schema.json'), 'utf8')).toBe(editorSchema())
  })

  test('every dependency has an exact version', () => {
    const versions = Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies })
    expect(versions.filter(([, version]) => !/^(npm:(@\w+\/)?\w+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('no package runs scripts during installation', async () => {
    expect(await linesOf('.npmrc')).toEqual(['ignore-scripts=true'])
  })

  // js-redis-server and lua-redis-wasm ask for Node 22 but work on 20, as the tests of the in-process Redis show.
  // The lock file omits their engines because npm has no other place to override them; npm install keeps it that way.
  test('npm ci does not warn about this version of Node', async () => {
    expect((await theImage()).installing).not.toContain('EBADENGINE')
  })

  test('the lock file contains no download URLs, so that it works with every registry', async () => {
    expect(await readFile(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"')
  })
})

describe('compose.yaml', () => {
  const redisFlags = { '--appendonly': 'yes', '--appendfsync': 'always', '--maxmemory-policy': 'noeviction' }
  const service = z.looseObject({
    image: z.string(),
    command: z.union([z.string(), z.array(z.string())]),
    environment: z.record(z.string(), z.string()),
    env_file: z.unknown().optional(),
    ports: z.array(z.string()).optional(),
    volumes: z.array(z.unknown()),
  })
  const file = z.object({
    services: z.object({ redis: service, bot: service, worker: service, api: service }),
    volumes: z.looseObject({}),
  })

  async function composed() {
    return file.parse(parse(await readFile(join(root, 'compose.yaml'), 'utf8'), { merge: true }))
  }

  test('runs one bot, one worker and a Redis that persists its data; only the API, if wanted, opens a port', async () => {
    const { services } = await composed()
    expect(services.bot.command).toBe('bot')
    expect(services.worker.command).toBe('worker')
    expect(services.redis.volumes).toEqual(['redis:/data'])
    const words = services.redis.command
    for (const [name, value] of Object.entries(redisFlags)) expect(words[words.indexOf(name) + 1]).toBe(value)
    const { api, ...usual } = services
    for (const one of Object.values(usual))
      for (const name of ['ports', 'profiles']) expect(one).not.toHaveProperty(name)
    expect(api).toMatchObject({
      profiles: ['api'],
      command: 'api',
      ports: ['127.0.0.1:$' + '{LAMPLIGHTER_API_PORT:-8080}:8080'],
      environment: { LAMPLIGHTER_API_PORT: '8080', LAMPLIGHTER_API_HOST: '0.0.0.0', SLACK_APP_TOKEN: '', PORT: '' },
    })
  })

  test('protects Redis with a password, and gives it to all others', async () => {
    const { redis, ...others } = (await composed()).services
    const needed = redis.command[redis.command.indexOf('--requirepass') + 1]
    expect(needed).toMatch(/^\$\{REDIS_PASSWORD:\?/)
    expect(redis.environment['REDISCLI_AUTH']).toBe(`\${REDIS_PASSWORD}`)
    for (const { environment } of Object.values(others))
      expect(environment['REDIS_URL']).toBe(`redis://:\${REDIS_PASSWORD}@redis:6379`)
  })

  test('gives the bot and the API every variable that they read, and no platform key even if .env has one', async () => {
    const { bot, worker, api } = (await composed()).services
    for (const one of [bot, api]) expect(one.env_file).toBeUndefined()
    expect(worker.env_file).toBe('.env')
    // The platform's variables are for calls; the rest is for the sandbox, other storage, or the worker's directory.
    // To mount a value as a file, people add both to the service. Proxies also have upper-case names.
    const others = /^PLATFORM_(BASE_URL|API_KEY|SCALE_FIELD)$|_(REDIS_MAY_FORGET|AUDIT_DIR|FILE)$|^[a-z]/
    const given = Object.keys(bot.environment)
    expect(given.toSorted()).toEqual(readBy('bot').filter((name) => !others.test(name)))
    expect(Object.keys(api.environment)).toEqual(
      expect.arrayContaining(readBy('api').filter((name) => !others.test(name))),
    )
    expect(Object.keys(api.environment).filter((name) => others.test(name))).toEqual([])
    expect(worker.environment).toMatchObject({ SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: '' })
  })

  test('limits the resources of each service, and keeps the audit’s anchors in a volume', async () => {
    const { services, volumes } = await composed()
    const { redis: _, ...product } = services
    for (const one of Object.values(services))
      expect(one).toMatchObject({
        pids_limit: expect.any(Number),
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        security_opt: ['no-new-privileges:true'],
      })
    for (const one of Object.values(product))
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: [expect.stringMatching(/^\/tmp:size=/)] })
    const directory = services.worker.environment['LAMPLIGHTER_AUDIT_DIR']
    expect(services.worker.volumes).toContain(`audit:${directory}`)
    expect(Object.keys(volumes)).toEqual(['redis', 'audit'])
    const image = await theImage()
    expect(join('/app', 'audit')).toBe(directory)
    expect((await stat(join(image.directory, 'audit'))).mode & 0o777).toBe(0o700)
  })

  test('lets the images of build and run be pinned by digest', async () => {
    const { redis, bot } = (await composed()).services
    expect(redis.image).toBe('$' + '{REDIS_IMAGE:-redis:8}')
    expect(bot).toMatchObject({ build: { args: { NODE_IMAGE: '$' + '{NODE_IMAGE:-node:24-slim}' } } })
    const bases = (await linesOf('Dockerfile')).filter((line) => line.startsWith('FROM '))
    expect(bases.map((line) => line.split(' ')[1])).toEqual(['$' + '{NODE_IMAGE}', '$' + '{NODE_IMAGE}'])
  })
})

/** Returns the names of all variables that a role's configuration reads, in Socket Mode and over HTTP. */
function readBy(role: 'bot' | 'api'): string[] {
  const asked = new Set<string>()
  const own = { SLACK_BOT_TOKEN: 'xoxb-1', REDIS_URL: 'redis://redis:6379', LAMPLIGHTER_API_PORT: '1' }
  for (const mode of [{ SLACK_APP_TOKEN: 'xapp-1' }, { SLACK_SIGNING_SECRET: 's', PORT: '1' }]) {
    const held: Record<string, string> = { ...own, ...mode }
    const env = new Proxy(held, {
      get(target, name) {
        asked.add(String(name))
        return target[String(name)]
      },
    })
    readConfig(env, role, () => null)
  }
  return [...asked].toSorted()
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Stage {
  readonly directory: string
  /** The stderr of npm ci. */
  readonly installing: string
  /** The arguments after `node` when a container starts, without flags unknown to this Node. */
  readonly entry: readonly string[]
  readonly words: readonly string[]
}

/** Runs the image's health check against the process that listens on this port. */
async function healthOf(port: number): Promise<Ended> {
  const line = (await linesOf('Dockerfile')).find((one) => one.startsWith('HEALTHCHECK ')) ?? ''
  const command = z
    .tuple([z.literal('node'), z.literal('-e'), z.string()])
    .parse(JSON.parse(line.split(' CMD ')[1] ?? ''))
  return run(process.execPath, command.slice(1), root, { LAMPLIGHTER_OPS_PORT: String(port) })
}

let made: Promise<Stage> | undefined
const stageDirectories: string[] = []
afterAll(() => Promise.all(stageDirectories.map((directory) => rm(directory, { recursive: true, force: true }))))

/** Returns the image that all tests share; none of them leaves files in it. */
function theImage(): Promise<Stage> {
  made ??= buildImage()
  return made
}

/**
 * Follows the Dockerfile in empty directories, one per stage, because the tests run without a container engine.
 * `npm ci` is a dry run plus a link to the installed packages; base images, users and the like are left out.
 */
async function buildImage(): Promise<Stage> {
  const stages = new Map<string, string>()
  let directory = ''
  let installing = ''
  let [entry, words]: string[][] = [[], []]
  for (const line of await linesOf('Dockerfile')) {
    const [verb = '', ...rest] = line.split(/\s+/)
    if (verb === 'ARG') {
      expect(line).toBe('ARG NODE_IMAGE=node:24-slim')
    } else if (verb === 'FROM') {
      directory = await emptyDirectory()
      stageDirectories.push(directory)
      stages.set(rest[2] ?? 'final', directory)
    } else if (verb === 'COPY') {
      await copy(rest, directory, stages)
    } else if (line === 'RUN npm ci') {
      const dry = await run('npm', ['ci', '--dry-run', '--offline'], directory)
      expect(dry, dry.stderr).toMatchObject({ code: 0 })
      installing = dry.stderr
      await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
    } else if (verb === 'RUN') {
      const [program = '', ...more] = line.replace(' -o node -g node', '').split(' ').slice(1)
      const step = await run(program, more, directory)
      expect(step, `${line}: ${step.stderr}`).toMatchObject({ code: 0 })
    } else if (verb === 'ENTRYPOINT') {
      entry = z.tuple([z.literal('node')], z.string()).parse(JSON.parse(line.slice(verb.length)))
    } else if (verb === 'CMD') {
      words = z.array(z.string()).parse(JSON.parse(rest.join(' ')))
    } else {
      expect(['WORKDIR', 'ENV', 'USER', 'STOPSIGNAL', 'HEALTHCHECK']).toContain(verb)
    }
  }
  const known = (flag: string) => !flag.startsWith('--') || process.allowedNodeEnvironmentFlags.has(flag.split('=')[0]!)
  return { directory, installing, entry: (entry ?? []).slice(1).filter(known), words: words ?? [] }
}

/** Runs `COPY [--from=stage] source… target`, and applies `.dockerignore` to files from outside. */
async function copy(words: readonly string[], directory: string, stages: ReadonlyMap<string, string>): Promise<void> {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const stage = from === undefined ? undefined : stages.get(from)
  const paths = words.filter((word) => !word.startsWith('--')).map((path) => path.replace(/^\/app\//, ''))
  const target = paths.pop() ?? '.'
  const ignored = await ignores()
  for (const path of paths) {
    await cp(join(stage ?? root, path), join(directory, target.endsWith('/') ? join(target, path) : target), {
      recursive: true,
      filter: (file) => stage !== undefined || !ignored(file.slice(root.length)),
    })
  }
}

/** Parses `.dockerignore`: the last line that matches a path decides. */
async function ignores(): Promise<(path: string) => boolean> {
  const patterns = await linesOf('.dockerignore')
  return (path) => {
    const last = patterns.findLast((pattern) => {
      const name = pattern.replace(/^!/, '')
      return name === '*' || path === name || path.startsWith(`${name}/`)
    })
    return last !== undefined && !last.startsWith('!')
  }
}

async function linesOf(name: string): Promise<string[]> {
  const lines = (await readFile(join(root, name), 'utf8')).split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** Runs a command to its end with only PATH from our environment, as in a newcomer's shell. */
async function run(command: string, words: readonly string[], cwd: string, env = {}): Promise<Ended> {
  const child = spawn(command, words, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += String(bytes)
  })
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += String(bytes)
  })
  const [code] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : null, stdout, stderr }
}

/** Creates a project with our scripts and a one-line product. */
async function smallProject(): Promise<string> {
  const project = await temporary()
  await cp(join(root, 'scripts'), join(project, 'scripts'), { recursive: true })
  await mkdir(join(project, 'src'))
  await mkdir(join(project, 'generated'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }\n')
  await writeFile(join(project, 'package-lock.json'), '{}\n')
  await writeFile(join(project, 'generated/api.ts'), 'export {}\n')
  await writeFile(join(project, 'src/main.ts'), main('first'))
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
  return project
}

function main(word: string): string {
  return `process.stdout.write('${word} ' + process.argv[2] + '\\n')\nprocess.exitCode = 7\n`
}

async function temporary(): Promise<string> {
  const directory = await emptyDirectory()
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function emptyDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'lamplighter-test-'))
}
