import { hash } from 'node:crypto'
import { type Command, forPrograms, isFromTable, withoutReason } from '../commands/commands.ts'
import { helpForProgram } from '../commands/help.ts'
import { writeLine } from '../commands/parse.ts'
import { inOneLine } from '../commands/quoting.ts'
import type { Offer, QueryAnswer } from '../model/query-answer.ts'
import type { Request } from '../model/request.ts'
import { type Actor, isSame } from '../model/roles.ts'
import type { Through } from '../model/token.ts'
import { say, type Words } from '../model/words.ts'
import { endsItself, fenceOf, isInside, roleThrough, whyNotThrough, whyTooMany } from '../policy/programs.ts'
import { accept, type IntakeResult } from './accept.ts'
import type { IntakeContext, ProjectGateway } from './gateway.ts'
import { requestIdOf } from './receive.ts'

/** A program and the person it acts for, as verified by its door. */
export interface ProgramCaller {
  readonly gateway: ProjectGateway
  readonly actor: Actor
  readonly through: Through
}

interface ProgramLine {
  readonly line: string
  readonly wants: 'query' | 'operation'
  /** The same key from the same caller is the same request. */
  readonly key: string
  /** Shown to the people who decide. Required for an operation. */
  readonly reason?: string | undefined
}

/** `refused`: nothing was stored. Programs read `why`; people read `says`. */
export type ProgramResult =
  | {
      readonly kind: 'accepted'
      readonly id: string
      /** A request already existed under this key. */
      readonly again?: boolean
    }
  | { readonly kind: 'answered'; readonly answer: QueryAnswer }
  | {
      readonly kind: 'refused'
      /** `other kind`: a query was expected and the line is an operation, or the other way round. */
      readonly why: 'line' | 'other kind' | 'not allowed' | 'too much' | 'too often' | 'other line' | 'storage'
      readonly says: Words
      readonly offers?: readonly Offer[]
    }

