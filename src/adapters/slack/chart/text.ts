import { type Canvas, type Color, paint, type Shape } from './canvas.ts'
import { blank, glyphs, unknown } from './glyphs.ts'

/** `size` is the height of capitals, in points. */
export interface Pen {
  readonly size: number
  readonly color: Color
  readonly bold?: boolean
}

type Point = readonly [number, number]
type Line = readonly [Point, Point]

/** Of the pen and between letters, in columns; capitals are twelve of them high. */
const [plain, strong, gap] = [1.55, 2.2, 3.6]
const high = 12

/** How wide a text is, in points. */
export function widthOf(text: string, { size }: Pick<Pen, 'size'>): number {
  const columns = Array.from(text).reduce((sum, letter) => sum + advanceOf(letter), 0)
  return Math.max(0, columns - gap) * (size / high)
}

/** Writes a text that stands on `y`, from `x` on, or with its middle or its end there. */
export function write(
  canvas: Canvas,
  text: string,
  [x, y]: Point,
  pen: Pen,
  align: 'start' | 'middle' | 'end' = 'start',
): void {
  const unit = pen.size / high
  const half = ((pen.bold === true ? strong : plain) * unit) / 2
  let left = x - widthOf(text, pen) * { start: 0, middle: 0.5, end: 1 }[align]
  for (const letter of text) {
    const lines = linesOf(letter)
    const at = left
    const box = [at - half, y - high * unit - half, at + advanceOf(letter) * unit, y + 4 * unit + half] as const
    paint(canvas, { box, distance: strokes(lines, at, y - pen.size, unit, half) }, pen.color)
    left += advanceOf(letter) * unit
  }
}

/** How far points are from the lines of a letter whose top left is at `left` and `top`. */
function strokes(lines: readonly Line[], left: number, top: number, unit: number, half: number): Shape['distance'] {
  let row = Number.NaN
  let close: readonly Line[] = []
  return (px, py) => {
    const y = (py - top) / unit
    // Points come row by row, and most lines are far from most rows.
    if (y !== row) {
      const reach = half / unit + 1
      close = lines.filter(([[, a], [, b]]) => Math.min(a, b) - reach < y && y < Math.max(a, b) + reach)
      row = y
    }
    return nearest(close, (px - left) / unit, y) * unit - half
  }
}

/** Every letter is drawn from the same strokes again and again. */
const drawn = new Map<string, readonly Line[]>()

function linesOf(letter: string): readonly Line[] {
  const known = drawn.get(letter)
  if (known !== undefined) return known
  const strokes = letter === ' ' ? [] : (glyphs[letter] ?? unknown).split(' ')
  const lines = strokes.flatMap((stroke) => {
    const points = bent(pointsOf(stroke.replace(/^[~@]/, '')), stroke.charAt(0))
    return points.slice(1).map((point, at): Line => [points[at] ?? point, point])
  })
  drawn.set(letter, lines)
  return lines
}

function advanceOf(letter: string): number {
  const columns = linesOf(letter)
    .flat()
    .map(([x]) => x)
  return (columns.length === 0 ? blank : Math.max(...columns)) + gap
}

function pointsOf(stroke: string): readonly Point[] {
  return (stroke.match(/../g) ?? []).map((pair) => [Number.parseInt(pair.charAt(0), 16), pair.charCodeAt(1) - 97])
}

/** Cuts the corners off, each time smaller ones (Chaikin), so that the points become the frame of a curve. */
function bent(points: readonly Point[], way: string): readonly Point[] {
  if (way !== '~' && way !== '@') return points
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return points
  // A round begins and ends where it touches its frame.
  const middle = between(last, first, 0.5)
  let curve: readonly Point[] = way === '@' ? [middle, ...points, middle] : points
  for (let round = 0; round < 3; round += 1) {
    const cut = curve.slice(1).flatMap((point, at) => {
      const before = curve[at] ?? point
      return [between(before, point, at === 0 ? 0 : 0.25), between(before, point, at === curve.length - 2 ? 1 : 0.75)]
    })
    curve = cut
  }
  return curve
}

function between([ax, ay]: Point, [bx, by]: Point, part: number): Point {
  return [ax + (bx - ax) * part, ay + (by - ay) * part]
}

/** How far a point is from the nearest of these lines. */
function nearest(lines: readonly Line[], x: number, y: number): number {
  let best = Number.POSITIVE_INFINITY
  for (const [[ax, ay], [bx, by]] of lines) {
    const [dx, dy] = [bx - ax, by - ay]
    const long = dx * dx + dy * dy
    const part = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / long))
    best = Math.min(best, (x - ax - dx * part) ** 2 + (y - ay - dy * part) ** 2)
  }
  return Math.sqrt(best)
}
