import {
  type Exported,
  entriesAfter,
  exportLine,
  firstLine,
  NoExport,
  readExport,
  timeOf,
  verifyExport,
} from '../adapters/redis/audit/export.ts'
import { anchorsIn, prunerOf } from '../adapters/redis/audit/files.ts'
import { createAudit } from '../adapters/redis/audit/log.ts'
import { connectDoor } from '../adapters/redis/connection/connect.ts'
import { keysOf, tagOf } from '../adapters/redis/connection/keys.ts'
import { storeContextOn } from '../adapters/redis/integrity/proof.ts'
import { type Signer, signerFor } from '../adapters/redis/integrity/sign.ts'
import type { Config } from '../config/config.ts'
import { textAt } from '../config/policy-file/read.ts'
import type { Audit, AuditVerdict, Head } from '../core/ports/audit.ts'
import { Tampered } from '../core/ports/services.ts'
import { program } from '../core/text/program.ts'
import { spanOf, withInstants } from '../core/time/format.ts'
import { asText } from '../core/words/render.ts'
import { otherKey, reach } from '../start.ts'
import { harmlessJson } from './command-line.ts'

const usage = `Usage: ${program} audit verify [FILE] [--anchor SEQ:MAC], audit export [--since 30d], or audit prune [--anchor SEQ:MAC].`

/** The exit code if Redis could not be read, so that nothing is known about the audit. */
const unread = 3

/** JSON Lines go to `out`, sentences to `err`. */
export interface Output {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** ms since 1970. */
  readonly now: number
}

/** `auditDir` holds anchors and pruned entries. */
type Settings = Pick<Config, 'redisUrl' | 'prefix' | 'key' | 'projects' | 'auditDir'>

interface Job extends Pick<Options, 'since' | 'anchors'> {
  readonly project: string
  readonly signer: Signer
  readonly audit: Audit
  /** The checkpoints that the directory holds. */
  readonly noted: readonly Head[]
  /** An export to verify instead of the stored audit. */
  readonly file: Exported | undefined
  readonly directory: string | undefined
}

/** Runs `npm start -- audit …` for all projects. Returns the exit code. */
export async function audit(
  [word = '', file]: readonly string[],
  flags: Flagged,
  config: Settings,
  { out, err, now }: Output,
): Promise<number> {
  const output: Output = { out: (line) => out(harmlessJson(line)), err: (line) => err(harmlessJson(line)), now }
  const work = works[word]
  const options = readOptions(file, flags)
  const wrong = misplaced(word, file, flags) ?? ('wrong' in options ? options.wrong : undefined)
  if (work === undefined || wrong !== undefined || 'wrong' in options) {
    output.err(work === undefined ? usage : `${wrong} ${usage}`)
    return 2
  }
  try {
    return await run(work, options, config, output)
  } catch (error) {
    if (!(error instanceof NoExport)) throw error
    output.err(`${options.file}: ${error.message} Nothing in it is proven. Use the original file, or export again.`)
    return 1
  }
}

async function run(work: Work, options: Options, config: Settings, output: Output): Promise<number> {
  const { auditDir: directory } = config
  const { since } = options
  const files = options.file === undefined ? undefined : readExport(textOf(options.file))
  const projects = config.projects.filter(({ name }) => files?.some(({ project }) => project === name) !== false)
  const unknown = files?.find(({ project }) => !projects.some(({ name }) => name === project))
  if (unknown !== undefined) {
    output.err(`That export is from project ${unknown.project}, which isn’t configured here.`)
    return 1
  }
  const redis = connectDoor(config.redisUrl.reveal(), { warn: () => undefined })
  try {
    await reach(redis)
  } catch (error) {
    redis.disconnect()
    output.err(error instanceof Error ? error.message : String(error))
    return unread
  }
  try {
    let code = 0
    for (const { name: project } of projects) {
      const tag = tagOf(config.prefix, project)
      const signer = signerFor(config, tag)
      const context = storeContextOn({ redis, keys: keysOf(tag), signer }, { now: Date.now })
      const { audit } = createAudit(context, project)
      const file = files?.find((one) => one.project === project)
      const noted = await anchorsIn(directory, project)
      const job = { project, signer, audit, noted, anchors: options.anchors, file, since, directory }
      const isWell = await work(job, output).catch((error: unknown) => {
        if (!(error instanceof Tampered) || error.of !== 'all') throw error
        output.err(otherKey(project, config.key !== undefined))
        return false
      })
      if (!isWell) code = 1
    }
    return code
  } finally {
    redis.disconnect()
  }
}

