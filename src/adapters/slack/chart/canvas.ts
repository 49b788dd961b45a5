/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number]

/** Drawn in points; `scale` pixels are one point, for screens that show two. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly scale: number
  /** Three bytes a pixel, row by row. */
  readonly pixels: Uint8Array
}

/** In points: left, top, right, bottom. */
export type Box = readonly [number, number, number, number]

/** Something with an edge: how far outside of it a point is, negative inside. Nothing of it lies outside of `box`. */
export interface Shape {
  readonly box: Box
  readonly distance: (x: number, y: number) => number
}

export function canvasOf(width: number, height: number, scale: number, paper: Color): Canvas {
  const pixels = new Uint8Array(width * scale * height * scale * 3)
  pixels.set(paper)
  for (let done = 3; done < pixels.length; done *= 2) pixels.copyWithin(done, 0, done)
  return { width: width * scale, height: height * scale, scale, pixels }
}

/** Paints a shape with soft edges, in one colour or in one that differs from point to point. */
export function paint(canvas: Canvas, { box, distance }: Shape, ink: Color | ((x: number, y: number) => Color)): void {
  const { width, height, scale, pixels } = canvas
  const [left, top, right, bottom] = box
  const [fromX, toX] = [Math.max(0, Math.floor(left * scale) - 1), Math.min(width, Math.ceil(right * scale) + 1)]
  const [fromY, toY] = [Math.max(0, Math.floor(top * scale) - 1), Math.min(height, Math.ceil(bottom * scale) + 1)]
  for (let row = fromY; row < toY; row += 1) {
    const y = (row + 0.5) / scale
    for (let column = fromX; column < toX; column += 1) {
      const x = (column + 0.5) / scale
      const covered = Math.min(1, 0.5 - distance(x, y) * scale)
      if (covered <= 0) continue
      const color = typeof ink === 'function' ? ink(x, y) : ink
      const at = (row * width + column) * 3
      for (let part = 0; part < 3; part += 1) {
        const under = pixels[at + part] ?? 0
        pixels[at + part] = Math.round(under + ((color[part] ?? 0) - under) * covered)
      }
    }
  }
}

/** A box with round corners; `radius` in points. */
export function rounded(box: Box, radius = 0): Shape {
  const [left, top, right, bottom] = box
  const [centerX, centerY] = [(left + right) / 2, (top + bottom) / 2]
  const round = Math.min(radius, (right - left) / 2, (bottom - top) / 2)
  const [halfX, halfY] = [(right - left) / 2 - round, (bottom - top) / 2 - round]
  return {
    box,
    distance: (x, y) => {
      const [outX, outY] = [Math.abs(x - centerX) - halfX, Math.abs(y - centerY) - halfY]
      if (outX <= 0 || outY <= 0) return Math.max(outX, outY) - round
      return Math.hypot(outX, outY) - round
    },
  }
}
