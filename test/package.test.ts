import { execFile, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { holdLeash } from '../sandbox/leash.ts'
import { fence, readPages } from './support/pages.ts'
import { startTown } from './support/town.ts'

const run = promisify(execFile)
const name = `lamplighter-${packageJson.version}.tgz`

let place: string
let tarball: string
let machine: NodeJS.ProcessEnv

/** npx runs a local package only if no parent folder is a project. */
async function outsideOfProjects(): Promise<string> {
  const isInProject = (folder: string): boolean =>
    ['package.json', 'node_modules'].some((one) => existsSync(join(folder, one))) ||
    (folder !== dirname(folder) && isInProject(dirname(folder)))
  const base = [tmpdir(), '/var/tmp', homedir()].find((folder) => existsSync(folder) && !isInProject(folder))
  if (base === undefined) throw new Error('Every folder for temporary files is in a project.')
  return mkdtemp(join(base, 'lamplighter-package-'))
}

/** Returns the environment of a machine with only Node, npm and a shell on its PATH, and npm offline. */
async function bareMachine(): Promise<NodeJS.ProcessEnv> {
  const [bin, home] = [join(place, 'bin'), join(place, 'home')]
  await Promise.all([mkdir(bin), mkdir(home)])
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const program of ['sh', 'cat', 'rm', 'npm', 'npx']) {
    const file = folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
    if (file === undefined) throw new Error(`This test needs ${program}.`)
    await symlink(realpathSync(file), join(bin, program))
  }
  await symlink(process.execPath, join(bin, 'node'))
  const prefix = join(place, 'prefix')
  const npm = { npm_config_offline: 'true', npm_config_update_notifier: 'false', npm_config_prefix: prefix }
  return { PATH: [bin, join(prefix, 'bin')].join(delimiter), HOME: home, ...npm }
}

beforeAll(async () => {
  place = await outsideOfProjects()
  machine = await bareMachine()
  await run('npm', ['run', 'package', '--', place])
  tarball = join(place, name)
})
afterAll(() => rm(place, { recursive: true, force: true }))

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(place, 'empty-'))
  await cp(tarball, join(folder, name))
  return folder
}

/** Runs a shell line until its output matches `until` or it ends. The whole process group ends with the test. */
async function begin(folder: string, line: string, until = /$^/) {
  const child = spawn('sh', ['-c', line], { cwd: folder, env: machine, detached: true })
  const group = -(child.pid ?? 0)
  const release = holdLeash(group, null)
  let said = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const found = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        said += String(bytes)
        if (until.test(said)) resolve()
      })
  })
  function signal(kind: NodeJS.Signals): void {
    try {
      process.kill(group, kind)
    } catch {
      // The group has already ended.
    }
  }
  async function end(): Promise<void> {
    signal('SIGTERM')
    await ended
  }
  onTestFinished(async () => {
    signal('SIGKILL')
    await release()
  })
  await Promise.race([found, ended])
  return { said: () => said, ended, end, npx: (kind: NodeJS.Signals) => child.kill(kind) }
}

test('the package contains what it needs without sources, and has no dependencies', async () => {
  const { stdout: listed } = await run('tar', ['-tzf', tarball])
  const files = listed
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''))
  expect(files.filter((path) => /\.(ts|map|v8)$/.test(path))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['dist/main.js', 'dist/sandbox/demo.js', 'manifest.yml', 'LICENSES']))
  const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json'])
  expect(Object.keys(JSON.parse(stdout))).toEqual([
    'name',
    'version',
    'description',
    'license',
    'type',
    'engines',
    'bin',
  ])
  expect((await stat(tarball)).size).toBeLessThan(2_000_000)
})

test('the pages of the package link only to files that it contains, except the guide to the sources', async () => {
  const folder = await emptyFolder()
  await run('tar', ['-xzf', tarball, '-C', folder])
  const missing = (await readPages()).flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].flatMap(([, link = '']) => {
      const linked = join(dirname(path), link)
      return path === 'src/README.md' || existsSync(join(folder, 'package', linked)) ? [] : [linked]
    }),
  )
  expect(missing).toEqual(['src/README.md'])
  for (const { path } of await readPages())
    if (path !== 'src/README.md') expect(existsSync(join(folder, 'package', path)), path).toBe(true)
})

