import { crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The canvas as a PNG of eight bits a colour (W3C, Portable Network Graphics). */
export function pngOf({ width, height, scale, pixels }: Canvas): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Bits, colours without transparency; compression, filter and interlacing are the only ones there are, or none.
  head.set([8, 2, 0, 0, 0], 8)
  // So many pixels a metre: viewers that care show a point as a point.
  const density = Buffer.alloc(9)
  density.writeUInt32BE(2_835 * scale, 0)
  density.writeUInt32BE(2_835 * scale, 4)
  density.writeUInt8(1, 8)
  const long = width * 3
  const rows = Buffer.alloc((long + 1) * height)
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * long, (row + 1) * long), row * (long + 1) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
