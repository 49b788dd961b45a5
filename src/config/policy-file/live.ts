import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Language, type Sentence, say, type Words } from '../../core/model/words.ts'
import type { Log } from '../../core/ports/services.ts'
import { whyNotTaken } from './check.ts'
import type { CurrentPolicy } from './projects.ts'
import { inEnglish, type PolicyText, readPolicy, textAt } from './read.ts'
import { type PolicyFile, versionOf } from './schema.ts'
import { policyOf } from './to-policy.ts'

/** Returns the policy in force. It may change at any time, so don't keep it. Throws for an unknown project. */
export type LivePolicy = ReturnType<typeof livePolicy>

interface LiveOptions {
  readonly log: Log
  /** The time between two checks of the file, ms. */
  readonly everyMs?: number
  /** Called when a change is in force. */
  readonly onTaken?: (version: string) => void
  /** Called when a file that was refused is valid again. */
  readonly onMended?: (version: string) => void
  /** Called once for each text that is refused. */
  readonly onRefused?: (sentences: readonly Words[]) => void
}

/** A changed file is read after it has been still for this long, because editors write in pieces. ms. */
const stillMs = 200

/** Reloads the policies when the file changes. A change with a mistake is logged, and the policy in force stays. */
export function livePolicy(config: CurrentPolicy, options: LiveOptions) {
  const { log, everyMs = 5_000, onTaken, onMended, onRefused } = options
  const path = config.policySource
  let current: CurrentPolicy = config
  /** The file's text when it was last looked at, or why it could not be read. */
  let seen: string | Sentence | null = null
  let refusal: readonly Words[] = []
  let checking: Promise<void> | undefined
  const end = new AbortController()

  function projectOf(name: string): CurrentPolicy['projects'][number] {
    const found = current.projects.find((project) => project.name === name)
    if (found === undefined) throw new Error(`Project ${name} is not configured.`)
    return found
  }

  async function settledText(file: string): Promise<string | Sentence> {
    const now = () => textAt(file) ?? say('policyFile.gone', { path: file })
    let text = now()
    for (let before = seen; !isDeepStrictEqual(text, before); ) {
      before = text
      await wait(stillMs, undefined, { signal: end.signal })
      text = now()
    }
    return text
  }

  async function check(file: string): Promise<void> {
    const text = await settledText(file)
    if (isDeepStrictEqual(text, seen)) return
    const isChanged = typeof text === 'string' && versionOf(text) !== current.policyVersion
    const read = isChanged ? readPolicy(file, text) : undefined
    const sentences = typeof text === 'string' ? read && whyNotTaken(read, current) : [text]
    seen = text
    if (sentences !== undefined && sentences.length > 0) return refuse(sentences)
    const mended = refusal.length > 0
    refusal = []
    if (isChanged && read?.policy) take(versionOf(text), read.policy, read.ids)
    if (!mended) return
    log.warn({ policy: current.policyVersion }, 'the policy file is valid again')
    onMended?.(current.policyVersion)
  }

  function take(version: string, policy: PolicyFile, ids: PolicyText['ids']): void {
    const projects = current.projects.map((project) => {
      const entry = policy.projects.find(({ name }) => name === project.name)
      return entry
        ? { ...project, channels: entry.channels, policy: policyOf(entry, version), variables: entry }
        : project
    })
    const { operations_channel: operationsChannel, audit_channel: auditChannel } = policy
    current = { ...current, policyVersion: version, ids, projects, operationsChannel, auditChannel }
    log.info({ policy: version }, 'applied the changed policy file')
    onTaken?.(version)
  }

  function refuse(sentences: readonly Words[]): void {
    refusal = sentences
    const fields = { mistakes: inEnglish(sentences), policy: current.policyVersion }
    log.error(fields, 'the changed policy file is not valid; the previous one still applies')
    onRefused?.(sentences)
  }

  /** Reads the file if it has changed. Resolves when the change is in force or refused. */
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
    /** The signing secret of a project's webhook, by the webhook's name. */
    secretOf: (project: string) => (webhook: string) => {
      const named = projectOf(project).variables.events?.find(({ name }) => name === webhook)
      return named && current.eventSecrets?.of(named.secret_env)?.reveal()
    },
    /** Whether messages in a channel must name the project: there are several, and it is nobody's own channel. */
    isShared: (project: string) => (channel: string) =>
      current.projects.length > 1 && !projectOf(project).channels.includes(channel),
    operationsChannel: () => current.operationsChannel,
    /** The language that all projects share, or English. */
    language: (): Language => {
      const [first, ...others] = new Set(current.projects.map(({ policy }) => policy.language))
      return others.length === 0 ? (first ?? 'en') : 'en'
    },
    auditChannel: () => current.auditChannel,
    version: () => current.policyVersion,
    groups: () => current.ids.filter(({ kind }) => kind === 'group'),
    /** The file's mistakes; empty while its text is in force. */
    refusal: () => refusal,
    look,
    async stop() {
      clearInterval(timer)
      end.abort()
      await checking
    },
  }
}