test('the demo runs in an empty folder on a machine that has only Node', async () => {
  const folder = await emptyFolder()
  expect(await linesOf('demo')).toEqual([`npx --yes ./${name} demo`])
  const demo = await begin(folder, `exec npx --yes ./${name} demo`, /Open +http.*\n[\s\S]*Ctrl-C/)
  const [, address = ''] = /Open +(http:\S+)/.exec(demo.said()) ?? []
  expect(address, demo.said()).not.toBe('')
  expect(demo.said()).toContain('IN MEMORY ONLY')
  for (const path of ['', 'page/main.js', 'page/frame.css'])
    expect((await fetch(path === '' ? address : new URL(path, address))).status).toBe(200)
  const [, api = ''] = /Programs +(http:\S+)/.exec(demo.said()) ?? []
  expect((await fetch(`${api}/v1/openapi.json`)).status).toBe(200)
  // Only npx gets the signal, as from a user who does not know about its children.
  demo.npx('SIGTERM')
  await expect
    .poll(() =>
      fetch(address).then(
        () => 'open',
        () => 'gone',
      ),
    )
    .toBe('gone')
  expect(await readdir(folder)).toEqual([basename(tarball)])
})

test('the package is installed, checked and started as docs/install.md says, and answers', async () => {
  const lines = await linesOf('npm install --global')
  expect(lines).toContain(`npm install --global ./${name}`)
  const env = { LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const town = await startTown({ roles: [], env })
  onTestFinished(() => town.stop())
  const folder = await emptyFolder()
  const settings = Object.entries({ ...town.env, LAMPLIGHTER_CONFIG: 'lamplighter.yaml' })
  await writeFile(join(folder, '.env'), settings.map(([key, value]) => `${key}='${value}'\n`).join(''))
  await cp(town.env['LAMPLIGHTER_CONFIG'] ?? '', join(folder, 'lamplighter.yaml'))
  for (const line of lines.slice(0, -1)) {
    const step = await begin(folder, line)
    expect(await step.ended, `${line}: ${step.said()}`).toBe(0)
  }
  const product = await begin(folder, lines.at(-1) ?? '', /"msg":"ready"/)
  expect(product.said()).toContain('"role":"all"')
  const ana = town.slack.as('U0ANA')
  await ana.types('ops', '/endpoint list')
  await ana.sees('my-llm', { in: 'ops' })
  await product.end()
  expect(product.said()).toContain('"msg":"stopped"')
})

test('the help names commands the way the package was started, and --version prints the version', async () => {
  const folder = await emptyFolder()
  const help = await begin(folder, `npx ./${name}`)
  expect(await help.ended, help.said()).toBe(0)
  expect(help.said()).toContain(`npx --yes ./${name} [COMMAND]\n`)
  for (const word of ['demo', 'start', 'check', 'doctor', 'audit'])
    expect(help.said()).toMatch(new RegExp(`^  ${word}\\b`, 'm'))
  const start = await begin(folder, `npx ./${name} start worker`)
  expect(await start.ended).toBe(1)
  expect(start.said()).toContain(`npx --yes ./${name} init`)
  const version = await begin(folder, `npx --yes ./${name} --version`)
  expect(await version.ended, version.said()).toBe(0)
  expect(version.said()).toContain(`${packageJson.version}\n`)
})

/** Returns the lines of the block of docs/install.md that contains `text`. */
async function linesOf(text: string): Promise<string[]> {
  const page = (await readPages()).find(({ path }) => path === 'docs/install.md')
  const blocks = [...(page?.text ?? '').matchAll(fence)].map(([, , , code = '']) => code)
  return (blocks.find((code) => code.includes(text)) ?? '').trim().split('\n')
}
