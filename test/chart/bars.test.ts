import { describe, expect, test } from 'vitest'
import { drawn, ticksOf } from '../../src/adapters/slack/chart/bar-chart.ts'
import { glyphs } from '../../src/adapters/slack/chart/glyphs.ts'
import type { Picture } from '../../src/core/model/answer.ts'
import { type Decoded, decoded } from './decoded.ts'

const paper = '#fdfcf9'
const [blue, orange, grey] = ['#005f9e', '#c25a00', '#6d727c']

function picture(bars: Picture['bars'], more: Partial<Picture> = {}): Picture {
  const parts = ['schedules 4 h', 'idle watch 2 h', 'people 1 h']
  return { name: 'savings.png', title: 'Saved', says: '', alt: '', unit: 'h', parts, bars, ...more }
}

/** How many pixels of a colour there are in a part of it, in points. */
function count(png: Decoded, color: string, [left, top, right, bottom]: readonly number[] = [0, 0, 760, 380]): number {
  let found = 0
  for (let y = (top ?? 0) * 2; y < (bottom ?? 0) * 2; y += 1)
    for (let x = (left ?? 0) * 2; x < (right ?? 0) * 2; x += 1) if (png.at(x, y) === color) found += 1
  return found
}

const bars = [
  { label: 'Mon 16', values: [4, 0, 0] },
  { label: 'Tue 17', values: [2, 2, 0] },
  { label: 'Wed 18', values: [0, 0, 0] },
  { label: 'Thu 19', values: [1, 1, 1] },
]
/** Where the first, the second … of four bars stands, in points. */
const place = (at: number) => [64 + 167 * at, 124, 64 + 167 * (at + 1), 331]

describe('A picture', () => {
  const png = decoded(drawn(picture(bars)))

  test('is a PNG of two pixels a point, on paper of its own with a frame', () => {
    expect([png.width, png.height]).toEqual([1520, 760])
    expect([png.at(0, 0), png.at(1519, 759), png.at(760, 759)]).toEqual(['#8a8f98', '#8a8f98', '#8a8f98'])
    expect(png.at(10, 10)).toBe(paper)
  })

  test('has a bar for each day, each part in its colour and as high as its value', () => {
    const [full, half] = [count(png, blue, place(0)), count(png, blue, place(1))]
    expect(full / half).toBeGreaterThan(1.9)
    expect(full / half).toBeLessThan(2.1)
    expect(count(png, orange, place(0))).toBe(0)
    for (const color of [blue, orange, grey]) {
      expect(count(png, color, place(2))).toBe(0)
      expect(count(png, color, place(3))).toBeGreaterThan(300)
    }
  })

  test('tells the parts apart without colour: the second is striped, the third dotted', () => {
    const column = (at: number) => 64 + 167 * at + 83
    const shades = new Set(Array.from({ length: 40 }, (_, at) => png.at(column(1) * 2, 2 * (160 + at))))
    expect(shades.size).toBeGreaterThan(2)
    expect(count(png, paper, [column(0) - 10, 200, column(0) + 10, 320])).toBe(0)
  })

  test('shows also the smallest part of a day', () => {
    const small = decoded(drawn(picture([{ label: 'Mon 16', values: [1_000, 0.1, 0] }, ...bars.slice(1)])))
    expect(count(small, orange, [64, 100, 230, 331])).toBeGreaterThan(20)
  })

  test('is drawn for any number of days', () => {
    for (const days of [1, 2, 31, 91]) {
      const many = Array.from({ length: days }, (_, at) => ({ label: `${at} Nov`, values: [at + 1, 1, 1] }))
      expect(count(decoded(drawn(picture(many))), blue, [64, 124, 732, 331])).toBeGreaterThan(1_000)
    }
  })

  test('has words that stand out from the paper by 4.5 to 1 and more, and marks by 3 to 1', () => {
    for (const ink of ['#1f232b', '#575d68']) expect(contrast(ink, paper)).toBeGreaterThanOrEqual(4.5)
    for (const ink of [blue, orange, grey]) expect(contrast(ink, paper)).toBeGreaterThanOrEqual(3)
    expect(count(png, '#1f232b')).toBeGreaterThan(100)
    expect(count(png, '#575d68')).toBeGreaterThan(100)
  })
})

test('every letter and digit that a title, a month, a zone or a currency may have is drawn', () => {
  const needed = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-+/_·()'
  expect(needed.split('').filter((letter) => !(letter in glyphs))).toEqual([])
  for (const strokes of Object.values(glyphs))
    expect(strokes).toMatch(/^[~@]?([0-9A-C][a-q]){2,}( [~@]?([0-9A-C][a-q]){2,})*$/)
  const written = decoded(drawn(picture(bars, { title: needed.slice(0, 40) })))
  const boxed = decoded(drawn(picture(bars, { title: '\u{1f600}' })))
  expect(count(written, '#1f232b', [28, 20, 700, 46])).toBeGreaterThan(count(boxed, '#1f232b', [28, 20, 700, 46]))
})

test.each([
  [0, [0, 0.5]],
  [0.4, [0, 0.5]],
  [4, [0, 1, 2, 3, 4]],
  [60.5, [0, 20, 40, 60, 80]],
  [168, [0, 50, 100, 150, 200]],
  [12_345, [0, 5_000, 10_000, 15_000]],
])('a scale that reaches %d has round numbers', (most, ticks) => {
  expect(ticksOf(most)).toEqual(ticks)
})

/** WCAG 2.2, contrast ratio. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [lightOf(a), lightOf(b)].toSorted((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

function lightOf(color: string): number {
  const [red = 0, green = 0, blue_ = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((pair) => {
    const value = Number.parseInt(pair, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue_
}