/** Accepts a program's line. It passes every check of a typed line, and a few more. */
export async function acceptFromProgram(
  { commands, clock }: Pick<IntakeContext, 'commands' | 'clock'>,
  caller: ProgramCaller,
  { line, wants, key, reason: written }: ProgramLine,
): Promise<ProgramResult> {
  const { gateway, actor, through } = caller
  // Written as it would be in a line.
  const reason = written === undefined ? undefined : inOneLine(written)
  // If the line is misread, suggest only commands that programs may use.
  const table = commands.parse(line).kind === 'misread' ? forPrograms(commands) : commands
  const delivery = `program ${gateway.project} ${through.token} ${actor.user} ${key}`
  const via = through.token === 'workflow' ? 'workflow' : 'program'
  const arrival = { delivery, via, actor, through, project: gateway.project, channel: '' } as const
  const take = async (typed: string, sent?: string) => {
    const told = { ...arrival, typed, ...(sent !== undefined && { through: { ...through, sent } }) }
    return resultOf(await accept({ gateways: [gateway], commands: table, clock }, told), requestIdOf(delivery))
  }
  const read = readWith(reason, line, table)
  if (read.kind === 'misread') {
    const verb = commands.find(/^\s*(\/endpoint\s+)?(\S*)/i.exec(line)?.[2]?.toLowerCase() ?? '')
    return verb?.peopleOnly === true ? peopleOnly(verb) : take(line)
  }
  const command: Command = read.kind === 'line' ? read.read : { row: read.row, values: {} }
  const { row } = command
  const records = await gateway.store.records()
  const whyNot = (one: Command) => whyNotThrough({ through, actor }, one, { records, now: clock.now() })
  const why = whyNot(command)
  if (why !== null) return refused('not allowed', why)
  if (row.kind !== wants) return refused('other kind', say(`program.${wants}Only`, { verb: row.name }))
  if (read.kind === 'incomplete') return take(line)
  if (row.kind === 'operation') return propose(command)
  if (!isFromTable(row)) return take(line)
  const about = command.values['about']?.toString().toLowerCase()
  const one = commands.find(about ?? '')
  // A program may read help on commands that its role or its token's limits forbid.
  if (one?.peopleOnly === true) return peopleOnly(one)
  const role = roleThrough({ through }, await gateway.home.roleOf(actor, '', 'recent'), records) ?? 'viewer'
  const known = commands.rows.filter((other) => whyNot({ row: other, values: {} }) === null)
  return { kind: 'answered', answer: helpForProgram(about, role, one === undefined ? known : [one]) }

  /** Hands in an operation with its one reason, unless another line came under the same key. */
  async function propose({ row, values }: Command): Promise<ProgramResult> {
    const given = values['because'] ?? reason
    if (reason !== undefined && String(given).trim() !== reason.trim())
      return refused('line', say('program.twoReasons'))
    if (typeof given !== 'string' || given.trim() === '') return refused('line', say('program.reasonMissing'))
    const whole = writeLine(row, 'because' in row.fields ? { ...values, because: given } : values)
    const { store } = gateway
    const id = requestIdOf(delivery)
    const before = await store.load(id)
    const asks = row.deed === undefined && !endsItself({ through }, { row, values })
    const tooMany = before === null && asks ? whyTooMany({ through, actor }, await store.open()) : null
    if (tooMany !== null) return refused('too much', tooMany)
    const sent = hash('sha256', whole, 'base64url').slice(0, 22)
    const result = await take(whole, sent)
    if (result.kind !== 'accepted') return result
    // If two lines arrive under one key at the same moment, only one is stored.
    const stored = before ?? (await store.load(id))
    const isOther = stored?.through?.sent === undefined ? stored?.line !== whole : stored.through.sent !== sent
    if (stored !== null && isOther) {
      const [was, is] = [stored.line, whole].map((one) => withoutReason(one, commands).line)
      return refused('other line', say('program.otherLine', { what: was === is ? 'reason' : 'line' }))
    }
    return before === null ? result : { ...result, again: true }
  }
}

/** Parses a line. Only the reason may be missing from it, because a program can send that separately. */
function readWith(reason: string | undefined, line: string, table: IntakeContext['commands']) {
  const read = table.parse(line)
  const lacksReason = read.kind === 'incomplete' && read.missing.join() === 'because' && reason !== undefined
  return lacksReason ? table.parse(writeLine(read.row, { ...read.values, because: reason })) : read
}

/** Whether a program may see a request: its own, from whichever workspace, and any operation on its token's endpoints. */
export async function isVisibleTo(request: Request, { gateway, actor, through }: ProgramCaller): Promise<boolean> {
  const isTheirs = [request.actor, request.cameAs].some((one) => one !== undefined && isSame(one, actor))
  const isOwn = request.through?.token === through.token && isTheirs
  if (request.kind !== 'operation' || isOwn) return isOwn
  const on = fenceOf({ through }, await gateway.store.records())
  return on === undefined || isInside(on, request.endpoint, (await gateway.store.names())?.endpoints)
}

function peopleOnly({ name }: { readonly name: string }): ProgramResult {
  return refused('not allowed', say('program.peopleOnly', { verb: name }))
}

function refused(why: Extract<ProgramResult, { kind: 'refused' }>['why'], says: Words): ProgramResult {
  return { kind: 'refused', why, says }
}

function resultOf(result: IntakeResult, id: string): ProgramResult {
  if (result.kind === 'accepted') return { kind: 'accepted', id }
  if (result.kind === 'answered') return result
  if (result.kind === 'said') {
    const { stored = 'line', says, offers } = result
    return stored === 'yes' ? { kind: 'accepted', id } : { ...refused(stored, says), ...(offers && { offers }) }
  }
  if (result.kind === 'form') return refused('line', result.form.says ?? say('program.form'))
  return refused('line', say('program.projects'))
}
