import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { IntlMessageFormat } from 'intl-messageformat'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { say } from '../../src/core/model/words.ts'
import { asText } from '../../src/core/words/render.ts'
import { commands } from '../../src/features/command-table.ts'
import { english } from '../../src/words/english.ts'
import { korean } from '../../src/words/korean.ts'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** Each id of a language, after the name of its file. */
function idsIn(language: 'en' | 'ko'): readonly string[] {
  const folder = `${src}words/${language}/`
  return readdirSync(folder).flatMap((name) =>
    [...readFileSync(folder + name, 'utf8').matchAll(/^ {2}"([^"]+)":/gm)].map(([, id]) => `${name} ${id}`),
  )
}

interface Use {
  readonly id: string
  readonly given: readonly string[]
  readonly where: string
}

/** Every string of the code, every template as a pattern, and every `say` whose id and values are literals. */
const strings = new Set<string>()
const patterns: RegExp[] = []
const uses: Use[] = []
const parsed = files
  .filter((name) => !name.startsWith('words/'))
  .toSorted()
  .map((name) => parse(name, readFileSync(src + name, 'utf8')))
for (const file of parsed) collect(file, file.fileName)

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
}

function collect(node: ts.Node, where: string): void {
  if (ts.isStringLiteral(node)) strings.add(node.text)
  // A template that begins with a value would match any id.
  if (ts.isTemplateExpression(node) && node.head.text !== '') {
    patterns.push(patternOf([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]))
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'say') {
    const [id, values] = node.arguments
    const isWhole = values === undefined || (ts.isObjectLiteralExpression(values) && values.properties.every(isNamed))
    if (id !== undefined && ts.isStringLiteral(id) && isWhole) uses.push({ id: id.text, given: namesIn(values), where })
  }
  ts.forEachChild(node, (child) => collect(child, where))
}

function isNamed(one: ts.ObjectLiteralElementLike): boolean {
  return !ts.isSpreadAssignment(one)
}

function namesIn(values: ts.Expression | undefined): readonly string[] {
  if (values === undefined || !ts.isObjectLiteralExpression(values)) return []
  return values.properties.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []))
}

