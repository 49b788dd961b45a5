import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from '../src/config/config.ts'
import { findHelm } from './support/helm.ts'
import { fence, readPages } from './support/pages.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

interface Kinds {
  ConfigMap: ConfigMap
  Deployment: Deployment
  PodDisruptionBudget: PodDisruptionBudget
  Service: Service
}
type Manifest = Kinds[keyof Kinds]

describe('The Helm chart', () => {
  const policy = `operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles: { viewer: [everyone] }
`
  const address = 'https://api.example.org/external/api/v1'
  const usual = {
    image: { repository: 'registry.example.org/lamplighter', tag: '1' },
    policy,
    env: { worker: { PLATFORM_BASE_URL: address } },
  }
  const everything = {
    ...usual,
    image: { ...usual.image, pullSecrets: [{ name: 'registry' }] },
    env: { ...usual.env, all: { LAMPLIGHTER_PREFIX: 'gpu' } },
    secret: { bot: ['SLACK_SIGNING_SECRET'] },
    http: { enabled: true },
    api: { enabled: true },
    audit: { claim: 'audit' },
  }
  let helm: Awaited<ReturnType<typeof findHelm>>
  beforeAll(async () => {
    helm = await findHelm()
  })

  /** Returns the output of `helm template` for these values. */
  async function rendered({ skip }: TestContext, values: object): Promise<Manifest[]> {
    if ('why' in helm) return skip(helm.why)
    const file = join(await temporary(), 'values.json')
    await writeFile(file, JSON.stringify(values))
    const { stdout } = await run(helm.helm, ['template', 'lamps', 'deploy/helm', '--values', file], { cwd: root })
    return parseAllDocuments(stdout).map((one) => one.toJS() as Manifest)
  }

  function pick<Kind extends keyof Kinds>(manifests: readonly Manifest[], kind: Kind, name: string): Kinds[Kind] {
    const found = manifests.find((one) => one.kind === kind && one.metadata?.name === name)
    if (found === undefined) throw new Error(`There is no ${kind} ${name}.`)
    return found as Kinds[Kind]
  }

  function podOf(manifests: readonly Manifest[], role: string) {
    const spec = pick(manifests, 'Deployment', `lamps-${role}`).spec?.template.spec
    const [container] = spec?.containers ?? []
    if (spec === undefined || container === undefined) throw new Error(`The ${role} has no container.`)
    return { spec, container, env: container.env ?? [] }
  }

  const sets = [
    ['usual', usual, ['bot', 'worker']],
    ['all', everything, ['bot', 'worker', 'api']],
  ] as const

  test('renders usual and all values to manifests that Kubernetes accepts, without unknown fields', async (context) => {
    const manifests = await Promise.all(sets.map(([, values]) => rendered(context, values)))
    expect(await mistakesIn(manifests.flat())).toEqual([])
  })

  for (const [title, values, roles] of sets) {
    test(`gives each role with ${title} values the variables it reads, and secrets only by reference`, async (context) => {
      const manifests = await rendered(context, values)
      expect(pick(manifests, 'ConfigMap', 'lamps').data).toEqual({ 'lamplighter.yaml': policy })
      const started = manifests.flatMap(({ kind, metadata }) => (kind === 'Deployment' ? [metadata?.name] : []))
      expect(started).toEqual(roles.map((role) => `lamps-${role}`))
      for (const role of roles) {
        const { env } = podOf(manifests, role)
        const secrets = env.filter(({ valueFrom }) => valueFrom !== undefined)
        for (const { name, value, valueFrom } of secrets) {
          expect(value).toBeUndefined()
          expect(valueFrom).toEqual({ secretKeyRef: { name: 'lamplighter', key: name } })
        }
        expect(secrets.some(({ name }) => name === 'PLATFORM_API_KEY')).toBe(role === 'worker')
        const held = Object.fromEntries(env.map(({ name, value }) => [name, value ?? sampleOf(name)]))
        expect(readConfig(held, role, () => policy).api).toEqual(
          role === 'api' ? { host: '0.0.0.0', port: 8080, signingSecret: undefined } : undefined,
        )
      }
    })
  }

  test('probes each pod on its ops port, and evicts one pod of a role at a time', async (context) => {
    const manifests = await rendered(context, { ...usual, api: { enabled: true }, opsPort: 9999 })
    for (const role of ['bot', 'worker', 'api']) {
      const { container, env } = podOf(manifests, role)
      expect(container.args).toEqual([role])
      const own = role === 'api' ? [{ name: 'api', containerPort: 8080 }] : []
      expect(container.ports).toEqual([{ name: 'ops', containerPort: 9999 }, ...own])
      expect(env).toContainEqual({ name: 'LAMPLIGHTER_OPS_PORT', value: '9999' })
      expect(env).toContainEqual({ name: 'LAMPLIGHTER_OPS_HOST', value: '0.0.0.0' })
      expect(container.lifecycle?.preStop?.exec?.command).toEqual(role === 'api' ? ['sleep', '3'] : undefined)
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'ops' })
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'ops' })
      const { spec } = pick(manifests, 'Deployment', `lamps-${role}`)
      const budget = pick(manifests, 'PodDisruptionBudget', `lamps-${role}`)
      expect(budget.spec).toMatchObject({ maxUnavailable: 1, selector: spec?.selector })
      expect(spec?.template.metadata?.labels).toEqual(spec?.selector.matchLabels)
    }
  })

  test('runs pods as non-root users that can write only to the folders they need', async (context) => {
    for (const role of ['bot', 'worker', 'api']) {
      const { spec, container } = podOf(await rendered(context, everything), role)
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const writable = container.volumeMounts?.filter(({ readOnly }) => readOnly !== true).map((one) => one.mountPath)
      expect(writable).toEqual(role === 'worker' ? ['/tmp', '/app/audit'] : ['/tmp'])
    }
  })

  for (const [role, containerPort] of [
    ['bot', 3000],
    ['api', 8080],
  ] as const)
    test(`serves HTTP from the pods of the ${role} if enabled`, async (context) => {
      const name = `lamps-${role}`
      const manifests = await rendered(context, everything)
      const { spec } = pick(manifests, 'Service', name)
      expect(spec?.selector).toEqual(pick(manifests, 'Deployment', name).spec?.selector.matchLabels)
      const served = { name: spec?.ports?.[0]?.targetPort, containerPort }
      expect(podOf(manifests, role).container.ports).toContainEqual(served)
      expect((await rendered(context, usual)).map(({ kind }) => kind)).not.toContain('Service')
    })

  test('refuses values that are missing, unknown or of the wrong type', async (context) => {
    const mistakes = [
      [{}, "at '/image/repository'"],
      [{ ...usual, polizy: '' }, "additional properties 'polizy' not allowed"],
      [{ ...usual, env: { bot: { PORT: 3000 } } }, "at '/env/bot/PORT': got number, want string"],
    ] as const
    for (const [values, says] of mistakes) await expect(rendered(context, values)).rejects.toThrow(says)
  })

  test('has the product’s version', async () => {
    const chart = parse(await readFile(join(root, 'deploy/helm/Chart.yaml'), 'utf8'))
    expect(chart).toMatchObject({ version: packageJson.version, appVersion: packageJson.version })
  })
})

