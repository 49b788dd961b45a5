import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readExposition } from '../../../src/adapters/metrics/exposition.ts'
import { sampleOf } from '../../../src/adapters/metrics/sample.ts'
import { type Dice, diceOf } from '../../support/dice.ts'
import { tries } from '../../support/search.ts'
import { page } from './fixtures.ts'

function all(text: string): readonly (readonly [string, number])[] | null {
  return readExposition(text, () => true)?.series.map(({ name, value }) => [name, value] as const) ?? null
}

describe('An exposition', () => {
  test('in OpenMetrics format is read with colons, escapes, timestamps, exemplars and its end', () => {
    const read = readExposition(page('openmetrics'), (name) => name.startsWith('vllm:'))
    expect(read?.series).toEqual([
      {
        name: 'vllm:request_success_total',
        labels: new Map([
          ['model_name', 'a "b" \\ c\nd'],
          ['finished_reason', 'stop'],
        ]),
        value: 17,
      },
      {
        name: 'vllm:request_success_created',
        labels: new Map([
          ['model_name', 'a'],
          ['finished_reason', 'stop'],
        ]),
        value: 1_795_140_000.5,
      },
      { name: 'vllm:num_requests_running', labels: new Map([['model_name', 'a']]), value: 0 },
    ])
    expect(read?.announced).toEqual(new Set(['vllm:request_success', 'vllm:num_requests_running']))
  })

  test('is not read beyond its # EOF', () => {
    expect(all('a 1\n# EOF\nb 2\n')).toEqual([['a', 1]])
  })

  test('may have infinity, NaN and every notation of a number', () => {
    expect(all('a +Inf\nb -Inf\nc NaN\nd 1e3\ne .5\nf -2.\ng 1.5E-2')).toEqual([
      ['a', Number.POSITIVE_INFINITY],
      ['b', Number.NEGATIVE_INFINITY],
      ['c', Number.NaN],
      ['d', 1000],
      ['e', 0.5],
      ['f', -2],
      ['g', 0.015],
    ])
  })

  test('may have spaces, tabs, empty lines and Windows line endings', () => {
    expect(all('\r\n  a{x = "1" , y="2"}\t 1  \r\n\n\tb  2 1700000000000\r\n')).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  test('may have braces, hashes and commas in the value of a label', () => {
    expect(readExposition('a{x="} 9 # ,",y="2"} 1', () => true)?.series[0]?.labels.get('x')).toBe('} 9 # ,')
  })

  test('in a JSON string is unwrapped once', () => {
    expect(all(JSON.stringify('a{x="1"} 1\nb 2\n'))).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(all(JSON.stringify(JSON.stringify('a 1\n')))).toBeNull()
    expect(all('"a 1')).toBeNull()
  })

  test.each([
    ['nothing', ''],
    ['blank lines', '\n \n'],
    ['comments alone', '# hello\n# world\n'],
    ['a page', '<!DOCTYPE html>\n<html><body>metrics</body></html>'],
    ['JSON', '{"status": "ok", "running": 0}'],
    ['a list', '[1,2]'],
    ['prose', 'Not found\n'],
    ['a bare word', 'OK'],
    ['a number', '12'],
    ['a line without value', 'a{x="1"}\nb 2'],
    ['a bad line among good ones', 'a 1\nb{x=1} 2\nc 3'],
    ['an open label', 'a{x="1\nb 2"} 3'],
    ['a hexadecimal value', 'a 0x10'],
    ['a bad time stamp', 'a 1 soon'],
    ['something behind the time stamp', 'a 1 2 3'],
  ])('is rejected for %s', (_, text) => {
    expect(all(text)).toBeNull()
  })

  test('is read only for the names that were asked for', () => {
    const text = 'a 1\nb{x="1"} 2\nb{x="2"} 3\nbb 4\n'
    expect(readExposition(text, (name) => name === 'b')?.series.map(({ value }) => value)).toEqual([2, 3])
    expect(readExposition('a 1\n', () => false)).toEqual({ series: [], announced: new Set() })
  })

  test('asks for a name once for all its consecutive lines', () => {
    const asked: string[] = []
    readExposition('ab 1\nab{x="1"} 2\na 1\na 2\nab 3', (name) => asked.push(name) > 0)
    expect(asked).toEqual(['ab', 'a', 'ab'])
  })

  test('is abandoned above its limits on characters, lines, line length and series', () => {
    expect(all('a 1\n'.repeat(10_001))).toBeNull()
    expect(all('a 1\n'.repeat(10_000))).toHaveLength(10_000)
    expect(readExposition('a 1\n'.repeat(200_001), () => false)).toBeNull()
    expect(readExposition(`a{x="${'y'.repeat(70_000)}"} 1`, () => false)).toBeNull()
    expect(readExposition(' '.repeat(9 * 1024 * 1024), () => false)).toBeNull()
  })
})

describe('The output of any exporter', () => {
  const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,12}$/)
  const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,6}$/)
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 1e21, -0.5),
  )
  const series = fc.record({ name, labels: fc.dictionary(label, fc.string(), { noNullPrototype: true }), value })

  test('is read back unchanged', () => {
    fc.assert(
      fc.property(fc.array(series, { minLength: 1, maxLength: 20 }), fc.boolean(), (all, wrapped) => {
        const text = all.map(written).join('\n')
        const read = readExposition(wrapped ? JSON.stringify(text) : text, () => true)
        expect(read?.series).toEqual(
          all.map((one) => ({ name: one.name, labels: new Map(Object.entries(one.labels)), value: one.value + 0 })),
        )
      }),
    )
  })

  function written(one: { name: string; labels: Record<string, string>; value: number }): string {
    const labels = Object.entries(one.labels).map(([key, text]) => `${key}="${escaped(text)}"`)
    const number = String(one.value).replace('Infinity', 'Inf').replace(/^I/, '+I')
    return `${one.name}${labels.length > 0 ? `{${labels.join(',')}}` : ''} ${number}`
  }

  function escaped(text: string): string {
    return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  }
})

