import type { Picture } from '../../../core/model/answer.ts'
import { type Box, type Canvas, type Color, canvasOf, paint, rounded } from './canvas.ts'
import { pngOf } from './png.ts'
import { type Pen, widthOf, write } from './text.ts'

/** In points: the picture, and within it the field that the bars stand in. */
const size = { width: 760, height: 380, scale: 2 } as const
const field: Box = [64, 124, 732, 332]
const edge = 28

const ink: Color = [0x1f, 0x23, 0x2b]
const faint: Color = [0x57, 0x5d, 0x68]
const rule: Color = [0xe2, 0xe1, 0xdc]
const frame: Color = [0x8a, 0x8f, 0x98]
const title: Pen = { size: 13, color: ink, bold: true }
const below: Pen = { size: 9.5, color: faint }
const legend: Pen = { size: 9.5, color: ink }
const small: Pen = { size: 8.5, color: faint }

/** The widest bar, and how much of its place a bar takes. */
const [widest, share] = [44, 0.68]
/** Fewer bars are told by numbers as well. */
const few = 14

/** Draws a picture as a PNG, on paper of its own, so that it reads the same on light and dark. Takes no network. */
export function drawn(picture: Picture): Buffer<ArrayBuffer> {
  const { width, height, scale } = size
  const canvas = canvasOf(width, height, scale, paper)
  drawFrame(canvas)
  write(canvas, picture.title, [edge, 40], title)
  write(canvas, picture.says, [edge, 62], below)
  drawLegend(canvas, picture.parts)
  const sums = picture.bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const ticks = ticksOf(Math.max(0, ...sums))
  const top = ticks.at(-1) ?? 1
  drawScale(canvas, ticks, picture.unit)
  for (const at of picture.bars.keys()) drawBar(canvas, picture, at, top)
  return pngOf(canvas)
}

function drawFrame(canvas: Canvas): void {
  const { width, height } = size
  const sides: readonly Box[] = [
    [0, 0, width, 1],
    [0, height - 1, width, height],
    [0, 0, 1, height],
    [width - 1, 0, width, height],
  ]
  for (const side of sides) paint(canvas, rounded(side), frame)
}

function drawLegend(canvas: Canvas, parts: readonly string[]): void {
  let left = edge
  for (const [at, part] of parts.entries()) {
    paint(canvas, rounded([left, 80, left + 12, 92], 2), inks[at % inks.length] ?? ink)
    write(canvas, part, [left + 19, 91], legend)
    left += 19 + widthOf(part, legend) + 26
  }
}

function drawScale(canvas: Canvas, ticks: readonly number[], unit: string): void {
  const [left, , right] = field
  const top = ticks.at(-1) ?? 1
  for (const tick of ticks) {
    const y = heightOf(tick, top)
    paint(canvas, rounded([left, y - 0.5, right, y + 0.5]), tick === 0 ? frame : rule)
    write(canvas, `${tick.toLocaleString('en')} ${unit}`, [left - 10, y + small.size / 2], small, 'end')
  }
}

function drawBar(canvas: Canvas, { bars }: Picture, at: number, top: number): void {
  const [left, , right, bottom] = field
  const place = (right - left) / bars.length
  const middle = left + place * (at + 0.5)
  const half = Math.min(widest, place * share) / 2
  const { label = '', values = [] } = bars[at] ?? {}
  let sum = 0
  for (const [part, value] of values.entries()) {
    if (value <= 0) continue
    // A line of paper keeps the parts apart; the least of them can still be seen.
    const low = heightOf(sum, top) - (sum === 0 ? 0.5 : 1)
    sum += value
    const box: Box = [middle - half, Math.min(heightOf(sum, top), low - 1.5), middle + half, low]
    paint(canvas, rounded(box, Math.min(2.5, half / 2)), inks[part % inks.length] ?? ink)
  }
  if (isLabelled(at, bars.length)) write(canvas, label, [middle, bottom + 19], small, 'middle')
  if (sum > 0 && bars.length <= few) drawNumber(canvas, shortly(sum), [middle, heightOf(sum, top) - 6])
}

/** On paper of its own: a line of the scale must not run through it. */
function drawNumber(canvas: Canvas, text: string, [x, y]: readonly [number, number]): void {
  const half = widthOf(text, small) / 2 + 3
  paint(canvas, rounded([x - half, y - small.size - 3, x + half, y + 3]), paper)
  write(canvas, text, [x, y], { ...small, color: ink }, 'middle')
}

function heightOf(value: number, top: number): number {
  const [, high, , bottom] = field
  return bottom - (value / top) * (bottom - high)
}

/** The newest has a label, and from there as many others as can be read beside each other. */
function isLabelled(at: number, count: number): boolean {
  const apart = Math.ceil(count / few)
  return (count - 1 - at) % apart === 0
}

function shortly(value: number): string {
  return (value < 10 ? Math.floor(value * 10 + 1e-6) / 10 : Math.floor(value + 1e-6)).toLocaleString('en')
}

/** Round numbers from 0 to the first that reaches `most`, three to six of them. */
export function ticksOf(most: number): readonly number[] {
  const rough = Math.max(most, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power
  const count = Math.max(1, Math.ceil(most / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)))
}

/** Of the card that everything stands on. */
const paper: Color = [0xfd, 0xfc, 0xf9]

const blue: Color = [0x00, 0x5f, 0x9e]
const orange: Color = [0xc2, 0x5a, 0x00]
const grey: Color = [0x6d, 0x72, 0x7c]

/**
 * What the parts of a bar are filled with, the lowest first: full, striped, dotted. Blue, orange and grey stay apart
 * for people who do not see all colours (Okabe and Ito, Color Universal Design), and the patterns without any.
 */
const inks: readonly (Color | ((x: number, y: number) => Color))[] = [
  blue,
  (x, y) => mixed(orange, stripe(x + y)),
  (x, y) => mixed(grey, dot(x, y)),
]

/** How much of the paper shows through, 0 to 1: soft at the edges. Widths in points. */
function stripe(along: number): number {
  const apart = 6
  const from = Math.abs((((along % apart) + apart) % apart) - apart / 2)
  return 0.55 * soft(1.2 - from)
}

function dot(x: number, y: number): number {
  const apart = 4.5
  const row = Math.round(y / apart)
  const shifted = x + (row % 2 === 0 ? 0 : apart / 2)
  const from = Math.hypot(shifted - Math.round(shifted / apart) * apart, y - row * apart)
  return 0.75 * soft(1.1 - from)
}

function soft(inside: number): number {
  return Math.max(0, Math.min(1, inside + 0.5))
}

function mixed(color: Color, through: number): Color {
  const [red, green, blue] = color.map((value, at) => value + ((paper[at] ?? 0) - value) * through)
  return [red ?? 0, green ?? 0, blue ?? 0]
}
