import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const rooms = ['features/', 'lifecycle/', 'core/', 'adapters/slack/', 'adapters/metrics/', 'adapters/platform/']

/** What may look like a sentence, and why it is none that people read in a chat. */
const allowed: readonly (readonly [where: RegExp, why: string])[] = [
  [/^core\/commands\//, 'usage lines, and the documentation that is made of the table of commands'],
  [/^adapters\/slack\/(web|receivers)\//, 'what the check of a policy file and the log of a start say of Slack'],
  [/^adapters\/platform\/read/, 'why an answer does not fit the specification: a fault, for the log'],
  [/^adapters\/metrics\/ssrf-guard/, 'thrown, and told apart by its class'],
  [/^adapters\/slack\/inbound\/interaction/, 'a form that Slack did not open'],
  [/^adapters\/slack\/kit\/text/, 'whom the policy calls everyone'],
  [/^lifecycle\/advance/, 'the log tells the history of a request in these words'],
  [/^lifecycle\/dry-run/, 'an answer that nobody reads'],
  [/^core\/text\/|^core\/time\//, 'why a time zone or an address cannot be read, for the policy file'],
]

interface Found {
  readonly where: string
  readonly text: string
}

/** Literals with three words in a row, or that begin with a capital and end with a full stop. */
function foundIn(name: string): readonly Found[] {
  const file = ts.createSourceFile(name, readFileSync(src + name, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Found[] = []
  visit(file)
  return found

  function visit(node: ts.Node): void {
    if (isUnread(node)) return
    const text = textOf(node)
    if (text !== undefined && looksSaid(text)) found.push({ where: name, text })
    ts.forEachChild(node, visit)
  }
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X')
}

function looksSaid(text: string): boolean {
  return /\p{Ll} \p{Ll}+ \p{Ll}+ \p{Ll}/u.test(text) || /^\p{Lu}.* .*\.$/u.test(text)
}

/** Log lines and thrown faults are known by their call; examples of the grammar and names of events by their field. */
function isUnread(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isImportDeclaration(node)) return true
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) return true
  if (ts.isNewExpression(node)) return /Error$|Lost$|Newer$|Tampered$|Unproven$/.test(node.expression.getText())
  if (ts.isPropertyAssignment(node)) return /^(examples?|hint|what)$/.test(node.name.getText())
  return (
    ts.isCallExpression(node) && /(^|\.)(log|debug|info|warn|error|misread|assert\w*)$/.test(node.expression.getText())
  )
}

test('People read no sentence that stands outside the catalogue', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && rooms.some((room) => name.startsWith(room)))
    .toSorted()
  const found = files.flatMap(foundIn)
  expect(found.filter(({ where }) => !allowed.some(([pattern]) => pattern.test(where)))).toEqual([])
})
