import type { SentenceId } from '../../words/english.ts'
import type { QueryAnswer } from '../model/query-answer.ts'
import { includes, type Role } from '../model/roles.ts'
import { type Sentence, say } from '../model/words.ts'
import { nearestByEdits } from '../text/names.ts'
import { pieceText, rendered } from '../words/render.ts'
import { defineQuery, type Row } from './define.ts'
import { rowOf } from './field-of-word.ts'
import { optional, wholeLine, word } from './fields.ts'
import { usageOf } from './parse.ts'
import { mayWrite, neededFor, rowsFor, usageFor } from './permissions.ts'

export const help = defineQuery({
  name: 'help',
  also: ['?', '도움말'],
  hints: 'how do,how to,what a,what mean,도와,사용법,어떻게,뭐야',
  everyToken: true,
  examples: ['help', 'help stop'],
  fields: { about: optional(word('command', '<verb>')) },
  show: (_, { values: { about }, rows, role }) => {
    const row = about === undefined ? undefined : rowOf(about.toLowerCase(), rows)
    if (row !== undefined) {
      const examples = examplesFor(role, row, rows).map((line) => ({ line: withoutIds(`/endpoint ${line}`) }))
      return {
        title: `/endpoint ${row.name}`,
        items: [
          { text: summaryOf(row), usages: [{ line: withoutIds(usageFor(role, row)) }] },
          { text: say('help.examples'), usages: examples },
        ],
      }
    }
    return {
      title: about === undefined ? say('help.title') : unknownTitle(about, rows),
      items: inGroups(rows.filter(({ name }) => name !== 'help')).map(({ title, rows: several }) => ({
        text: title,
        strong: true,
        usages: several.map(({ name, examples }) => ({
          line: withoutIds(examples.find((line) => mayWrite(role, line, rows)) ?? name),
          // What the first example would do.
          about: say(`effect.${name}` as SentenceId),
        })),
      })),
      foot: say('help.about'),
    }
  },
})

export const doctor = defineQuery({
  name: 'doctor',
  also: ['점검'],
  examples: ['doctor'],
  fields: {},
  own: 'doctor',
  evenFull: true,
  show: (checks) => {
    const bad = checks.filter(({ well }) => !well)
    return {
      title: say('doctor.title', { bad: bad.length }),
      items: [...bad, ...checks.filter(({ well }) => well)].map(({ well, name, says }) => ({
        text: say(well ? 'doctor.well' : 'doctor.bad', { name }),
        detail: says,
      })),
    }
  },
})

export const explain = defineQuery({
  name: 'explain',
  also: ['설명'],
  hints: 'who can,who may,can i,may i,am allowed,누가 수 있,내가 수 있,would happen,happens if,need approval,승인 필요',
  everyToken: true,
  examples: ['explain stop my-llm', 'explain scale my-llm to 3'],
  fields: { line: wholeLine() },
  own: 'explain',
  show: (answer) => answer,
})

function unknownTitle(verb: string, rows: readonly Row[]): Sentence {
  const near = nearestByEdits(verb, rows, 3).map(({ name }) => name)
  return say('help.unknown', { verb, near: near.length === 0 ? 'none' : { any: near } })
}

/** Returns the help for a program: all of these commands that its role may use, or one of them. */
export function helpForProgram(about: string | undefined, role: Role, among: readonly Row[]): QueryAnswer {
  const one = about === undefined ? undefined : rowOf(about, among)
  const rows = one === undefined ? rowsFor(role, among) : [one]
  return {
    title: about === undefined || one !== undefined ? say('help.program') : unknownTitle(about, rows),
    items: rows.map((row) => {
      const lines = examplesFor(role, row, rows).map(withoutIds)
      return {
        text: bare(usageFor(role, row)),
        strong: true,
        detail: say('help.use', {
          does: summaryOf(row),
          kind: row.kind,
          role: neededFor(row),
          examples: { all: lines },
        }),
        offers: lines.map((line) => ({ label: line, line })),
      }
    }),
  }
}

function bare(usage: string): string {
  return usage.replace(/^\/endpoint /, '')
}

/** Returns the examples that a role may use; all of them for a command that it may not use. */
function examplesFor(role: Role | null, row: Row, rows: readonly Row[]): readonly string[] {
  return row.examples.filter((line) => !includes(role, neededFor(row)) || mayWrite(role, line, rows))
}

/** People are chosen by name from Slack's list, so ids are left out. */
function withoutIds(line: string): string {
  return line.replace(/@[UW][A-Z0-9]+/, '@…')
}

export function titleOf({ name }: Pick<Row, 'name'>): Sentence {
  return say(`form.${name}.title` as SentenceId)
}

export function summaryOf({ name }: Pick<Row, 'name'>): Sentence {
  return say(`summary.${name}` as SentenceId)
}

/** Returns a Markdown table of commands, for docs/commands.md, or for programs as they write them. */
export function manualOf(rows: readonly Row[], reader: 'people' | 'programs' = 'people'): string {
  const isForPeople = reader === 'people'
  const shown = isForPeople ? rows : rows.filter(({ peopleOnly }) => peopleOnly !== true)
  const lines = shown.map((row) => {
    const also = row.also === undefined ? '' : ` (also ${row.also.map((word) => `\`${word}\``).join(', ')})`
    const usage = isForPeople ? usageOf(row) : bare(usageFor('operator', row))
    const does = rendered(summaryOf(row), 'en').map((one) =>
      typeof one === 'object' && 'code' in one ? `\`${one.code}\`` : pieceText(one),
    )
    return `| \`${usage.replaceAll('|', '\\|')}\` | ${row.kind} | ${does.join('')}${also} |`
  })
  return ['| line | kind | what it does |', '| --- | --- | --- |', ...lines].join('\n')
}

/** Groups of rows in the help and the menu, in reading order. Rows that are not listed here are the others. */
const groups = {
  endpoints: 'list status replicas logs start stop restart scale patch'.split(' '),
  automation: 'schedules schedule unschedule keep resume idle protect unprotect freeze thaw'.split(' '),
  requests: 'ask approve decline cancel undo break-glass away back'.split(' '),
  others: null,
  programs: 'token tokens'.split(' '),
}

export function inGroups(rows: readonly Row[]): readonly { readonly title: Sentence; readonly rows: readonly Row[] }[] {
  const listed = Object.values(groups).flatMap((names) => names ?? [])
  const others = rows.flatMap(({ name }) => (listed.includes(name) ? [] : [name]))
  const among = (names: readonly string[]) => rows.filter(({ name }) => names.includes(name))
  return (Object.keys(groups) as (keyof typeof groups)[])
    .map((group) => ({ title: say(`group.${group}`), rows: among(groups[group] ?? others) }))
    .filter((group) => group.rows.length > 0)
}
