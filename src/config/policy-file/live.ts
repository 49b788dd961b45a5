import { setTimeout as wait } from 'node:timers/promises'
import type { Policy } from '../../core/model/policy.ts'
import type { NamedGroup } from './read.ts'
import { type InForce, markOf, type Reread, reread } from './reload.ts'
import { policyOf } from './to-policy.ts'

/** The policy as the file says it at this moment, so ask for it each time. Throws for a project that is not configured. */
export interface LivePolicy {
  of(project: string): () => Policy
  channelsOf(project: string): () => readonly string[]
  /** Whether what stands in a channel could be taken for another project's: there are several, and it is not this one's own. */
  isShared(project: string): (channel: string) => boolean
  readonly operationsChannel: () => string | undefined
  /** Of the text that is in force; `none` without a file. */
  version(): string
  /** The user groups that the text in force names. */
  groups(): readonly NamedGroup[]
  /** Why the text that stands in the file is not taken over; empty while it is in force. */
  refusal(): readonly string[]
  /** Looks at the file now. Resolves when a change is in force or refused. */
  look(): Promise<void>
  stop(): Promise<void>
}

export interface LiveOptions {
  readonly log: {
    info(fields: object, message: string): void
    error(fields: object, message: string): void
  }
  /** ms between two looks. */
  readonly everyMs?: number
  /** A change is taken over. */
  readonly onTaken?: (version: string) => void
  /** What the file says holds again after it was refused: the version. */
  readonly onMended?: (version: string) => void
  /** A change is not taken over; once for each text. */
  readonly onRefused?: (sentences: readonly string[]) => void
}

/** A file that was just changed is read once it has stood still for so long, since editors write in pieces. ms. */
const stillMs = 200

/**
 * Holds the policy of each project and takes over what changes in the file. What cannot be taken over is logged, and
 * what was in force stays. Without a file there is nothing to look at: one that is written later is read at the next start.
 */
export function livePolicy(config: InForce, options: LiveOptions): LivePolicy {
  const { log, everyMs = 5_000, onTaken, onMended, onRefused } = options
  const path = config.policySource
  let current: InForce = config
  /** The marks of the file as it was last read, and what was last said of it. */
  let seen: string | null = null
  let refused: { readonly text: string; readonly sentences: readonly string[] } | null = null
  let looking: Promise<void> | undefined
  const end = new AbortController()

  function projectOf(name: string): InForce['projects'][number] {
    const found = current.projects.find((project) => project.name === name)
    if (found === undefined) throw new Error(`Project ${name} is not configured.`)
    return found
  }

  async function stoodStill(file: string): Promise<string> {
    let mark = await markOf(file)
    for (let before = seen; mark !== before; ) {
      before = mark
      await wait(stillMs, undefined, { signal: end.signal })
      mark = await markOf(file)
    }
    return mark
  }

  async function lookAt(file: string): Promise<void> {
    const mark = await stoodStill(file)
    if (mark === seen) return
    const found = await reread(file, current)
    seen = mark
    if (found.kind === 'refused') return refuse(found.sentences, found.text)
    const mended = refused !== null
    refused = null
    if (found.kind === 'changed') take(found)
    if (mended) onMended?.(current.policyVersion)
  }

  function take({ version, policy, groups }: Reread & { kind: 'changed' }): void {
    const projects = current.projects.map((project) => {
      const entry = policy.projects.find(({ name }) => name === project.name)
      return entry ? { ...project, channels: entry.channels, policy: policyOf(entry, version) } : project
    })
    const operationsChannel = policy.operations_channel
    const { policySource } = current
    current = {
      policySource,
      policyVersion: version,
      groups,
      projects,
      ...(operationsChannel && { operationsChannel }),
    }
    log.info({ policy: version }, 'the policy file has changed and holds from now on')
    onTaken?.(version)
  }

  function refuse(sentences: readonly string[], text: string): void {
    if (text === refused?.text) return
    refused = { text, sentences }
    log.error({ mistakes: sentences, policy: current.policyVersion }, 'the policy file is not taken over')
    onRefused?.(sentences)
  }

  async function look(): Promise<void> {
    if (path === null || end.signal.aborted) return
    looking ??= lookAt(path)
      .catch((err: unknown) => {
        if (!end.signal.aborted) log.error({ err }, 'the policy file could not be looked at')
      })
      .finally(() => {
        looking = undefined
      })
    await looking
  }

  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    of: (project) => () => projectOf(project).policy,
    channelsOf: (project) => () => projectOf(project).channels,
    isShared: (project) => (channel) => current.projects.length > 1 && !projectOf(project).channels.includes(channel),
    operationsChannel: () => current.operationsChannel,
    version: () => current.policyVersion,
    groups: () => current.groups,
    refusal: () => refused?.sentences ?? [],
    look,
    async stop() {
      clearInterval(timer)
      end.abort()
      await looking
    },
  }
}