type Work = (job: Job, output: Output) => Promise<boolean>

const works: Readonly<Record<string, Work>> = { verify, export: exportAll, prune: pruneOld }

/** An accepted loss is counted too, so that the exit code shows the next one. */
async function verify({ project, signer, audit, noted, anchors, file }: Job, { out }: Output) {
  const verdict =
    file === undefined ? await audit.verify([...noted, ...anchors]) : verifyExport(signer, file, noted, anchors)
  out(JSON.stringify({ project, ...verdict, says: told(verdict) }))
  return verdict.well
}

/** What a terminal shows, without a time zone. */
function told({ says }: AuditVerdict): string {
  return withInstants(asText(says, 'en'))
}

async function exportAll({ project, audit, since }: Job, { out, now }: Output) {
  let after = await audit.start()
  let started = false
  for await (const link of entriesAfter(audit, after)) {
    if (!started && timeOf(link) >= now - since) {
      out(firstLine(project, after))
      started = true
    }
    if (started) out(exportLine(link))
    after = link
  }
  return true
}

async function pruneOld({ project, audit, noted, anchors, directory }: Job, { err, now }: Output) {
  const prune = prunerOf(audit, { now: () => now }, project, directory)
  if (prune === null) {
    err('Set LAMPLIGHTER_AUDIT_DIR to the directory for old entries. Nothing was pruned.')
    return false
  }
  const verdict = await audit.verify([...noted, ...anchors])
  if (!verdict.well) {
    err(`${project}: ${told(verdict)} Nothing was pruned.`)
    return false
  }
  const path = await prune(verdict.acknowledged)
  err(
    path === null
      ? `${project}: no entry is older than 400 days.`
      : `${project}: moved entries older than 400 days to ${path}.`,
  )
  return true
}

/** Exits when the reader closes the pipe (`| head`), which is not an error. */
export function leaveWhenUnread(out: Pick<NodeJS.EventEmitter, 'on'>, leave: (code: number) => void): void {
  out.on('error', (error: NodeJS.ErrnoException) => leave(error.code === 'EPIPE' ? 0 : 1))
}

function textOf(path: string): string {
  const text = textAt(path)
  if (typeof text === 'string') return text
  throw new NoExport(
    text === null ? 'There is no such file.' : 'It can’t be read. Check that it’s a file and that you may read it.',
  )
}

interface Flagged {
  readonly since?: string
  readonly anchor?: readonly string[]
}

type Options = Exclude<ReturnType<typeof readOptions>, { readonly wrong: string }>

/** Returns what does not belong to this word: ignoring it would do something else than was asked for. */
function misplaced(word: string, file: string | undefined, { since, anchor }: Flagged): string | undefined {
  if (word !== 'verify' && file !== undefined) return `Only audit verify takes a file, such as “${file}”.`
  if (word !== 'export' && since !== undefined) return 'Only audit export takes --since.'
  return word === 'export' && anchor !== undefined ? 'audit export takes no --anchor.' : undefined
}

/** `since`: ms. */
function readOptions(file: string | undefined, { since, anchor = [] }: Flagged) {
  const length = since === undefined ? Infinity : spanOf(since)
  if (length === null) return { wrong: `--since takes a length of time such as 30d, not “${since}”.` }
  const anchors: Head[] = []
  for (const one of anchor) {
    const [, seq, mac] = /^(\d{1,15}):([\w-]{43})$/.exec(one) ?? []
    if (seq === undefined || mac === undefined)
      return {
        wrong: `--anchor takes SEQ:MAC as in a posted checkpoint, the number of an entry and its MAC of 43 characters, not “${one}”.`,
      }
    anchors.push({ seq: Number(seq), mac })
  }
  return { file, since: length, anchors }
}
