import { readFile } from 'node:fs/promises'
import { anchorsIn } from '../adapters/redis/audit/anchors.ts'
import {
  type Exported,
  entriesAfter,
  firstLine,
  lineOf,
  NoExport,
  type Options,
  readExport,
  readOptions,
  timeOf,
  verifyExport,
} from '../adapters/redis/audit/export.ts'
import { createAudit } from '../adapters/redis/audit/log.ts'
import { prune } from '../adapters/redis/audit/prune.ts'
import { connectDoor } from '../adapters/redis/connection/connect.ts'
import { keysOf, tagOf } from '../adapters/redis/connection/keys.ts'
import { groundOn } from '../adapters/redis/integrity/context.ts'
import { type Signer, signerFor } from '../adapters/redis/integrity/sign.ts'
import type { Config } from '../config/config.ts'
import type { Audit, Head } from '../core/ports/audit.ts'

const usage =
  'Write npm start -- audit verify [exported file] [--anchor seq:mac], audit export [--since 30d], or audit prune.'

/** Where the answers go: JSON Lines to `out`, sentences to `err`. */
export interface Papers {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** ms since 1970. */
  readonly now: number
}

type Known = Pick<Config, 'redisUrl' | 'prefix' | 'key' | 'projects'>

interface Book {
  readonly project: string
  readonly signer: Signer
  readonly audit: Audit
  readonly anchors: readonly Head[]
  /** To be looked through instead of what is stored. */
  readonly file: Exported | undefined
}

/** Marks that a terminal obeys, or that hide a text, as JSON writes them: what is read from it again is the same. */
function plainly(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (mark) =>
    Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

/** `npm start -- audit …`, over all projects. `directory`: where anchors and pruned entries are kept. The exit code. */
export async function audit(
  words: readonly string[],
  config: Known,
  directory: string | undefined,
  { out, err, now }: Papers,
): Promise<number> {
  const papers: Papers = { out: (line) => out(plainly(line)), err: (line) => err(plainly(line)), now }
  const [word = '', ...more] = words
  const work = works[word]
  const read = readOptions(more)
  if (work === undefined || 'wrong' in read) {
    papers.err('wrong' in read && work !== undefined ? `${read.wrong} ${usage}` : usage)
    return 2
  }
  try {
    return await workOn(work, read, config, directory, papers)
  } catch (error) {
    if (!(error instanceof NoExport)) throw error
    papers.err(
      `${read.file}: ${error.message} Nothing of it is proven. Take it from where it was kept, or export again.`,
    )
    return 1
  }
}

async function workOn(
  work: Work,
  read: Options,
  config: Known,
  directory: string | undefined,
  papers: Papers,
): Promise<number> {
  const file = read.file === undefined ? undefined : readExport(await textOf(read.file))
  const projects = config.projects.filter(({ name }) => file === undefined || name === file.project)
  if (projects.length === 0) {
    papers.err(`That export is of project ${file?.project}, which is not configured here.`)
    return 1
  }
  const redis = connectDoor(config.redisUrl.reveal(), { warn: () => undefined })
  await redis.connect()
  try {
    let code = 0
    for (const { name: project } of projects) {
      const tag = tagOf(config.prefix, project)
      const signer = signerFor(config, tag)
      const ground = groundOn(redis, keysOf(tag), signer, { now: Date.now, monotonic: () => performance.now() })
      const anchors = [...(await anchorsIn(directory, project)), ...read.anchors]
      const book = { project, signer, audit: createAudit(ground, project).audit, anchors, file }
      if (!(await work(book, read, directory, papers))) code = 1
    }
    return code
  } finally {
    redis.disconnect()
  }
}

type Work = (book: Book, options: Options, directory: string | undefined, papers: Papers) => Promise<boolean>

const works: Readonly<Record<string, Work>> = { verify, export: exportAll, prune: pruneOld }

/**
 * Gaps that an admin has acknowledged are told and are well: somebody stands for them, and whoever looks for tampering
 * by the exit code is to see the next one.
 */
async function verify({ project, signer, audit, anchors, file }: Book, _: Options, __: unknown, { out }: Papers) {
  const verdict = file === undefined ? await audit.verify(anchors) : verifyExport(signer, file, anchors)
  out(JSON.stringify({ project, ...verdict }))
  return verdict.well
}

async function exportAll({ project, audit }: Book, { since = Infinity }: Options, _: unknown, { out, now }: Papers) {
  let after = await audit.start()
  let begun = false
  for await (const link of entriesAfter(audit, after)) {
    if (!begun && timeOf(link) >= now - since) {
      out(firstLine(project, after))
      begun = true
    }
    if (begun) out(lineOf(link))
    after = link
  }
  return true
}

async function pruneOld({ project, audit, anchors }: Book, _: Options, directory: string | undefined, papers: Papers) {
  const { err, now } = papers
  if (directory === undefined) {
    err('Set LAMPLIGHTER_AUDIT_DIR to where old entries should go. Nothing was pruned.')
    return false
  }
  const verdict = await audit.verify(anchors)
  if (!verdict.well) {
    err(`${project}: ${verdict.says} Nothing was pruned.`)
    return false
  }
  const path = await prune(audit, { project, directory, now }, verdict.acknowledged)
  err(path === null ? `${project}: nothing is older than 400 days.` : `${project}: moved what is older to ${path}.`)
  return true
}

/** Whoever reads along has enough once they close their end (`| head`): that is no fault. */
export function untilUnread(out: Pick<NodeJS.EventEmitter, 'on'>, leave: (code: number) => void): void {
  out.on('error', (error: NodeJS.ErrnoException) => leave(error.code === 'EPIPE' ? 0 : 1))
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const isAway = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new NoExport(
      isAway ? 'There is no such file.' : 'It cannot be read: check that it is a file and may be read.',
    )
  }
}