test('A manifest with a field unknown to Kubernetes is noticed', async () => {
  const spec = { maxUnavailable: 1, maxUnavailible: 1 }
  const wrong = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec } as const
  expect(await mistakesIn([wrong])).toEqual([expect.stringContaining('maxUnavailible')])
})

describe('The systemd unit', () => {
  const unit = join(root, 'deploy/lamplighter@.service')
  const systemd = (words: readonly string[]) =>
    run('systemd-analyze', [...words], { env: { ...process.env, LC_ALL: 'C' } })

  test('is valid for systemd without a warning', async ({ skip }) => {
    const { stderr } = await systemd(['verify', '--recursive-errors=no', unit]).catch(withoutSystemd(skip))
    expect(stderr).toBe('')
  })

  test('restricts the process enough for systemd’s security check', async ({ skip }) => {
    const words = ['security', '--offline=true', '--no-pager', '--threshold=20', unit]
    const { stdout } = await systemd(words).catch(withoutSystemd(skip))
    expect(stdout).toContain('OK')
  })
})

describe('docs/install.md', () => {
  /** A machine without the programs of the page: each is replaced by a script that records its calls. */
  async function machine() {
    const folder = await temporary()
    const bin = join(folder, 'bin')
    const calls = join(folder, 'calls')
    await Promise.all(
      ['bin', 'etc/systemd/system', 'npm/lamplighter'].map((name) => mkdir(join(folder, name), { recursive: true })),
    )
    const note = `printf '%s\\n' "$(basename "$0") $*" >>'${calls}'`
    const programs = {
      docker: note,
      helm: note,
      journalctl: note,
      kubectl: note,
      systemctl: note,
      npm: `if [ "$1" = root ]; then echo '${folder}/npm'; else ${note}; fi`,
      sudo: 'exec "$@"',
      // Reads the files of this folder instead of /etc.
      node: `for word; do shift; case $word in --env-file=/etc/*) word=--env-file='${folder}'"$\{word#*=}";; esac; set -- "$@" "$word"; done\nexec '${process.execPath}' "$@"`,
      // Installs into this folder instead of /etc.
      install: `for word; do shift; case $word in /etc/*) word='${folder}'$word;; esac; set -- "$@" "$word"; done\nexec ${await programAt('install')} "$@"`,
    }
    for (const [name, text] of Object.entries(programs))
      await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    await symlink(join(root, 'deploy'), join(folder, 'npm/lamplighter/deploy'))
    await symlink(join(root, 'deploy'), join(folder, 'deploy'))
    for (const name of ['env', 'worker.env', 'lamplighter.yaml', 'secret.env']) await writeFile(join(folder, name), '')
    return {
      folder,
      /** Runs the page's block that contains `text`, and returns the recorded calls. */
      follow: async (text: string) => {
        await writeFile(calls, '')
        await run('sh', ['-euc', await blockWith(text)], {
          cwd: folder,
          env: { PATH: [bin, process.env['PATH']].join(delimiter) },
        })
        return (await readFile(calls, 'utf8')).trim().split('\n')
      },
    }
  }

  test('uses the service names of compose.yaml', async () => {
    const { services } = parse(await readFile(join(root, 'compose.yaml'), 'utf8'), { merge: true })
    const calls = await (await machine()).follow('docker compose up')
    const named = calls.flatMap((line) => line.split(' ').slice(3)).filter((word) => /^(redis|bot|worker)$/.test(word))
    expect(named).toEqual(['worker', 'bot', 'worker'])
    for (const name of named) expect(Object.keys(services)).toContain(name)
  })

  test('puts every file where the systemd unit looks for it', async () => {
    const { folder, follow } = await machine()
    const calls = await follow('systemctl enable')
    expect(calls).toContain('systemctl enable --now lamplighter@bot lamplighter@worker')
    expect(calls).toContain(`npm install --global ./lamplighter-${packageJson.version}.tgz`)
    const unit = await readFile(join(folder, 'etc/systemd/system/lamplighter@.service'), 'utf8')
    const files = [...unit.matchAll(/^(?:EnvironmentFile=|Environment=LAMPLIGHTER_CONFIG=)-?(.*)$/gm)].map(
      ([, file = '']) => file,
    )
    expect(files).toEqual(['/etc/lamplighter/env', '/etc/lamplighter/%i.env', '/etc/lamplighter/lamplighter.yaml'])
    const modes = files.map(async (file) => (await stat(join(folder, file.replace('%i', 'worker')))).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o644])
  })

  test('runs doctor with the files and the settings of the systemd unit’s worker', async () => {
    const { folder, follow } = await machine()
    const tells = `require('node:fs').appendFileSync('calls', process.argv.slice(2) + JSON.stringify(process.env))`
    await writeFile(join(folder, 'bin/lamplighter'), tells, { mode: 0o755 })
    await mkdir(join(folder, 'etc/lamplighter'))
    await writeFile(join(folder, 'etc/lamplighter/env'), 'REDIS_URL=redis://:a$b&c@redis\n')
    await writeFile(join(folder, 'etc/lamplighter/worker.env'), 'PLATFORM_API_KEY=key\n')
    const [call = ''] = await follow('" doctor')
    expect(call).toMatch(/^doctor\{/)
    const unit = await readFile(join(root, 'deploy/lamplighter@.service'), 'utf8')
    const settings = [...unit.matchAll(/\b(LAMPLIGHTER_\w+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value])
    expect(settings).toHaveLength(3)
    const read = { REDIS_URL: 'redis://:a$b&c@redis', PLATFORM_API_KEY: 'key' }
    expect(JSON.parse(call.slice('doctor'.length))).toMatchObject({ ...Object.fromEntries(settings), ...read })
  })

  test('installs the chart with valid values, and uses its names', async ({ skip }) => {
    const helm = await findHelm()
    if ('why' in helm) return skip(helm.why)
    const { folder, follow } = await machine()
    await writeFile(join(folder, 'values.yaml'), await blockWith('repository:'))
    await writeFile(join(folder, 'lamplighter.yaml'), 'projects: []\n')
    const calls = await follow('helm upgrade')
    const [, words = ''] = /^helm upgrade --install (.*)$/m.exec(calls.join('\n')) ?? []
    const { stdout } = await run(helm.helm, ['template', ...words.split(' ')], { cwd: folder })
    const manifests = parseAllDocuments(stdout).map((one) => one.toJS() as Manifest)
    expect(await mistakesIn(manifests)).toEqual([])
    const secrets = [...(await blockWith('=rediss:')).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
    const wanted = new Set(
      [...stdout.matchAll(/secretKeyRef: \{ name: lamplighter, key: (\w+) \}/g)].map(([, name]) => name),
    )
    expect(new Set(secrets)).toEqual(wanted)
    expect(calls).toContain('kubectl create secret generic lamplighter --from-env-file=secret.env')
    const [, image] = /image: "(.*)"/.exec(stdout) ?? []
    expect(calls).toContain(`docker push ${image}`)
    const named = calls.flatMap((line) => /deployment\/(\S+)/.exec(line)?.[1] ?? [])
    expect(named).toEqual(['lamplighter-worker'])
    for (const name of named) expect(manifests.map((one) => one.metadata?.name)).toContain(name)
  })
})

async function blockWith(text: string): Promise<string> {
  const page = (await readPages()).find(({ path }) => path === 'docs/install.md')
  const code = [...(page?.text ?? '').matchAll(fence)].map(([, , , one = '']) => one).find((one) => one.includes(text))
  if (code === undefined) throw new Error(`docs/install.md has no block with ${text}.`)
  return code
}

async function programAt(name: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${name}`])).stdout.trim()
}

function withoutSystemd(skip: TestContext['skip']) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOENT') return skip('There is no systemd-analyze here.')
    throw error
  }
}

function sampleOf(name: string): string {
  const samples: Record<string, string> = {
    REDIS_URL: 'redis://:secret@redis.example.org:6379',
    LAMPLIGHTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
  }
  return samples[name] ?? 'sample'
}

/** Returns the type errors of these manifests, written as literals, against the types of the Kubernetes API. */
async function mistakesIn(manifests: readonly Manifest[]): Promise<string[]> {
  const folder = await temporary()
  const groups = { ConfigMap: 'core/v1', Deployment: 'apps/v1', PodDisruptionBudget: 'policy/v1', Service: 'core/v1' }
  const lines = manifests.map(
    (one, index) =>
      `export const m${index}: import('kubernetes-types/${groups[one.kind ?? 'Service']}').${one.kind} = ${JSON.stringify(one)}`,
  )
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: 'preserve',
    paths: { 'kubernetes-types/*': [join(root, 'node_modules/kubernetes-types/*')] },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }))
  const compiler = join(root, 'node_modules/.bin/tsc')
  const said = await run(compiler, ['-p', folder, '--pretty', 'false']).catch((error: { stdout: string }) => error)
  return said.stdout.split('\n').filter((line) => line !== '')
}

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lamplighter-deploy-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
