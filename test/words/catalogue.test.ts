import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { IntlMessageFormat } from 'intl-messageformat'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { english } from '../../src/words/english.ts'
import { korean } from '../../src/words/korean.ts'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const catalogue = files.filter((name) => name.startsWith('words/en/'))

interface Use {
  readonly id: string
  readonly given: readonly string[]
  readonly where: string
}

/** Every string of the code, every template as a pattern, and every `say` whose id and values are literals. */
const strings = new Set<string>()
const patterns: RegExp[] = []
const uses: Use[] = []
for (const name of files.filter((one) => !one.startsWith('words/'))) {
  const file = ts.createSourceFile(name, readFileSync(src + name, 'utf8'), ts.ScriptTarget.Latest, true)
  visit(file, name)
}

function visit(node: ts.Node, where: string): void {
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
  ts.forEachChild(node, (child) => visit(child, where))
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
    const ids = catalogue.flatMap((name) =>
      [...readFileSync(src + name, 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(([, id = '']) => id),
    )
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
    expect(Object.keys(korean).toSorted()).toEqual(Object.keys(english).toSorted())
  })

  test('says each with the same values', () => {
    const originals: Readonly<Record<string, string>> = english
    const others = Object.entries<string>(korean).filter(
      ([id, message]) => wantedBy(message).join() !== wantedBy(originals[id] ?? '{missing}').join(),
    )
    expect(others).toEqual([])
  })
})
