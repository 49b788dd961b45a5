import { askerIn } from '../commands/courtesy.ts'
import { exampleName, isExample, mostOffered } from '../commands/examples.ts'
import { type Read, writeLine, writeWord } from '../commands/parse.ts'
import { asItIs, laterThan, scheduleBeside } from '../commands/schedule-beside.ts'
import { everything, pointing } from '../commands/sentence.ts'
import { nearText, stoppedNow, unknownVerb, unreadTime } from '../commands/suggest.ts'
import type { Offer, QueryAnswer } from '../model/answer.ts'
import { say, type Words } from '../model/words.ts'
import type { Services } from '../ports/services.ts'
import { maskOf } from '../text/redact.ts'
import { namedIn, wantedIn } from '../text/said-names.ts'
import { soonestFirst } from '../time/korean-when.ts'
import { isPastToday } from '../time/parse-when.ts'
import { type ProjectGateway, soon, type Whereabouts } from './gateway.ts'
import { aboutOne, offerOf, strangerIn, withoutStartAt } from './offers.ts'
import { eachNamed, eachOfMany } from './overview.ts'
import { isAnswer, waitingFor, waitingRows } from './waiting.ts'

/** Why a line is not stored. `form`: a line whose form asks for the same in a better way; `offers`: what may be meant. */
export interface Instead {
  readonly says: Words
  readonly form?: string
  readonly offers?: readonly Offer[]
  /** What it says is the answer. */
  readonly whole?: boolean
  /** What was typed means no more than this. */
  readonly line?: string
}

const hide = maskOf()

