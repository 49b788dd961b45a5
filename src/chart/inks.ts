import type { Color } from './canvas.ts'

/** Of the card that everything stands on. */
export const paper: Color = [0xfd, 0xfc, 0xf9]

const blue: Color = [0x00, 0x5f, 0x9e]
const orange: Color = [0xc2, 0x5a, 0x00]
const grey: Color = [0x6d, 0x72, 0x7c]

/**
 * What the parts of a bar are filled with, the lowest first: full, striped, dotted. Blue, orange and grey stay apart
 * for people who do not see all colours (Okabe and Ito, Color Universal Design), and the patterns without any.
 */
export const inks: readonly (Color | ((x: number, y: number) => Color))[] = [
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