describe('A hundred thousand malicious texts', () => {
  const pages = ['vllm-busy', 'ray-idle', 'web-busy', 'openmetrics', 'tgi-idle'].map(page)
  const scraps = [
    '{',
    '}',
    '"',
    '\\',
    '\n',
    '\r\n',
    '#',
    '# TYPE ',
    '# EOF',
    '=',
    ',',
    ' ',
    'NaN',
    '+Inf',
    '\0',
    '1e999',
    ':',
    '\u2028',
    '💡',
    '__proto__',
  ]

  test('are read or rejected, and never throw', () => {
    const dice = diceOf(20_260_302)
    let [read, refused] = [0, 0]
    for (let i = 0; i < tries(100_000); i += 1) {
      const found = sampleOf(i % 4 === 0 ? random(dice) : mutated(dice))
      if (found === null) refused += 1
      else {
        read += 1
        expect(Object.values(found.counters).every(Number.isFinite)).toBe(true)
      }
    }
    expect(Math.min(read, refused)).toBeGreaterThan(tries(5_000))
  })

  test('take no more time than their length allows', () => {
    const nasty = [
      `a{${'x="1",'.repeat(10_000)}`,
      `a{x="${'\\'.repeat(60_000)}`,
      `a${' '.repeat(60_000)}b`,
      `a 1${' 1'.repeat(30_000)}#`,
      '{"'.repeat(30_000),
    ]
    for (const line of nasty) expect(readExposition(`${line}\n`.repeat(50), () => true)).toBeNull()
  })

  function random({ next, pick }: Dice): string {
    const length = Math.floor(next() * 20)
    return Array.from({ length }, () =>
      next() < 0.5 ? pick(scraps) : String.fromCharCode(32 + Math.floor(next() * 95)),
    ).join('')
  }

  function mutated({ next, pick }: Dice): string {
    const whole = pick(pages)
    const from = whole.indexOf('\n', Math.floor(next() * whole.length)) + 1
    const text = whole.slice(from, from + 400)
    const at = Math.floor(next() * text.length)
    const kind = next()
    if (kind < 0.3) return text.slice(0, at)
    const left = kind < 0.7 ? 0 : 1 + Math.floor(next() * 9)
    return text.slice(0, at) + pick(scraps) + text.slice(at + left)
  }
})