/** The answer to a line that cannot be read: why, and commands that may be meant, for the endpoint it names. */
export async function misreadAnswer(
  context: Pick<Services, 'commands' | 'clock'>,
  gateway: ProjectGateway | undefined,
  asked: Whereabouts & { readonly typed: string },
  { says, form, near, first }: Extract<Read, { readonly kind: 'misread' }>,
): Promise<Instead | QueryAnswer> {
  const { find, parse, stored } = context.commands
  const { typed, actor } = asked
  const rowIn = (line: string) => find(line.split(' ')[0] ?? '')
  const [verb = '', ...rest] = typed.replace(/^\s*\/endpoint(?!\S)/i, '').match(/\S+/g) ?? []
  const answer = [verb.toLowerCase(), ...(near?.lines ?? [])].map(rowIn).find(isAnswer)
  const waiting = answer === undefined ? [] : await waitingFor(gateway, actor)
  if (answer !== undefined && (waiting.length > 0 || near !== undefined)) {
    const word = (near === undefined ? rest.join(' ') : askerIn(typed)).slice(0, 60)
    // Whoever may answer nothing learns who may.
    if (word !== '' && waiting.length === 0) return { says: '', line: `${answer.name} ${writeWord(word)}` }
    return waitingRows(context, gateway, waiting, { word, verb: answer.name })
  }
  const filled = form !== undefined && hide(form) === form && { form }
  if (near === undefined) return { says, ...filled }
  const listed = await gateway?.store.names().catch(() => null)
  const { wanted, some, first: one } = wantedIn(typed, listed?.endpoints ?? [])
  const [beginning] = namedIn(first ?? '', wanted)
  const named = beginning ?? one
  const [own] = near.lines.map(rowIn)
  // "되돌려 줘" is about whatever was last asked for, as the command alone is.
  if (
    named === undefined &&
    own?.kind === 'operation' &&
    /undo|cancel/.test(own.deed ?? '') &&
    near.lines.every(isExample)
  )
    return { says: '', line: own.name }
  // What names an endpoint is about that, and what names none is about no example.
  const isAbout = (line: string) =>
    named === undefined ? shown(line) !== line || !isExample(line) : line.includes(named.name)
  const meant = near.lines.map((line) => (named === undefined ? line : aboutOne(rowIn(line), line, named.name)))
  const { lines: about, note: endless } = asItIs(meant, some ? undefined : named, typed, parse)
  const zone = gateway === undefined ? null : await soon(gateway.zoneOf(actor), null)
  const relevant = about.some(isAbout) ? about.filter(isAbout) : about
  const ahead = relevant.map(withoutUnknown).filter(isAhead)
  const { lines: possible, note: once } = withoutStartAt(ahead, typed)
  const known = soonestFirst(possible, context.clock.now(), zone).slice(0, mostOffered)
  const several = some ? eachNamed(context.commands, known, wanted) : null
  if (several !== null) return several
  const many = known.findLast(isOfMany)
  if (many !== undefined) {
    const each = await eachOfMany(context, gateway, { actor, typed, line: many, listed })
    const verbs = new Set(known.map((line) => line.split(' ')[0] ?? ''))
    return each ?? { says: say('endpoint.each'), offers: [...verbs].flatMap(offersOf) }
  }
  const records = async () => gateway?.store.records().catch(() => null)
  const foresee = (line: string) => soon(gateway?.foresee?.(asked, line) ?? Promise.resolve(null), null)
  const now = context.clock.now()
  const kept = named && /extend|prolong|연장/i.test(typed) ? await records() : null
  const lasting = named && kept ? laterThan(known, named, kept, { now, zone }) : known
  const teamZone = gateway?.automation().zone
  const schedule = await scheduleBeside(context, records, { lines: lasting, typed, named, zone, teamZone, foresee })
  if (schedule.standing !== null) return schedule.standing
  const useful = schedule.lines.filter(isOfUse)
  const lines = useful.length > 0 || beginning !== undefined ? useful : schedule.lines
  if (beginning !== undefined && lines.length === 0) {
    const { name, active } = beginning
    // Where what was said has no use, no opposite is offered.
    const whole = known.length > 0
    const verbs = whole ? ['status'] : [...(active === null ? [] : [active ? 'stop' : 'start']), 'status']
    const already = say(active === true ? 'endpoint.running' : 'endpoint.stopped', { name })
    const says = whole ? already : say('endpoint.whatWith', { name })
    return { says, whole, offers: verbs.flatMap((verb) => offersOf(`${verb} ${writeWord(name)}`)) }
  }
  if (lines.length === 0) return { says: first === undefined ? says : unknownVerb(first.slice(0, 60), []), ...filled }
  const rows = lines.map(rowIn)
  const note = [schedule.note, endless || (once === '' ? unreadTime(typed, lines, rows) : ''), stoppedNow(named, rows)]
  const stranger =
    named === undefined && listed && rows.every((row) => row?.kind === 'operation') && strangerIn(typed, find)
  const told = stranger ? say('endpoint.unknown', { name: stranger }) : nearText(lines.map(unnamed))
  return { says: [once || near.says, told, note], offers: lines.flatMap(offersOf) }

  /** "모두 중지해 줘" is about no endpoint, however it is said. */
  function isOfMany(line: string): boolean {
    const { row, values = {} } = stored(line) ?? {}
    const isSaid =
      named === undefined && isExample(line) && typed.split(/[\s?!.,]+/).some((word) => everything.test(word))
    const name = String(values['endpoint'])
    return pointing.test(name) || everything.test(name) || (isSaid && row?.kind === 'operation')
  }

  /** A question about what no list has is one about everything: "why did it stop" is no history of "it". */
  function withoutUnknown(line: string): string {
    const { row, values = {} } = stored(line) ?? {}
    const [field] = Object.entries(row?.fields ?? {}).find(([, { kind }]) => kind === 'endpoint') ?? []
    const name = field === undefined ? undefined : values[field]
    if (row?.kind !== 'query' || !listed || field === undefined || name === undefined || isExample(line)) return line
    const isKnown = listed.endpoints.some((one) => one.id === name || one.name === name)
    return isKnown || parse(row.name).kind !== 'line' ? line : writeLine(row, { ...values, [field]: undefined })
  }

  /** A time that is offered for tonight is one of today. */
  function isAhead(line: string): boolean {
    const { at } = stored(line)?.values ?? {}
    if (typeof at !== 'string' || zone === null || !/tonight|evening|오늘|저녁/i.test(typed)) return true
    return !isPastToday(at, context.clock.now(), zone)
  }

  /** What is stopped needs no stop. */
  function isOfUse(line: string): boolean {
    const { row, values = {} } = stored(line) ?? {}
    if (row?.kind !== 'operation' || row.wants === undefined || values['endpoint'] !== named?.name) return true
    return named?.active !== (row.wants === 'up') || row.laterBy?.(values) === true
  }

  /** No endpoint is made up where the command needs none. */
  function shown(line: string): string {
    const [name = ''] = line.split(' ')
    return isExample(line) && named === undefined && parse(name).kind === 'line'
      ? line.replace(` ${exampleName}`, '')
      : line
  }

  /** What somebody reads names no endpoint that they did not. */
  function unnamed(line: string): string {
    const isOwn = named !== undefined || typed.includes(exampleName)
    return isOwn ? shown(line) : shown(line).replace(exampleName, '<endpoint>')
  }

  function offersOf(line: string): readonly Offer[] {
    const row = rowIn(line)
    if (row === undefined) return []
    const own = isExample(shown(line)) && named === undefined ? row.name : shown(line)
    return offerOf(context.commands, own, named)
  }
}
