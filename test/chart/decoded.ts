import { crc32, inflateSync } from 'node:zlib'

/** A PNG as it is read back: only of the kind that we write. */
export interface Decoded {
  readonly width: number
  readonly height: number
  /** Of a pixel: "#005f9e". */
  at(x: number, y: number): string
}

export function decoded(png: Buffer): Decoded {
  if (png.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('This is no PNG.')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    if (crc32(body) !== png.readUInt32BE(at + 8 + length)) throw new Error('A checksum is wrong.')
    chunks.set(body.subarray(0, 4).toString('latin1'), body.subarray(4))
    at += 12 + length
  }
  const head = chunks.get('IHDR') ?? Buffer.alloc(13)
  if (!chunks.has('IEND') || head.subarray(8).toString('hex') !== '0802000000') throw new Error('Another kind of PNG.')
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  if (rows.length !== (width * 3 + 1) * height) throw new Error('There are too few pixels, or too many.')
  return {
    width,
    height,
    at: (x, y) =>
      `#${rows
        .subarray(y * (width * 3 + 1) + 1 + x * 3)
        .subarray(0, 3)
        .toString('hex')}`,
  }
}