/** Assumes that each value of a template is a word. */
function patternOf(texts: readonly string[]): RegExp {
  const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${escaped.join('[\\w-]+')}$`)
}

/** Returns the names of a message's values, sorted. */
function wantedBy(message: string): readonly string[] {
  const wanted = new Set<string>()
  walk(new IntlMessageFormat(message, 'en').getAst())
  return [...wanted].toSorted()

  function walk(parts: readonly object[]): void {
    for (const part of parts as readonly { type: number; value?: string; options?: object; children?: object[] }[]) {
      // Type 0 is text, 7 the number of a plural, 8 a tag; everything else is a value.
      if (part.type !== 0 && part.type !== 7 && part.type !== 8 && part.value !== undefined) wanted.add(part.value)
      for (const { value } of Object.values(part.options ?? {}) as { value: object[] }[]) walk(value)
      if (part.children !== undefined) walk(part.children)
    }
  }
}

describe('The catalogue', () => {
  test('has each id once', () => {
    const ids = idsIn('en').map((one) => one.split(' ')[1] ?? '')
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids.toSorted()).toEqual(Object.keys(english).toSorted())
  })

  test('has no unused sentence', () => {
    // The code builds an operation's ids from the name of a row or phrase and one of these suffixes.
    const isPhrase = (id: string) =>
      /^[\w-]+\.(ask|doing|done|leave|noun|press)$/.test(id) && isSaid(id.replace(/\.\w+$/, ''))
    const isSaid = (id: string) => strings.has(id) || patterns.some((pattern) => pattern.test(id))
    expect(Object.keys(english).filter((id) => !isSaid(id) && !isPhrase(id))).toEqual([])
  })

  test('gets exactly the values that its sentences name', () => {
    expect(uses.length).toBeGreaterThan(50)
    const wrong = uses.filter(({ id, given }) => {
      const message = (english as Readonly<Record<string, string>>)[id]
      return message === undefined || wantedBy(message).join() !== given.toSorted().join()
    })
    expect(wrong).toEqual([])
  })

  test('has typographic apostrophes and no stray spaces', () => {
    // The days of a preview are aligned in columns.
    const sentences = Object.entries<string>(english).filter(([id]) => !id.startsWith('preview.'))
    const odd = sentences.filter(([, message]) => /'|^\s|\s$| {2}/.test(message))
    expect(odd).toEqual([])
  })
})

describe('The Korean catalogue', () => {
  test('has exactly the sentences of the English one', () => {
    expect(idsIn('ko').toSorted()).toEqual(idsIn('en').toSorted())
  })

  test('says each with the same values', () => {
    const originals: Readonly<Record<string, string>> = english
    const others = Object.entries<string>(korean).filter(
      ([id, message]) => wantedBy(message).join() !== wantedBy(originals[id] ?? '{missing}').join(),
    )
    expect(others).toEqual([])
  })
})

const rooms = [
  'features/',
  'lifecycle/',
  'core/',
  'adapters/slack/',
  'adapters/metrics/',
  'adapters/platform/',
  'adapters/redis/',
  'config/policy-file/',
]

/** Text that looks like a sentence, and why nobody reads it in a chat. */
const allowed: readonly (readonly [where: RegExp, text: RegExp, why: string])[] = [
  [/^core\/commands\/(call|help|commands)/, /./, 'the table of commands, and the pages that are made of it'],
  [
    /^features\/(savings\/command|history\/fields)/,
    /^(last|this|past) (week|month)$/,
    'a span that lines are written with',
  ],
  [/^features\/endpoints\/patch/, /^change settings$/, 'what a step is called in the log'],
  [/^core\/model\/formats/, /^the X “X|^the step “X|^way in$/, 'the message of an error'],
  [/^core\/text\/program/, /^npm |^node |^X (start|demo)$/, 'commands of a terminal'],
  [/^core\/text\/redact/, /PRIVATE KEY|^Bearer$/, 'patterns'],
  [/^core\/ports\/meter/, /^any other$/, 'what the log counts'],
  [/^core\/requests\/waiting|^lifecycle\/messages\/end/, /^(X|X replicas=X)( because=X)?$/, 'lines'],
  [/^core\/time\/parse-when/, /^this (afternoon|evening)$/, 'what is typed'],
  [/^features\/safeguards\/freeze/, /^자동화 [멈켜]/, 'what is typed'],
  [
    /^(core|features)\//,
    /^(who (am|can|may|has)|what (can|happens)|누가 승인|언제 [꺼켜][져지질]|when \w+|nobody uses|never all|my requests?|we are|not used|no traffic|no one|(when|if) idle|(the|remove|delete) schedule|hey can .*|how what .*)$/,
    'what is typed',
  ],
  [
    /^core\/time\/format/,
    /^X[hm]$|^XX XX$/,
    'lengths: as they are typed, and as `lasting` writes them in both languages',
  ],
  [/^features\//, /^(unknown|open|gone|owner) X$|^;XX X$/, 'what is told once, and which rules are equal'],
  [/^features\/safeguards\/freeze/, /^as before$/, 'the reason that a line gives'],
  [/^adapters\/redis\/requests\/move/, /^the |^broke |^fell |^not seen/, 'how the log tells the history of a request'],
  [/^lifecycle\/dry-run/, /^A dry run\.$/, 'an answer that nobody reads'],
  [/^adapters\/slack\/web\/(checks|directory)/, /./, 'what the check of a policy file says of Slack'],
  [
    /^adapters\/slack\/web\/(people|failures)|^adapters\/redis\/requests\/intake/,
    /^a |^could |^the answer |^no answer$/,
    'lines of the log',
  ],
  [/^adapters\/slack\/inbound\/form/, /^form X$/, 'which form it is'],
  [/^adapters\/slack\/home\/menu/, /^Lamplighter$/, 'our name'],
  [/^core\/model\/token/, /^(Slackbot|Workflow Builder)$/, 'names of Slack’s'],
  [/^adapters\/metrics\/families/, /^Ray Serve$|^Triton$/, 'names'],
  [/^adapters\/(metrics|platform)/, /^Bearer X$/, 'a header'],
  [/^adapters\/platform\/read/, /^(An|Nothing|The) .*\.$/, 'why an answer does not fit the specification: for the log'],
  [/^adapters\/platform\/client/, /^\[API key\]$/, 'what is written in the place of a secret'],
  [/^adapters\/redis\/audit\/export/, /^does not say|^is no entry/, 'the message of an error'],
  [/^adapters\/redis\/connection/, /^Redis (may lose data|cannot be reached)|^node error$/, 'errors and probes'],
  [/^adapters\/redis\/integrity/, /^lamplighter /, 'what keys are derived for'],
  [/^config\/policy-file\/(check|projects|requirement-schema)/, /./, 'what a terminal or an editor says'],
  [/^config\/policy-file\/read/, /^LAMPLIGHTER_CONFIG names X/, 'what a terminal says'],
  [/^adapters\/redis\//, /redis\.call|X\nlocal/, 'a script'],
]

interface Found {
  readonly where: string
  readonly text: string
}

const said = parsed.filter(({ fileName }) => rooms.some((room) => fileName.startsWith(room)))

/** Strings in types or comparisons: code decides by them, and people read a catalogue sentence instead. */
const values = new Set(said.flatMap(valuesIn))

function valuesIn(node: ts.Node): readonly string[] {
  const inside: string[] = []
  ts.forEachChild(node, (child) => void inside.push(...valuesIn(child)))
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) inside.push(node.literal.text)
  if (ts.isBinaryExpression(node) && ts.isStringLiteral(node.right) && /^[!=]==$/.test(node.operatorToken.getText()))
    inside.push(node.right.text)
  return inside
}

/** Returns the literals that people could read: all except values and command lines. */
function foundIn(file: ts.SourceFile): readonly Found[] {
  const found: Found[] = []
  visit(file)
  return found

  function visit(node: ts.Node): void {
    if (isUnread(node)) return
    const text = textOf(node)
    if (text !== undefined && looksSaid(text)) found.push({ where: file.fileName, text })
    ts.forEachChild(node, visit)
  }
}

function textOf(node: ts.Node): string | undefined {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined
  // The name of a span, or what the log says if a call fails.
  const { parent } = node
  if (ts.isCallExpression(parent) && /^(traced|asCall|nullOnFailure)$/.test(parent.expression.getText()))
    return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X')
}

/** Matches two words, a number with a unit, a capitalized word, or a word with a full stop. X is a template value. */
function looksSaid(text: string): boolean {
  if (values.has(text) || isLine(text)) return false
  return (
    /\p{L}{2,} \p{L}{2,}/u.test(text) ||
    /^X (h|min|d|s|%)\b|^X ?%/.test(text) ||
    /^\p{Lu}\p{Ll}+$/u.test(text) ||
    /^X \p{Ll}{2,}|\p{L}{2,} X$|\p{L}{2,}[.!?]$/u.test(text)
  )
}

function isLine(text: string): boolean {
  const [verb = ''] = text.replace(/^\/endpoint /, '').split(' ')
  return text === '/endpoint X' || commands.find(verb) !== undefined
}

/** Recognizes log lines and errors by their call; examples, hints and event names by their field. */
function isUnread(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isImportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isNewExpression(node)) return /Error$|Lost$|Newer$|Unproven$/.test(node.expression.getText())
  if (ts.isPropertyAssignment(node)) return /^(examples?|hints?|what)$/.test(node.name.getText())
  // The name of an error class, or of an announcement that is made once.
  if (ts.isPropertyDeclaration(node)) return node.name.getText() === 'name'
  if (!ts.isCallExpression(node)) return false
  const called = node.expression.getText()
  return called === 'super' || /(^|\.)(log|debug|info|warn|warn\.over|error|misread|describe|assert\w*)$/.test(called)
}

const isAllowed = ({ where, text }: Found) =>
  allowed.some(([place, pattern]) => place.test(where) && pattern.test(text))

test('No sentence that people read is outside the catalogue', () => {
  expect(said.flatMap(foundIn).filter((one) => !isAllowed(one))).toEqual([])
})

test('No exception is unused', () => {
  const found = said.flatMap(foundIn)
  const unused = allowed.filter(
    ([place, pattern]) => !found.some(({ where, text }) => place.test(where) && pattern.test(text)),
  )
  expect(unused).toEqual([])
})

test.each([
  ['the title of a chart', 'const title = `Replica-hours saved per ${by}`'],
  ['the name of a series', "const names = { schedule: 'Schedules', idle: 'Idle stops' }"],
  ['an axis', "const unit = 'replica-hours saved'"],
  ['a length', 'const length = `${hours} h`'],
  ['a share', 'const share = `${percent} %`'],
  ['the reason of a lockdown', 'const why = `The ${what} in Redis is not what was stored there.`'],
  ['the label of a button', "const label = ['Undo', verb, name].join(' ')"],
  ['a count', "const lines = count === 1 ? 'one line' : `${count} lines`"],
])('The search finds %s', (_, code) => {
  expect(foundIn(parse('features/new.ts', code))).not.toEqual([])
})

test('A Korean button that cancels a request names its command in Korean', () => {
  const requests = commands.rows.filter((row) => row.kind === 'operation' && row.deed === undefined)
  const label = (verb: string) => asText(say('request.cancels', { verb, on: 'none', name: '' }), 'ko')
  expect(requests.map(({ name }) => label(name)).filter((text) => /[a-z]/.test(text))).toEqual([])
})
