import type { ServerResponse } from 'node:http'

/** How an endpoint answers reads of its metrics: properly, never, endlessly, with a redirect, or with an HTML page. */
export type ScrapeFate = 'well' | 'hangs' | 'huge' | 'elsewhere' | 'page'

const hugeBytes = 50 * 1024 * 1024
const piece = '# A line that says nothing, and comes again and again.\n'.repeat(1_000)

export function answerScrape(fate: ScrapeFate, response: ServerResponse, text: string): void {
  if (fate === 'hangs') return
  if (fate === 'elsewhere') return void response.writeHead(302, { location: 'http://127.0.0.1:9/metrics' }).end()
  if (fate === 'page')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>App</title>')
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  if (fate === 'well') return void response.end(text)
  pour(response, text)
}

/** Writes no faster than the client reads, so that it costs no memory here. */
function pour(response: ServerResponse, text: string): void {
  let left = hugeBytes
  function go(): void {
    while (left > 0 && !response.destroyed) {
      left -= piece.length
      if (!response.write(piece)) return void response.once('drain', go)
    }
    response.end(text)
  }
  go()
}
