import { setTimeout as wait } from 'node:timers/promises'
import type { Language, Words } from '../../core/model/words.ts'
import type { Log } from '../../core/ports/services.ts'
import { inEnglish } from './read.ts'
import { type CurrentPolicy, fileStamp, type Reread, reread } from './source.ts'
import { policyOf } from './to-policy.ts'

/** The policy in force. It may change at any time, so call for it each time. Throws for an unknown project. */
export type LivePolicy = ReturnType<typeof livePolicy>

interface LiveOptions {
  readonly log: Pick<Log, 'info' | 'error'>
  /** ms between two checks of the file. */
  readonly everyMs?: number
  /** A change is in force. */
  readonly onTaken?: (version: string) => void
  /** A refused file is in force again. */
  readonly onMended?: (version: string) => void
  /** A change is refused; called once for each text. */
  readonly onRefused?: (sentences: readonly Words[]) => void
}

/** A changed file is read after this long without another change, since editors write in pieces. ms. */
const stillMs = 200

/** Keeps the policies up to date with the file. A change with a mistake is logged, and the policy in force stays. */
export function livePolicy(config: CurrentPolicy, options: LiveOptions) {
  const { log, everyMs = 5_000, onTaken, onMended, onRefused } = options
  const path = config.policySource
  let current: CurrentPolicy = config
  /** The stamp of the file when it was last read. */
  let seen: string | null = null
  let refused: { readonly text: string; readonly sentences: readonly Words[] } | null = null
  let checking: Promise<void> | undefined
  const end = new AbortController()

  function projectOf(name: string): CurrentPolicy['projects'][number] {
    const found = current.projects.find((project) => project.name === name)
    if (found === undefined) throw new Error(`Project ${name} is not configured.`)
    return found
  }

  async function settledStamp(file: string): Promise<string> {
    let stamp = await fileStamp(file)
    for (let before = seen; stamp !== before; ) {
      before = stamp
      await wait(stillMs, undefined, { signal: end.signal })
      stamp = await fileStamp(file)
    }
    return stamp
  }

  async function check(file: string): Promise<void> {
    const stamp = await settledStamp(file)
    if (stamp === seen) return
    const found = await reread(file, current)
    seen = stamp
    if (found.kind === 'refused') return refuse(found.sentences, found.text)
    const mended = refused !== null
    refused = null
    if (found.kind === 'changed') take(found)
    if (mended) onMended?.(current.policyVersion)
  }

  function take({ version, policy, groups }: Reread & { kind: 'changed' }): void {
    const projects = current.projects.map((project) => {
      const entry = policy.projects.find(({ name }) => name === project.name)
      return entry
        ? { ...project, channels: entry.channels, policy: policyOf(entry, version), variables: entry }
        : project
    })
    const { operations_channel: operationsChannel, audit_channel: auditChannel } = policy
    current = { ...current, policyVersion: version, groups, projects, operationsChannel, auditChannel }
    log.info({ policy: version }, 'applied the changed policy file')
    onTaken?.(version)
  }

  function refuse(sentences: readonly Words[], text: string): void {
    if (text === refused?.text) return
    refused = { text, sentences }
    const fields = { mistakes: inEnglish(sentences), policy: current.policyVersion }
    log.error(fields, 'the changed policy file is not valid; the previous one still applies')
    onRefused?.(sentences)
  }

  /** Reads the file if it has changed. Resolves once its change is in force or refused. */
  async function look(): Promise<void> {
    if (path === null || end.signal.aborted) return
    checking ??= check(path)
      .catch((err: unknown) => {
        if (!end.signal.aborted) log.error({ err }, 'could not check the policy file for changes')
      })
      .finally(() => {
        checking = undefined
      })
    await checking
  }

  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    of: (project: string) => () => projectOf(project).policy,
    channelsOf: (project: string) => () => projectOf(project).channels,
    /** What signs for a webhook of a project, by its name. */
    secretOf: (project: string) => (webhook: string) => {
      const named = projectOf(project).variables.events?.find(({ name }) => name === webhook)
      return named && current.eventSecrets?.of(named.secret_env)?.reveal()
    },
    /** Whether a channel's messages have to name their project: there are several, and the channel is not its own. */
    isShared: (project: string) => (channel: string) =>
      current.projects.length > 1 && !projectOf(project).channels.includes(channel),
    operationsChannel: () => current.operationsChannel,
    /** What everybody reads: the language of all projects, or else English. */
    language: (): Language => {
      const [first, ...others] = new Set(current.projects.map(({ policy }) => policy.language))
      return others.length === 0 ? (first ?? 'en') : 'en'
    },
    auditChannel: () => current.auditChannel,
    version: () => current.policyVersion,
    groups: () => current.groups,
    /** Mistakes of the file; empty while its text is in force. */
    refusal: () => refused?.sentences ?? [],
    look,
    async stop() {
      clearInterval(timer)
      end.abort()
      await checking
    },
  }
}
