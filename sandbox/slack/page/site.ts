import { timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, sendJson, sendText } from '../http.ts'
import { isObject, parseJson } from '../json.ts'
import type { Control } from '../options.ts'
import { at } from '../routes.ts'
import type { Route } from '../server.ts'
import type { Slack } from '../slack.ts'
import type { Person } from '../workspace.ts'
import { perform } from './deeds.ts'
import { feed } from './feed.ts'
import { pictureType } from './show.ts'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Scripts and styles come only from here; pictures from wherever a message says. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https: http://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the page and its requests. Without the token in the printed address, nothing of the workspace is shown. */
export function pageRoutes(slack: Slack, token: string, controls: readonly Control[]): readonly Route[] {
  const { workspace } = slack

  async function page(_: unknown, __: unknown, response: ServerResponse, url: URL): Promise<void> {
    if (!allowed(url)) return sendText(response, 403, 'Open the address that was printed when the sandbox started.')
    await asset('index.html', response)
  }

  async function events(_: unknown, __: unknown, response: ServerResponse, url: URL): Promise<void> {
    const person = personOf(url) ?? (allowed(url) ? people()[0] : undefined)
    if (!person) return sendText(response, 403, 'The token is wrong.')
    const since = Number(url.searchParams.get('since') ?? workspace.settings.clock.now())
    feed(workspace, person, controls, since, response)
  }

  async function deed(_: unknown, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const person = personOf(url)
    const asked = parseJson((await readBody(request)).toString())
    if (!person || !isObject(asked))
      return sendJson(response, 403, { problem: 'The token is wrong, or nobody has this id.' })
    try {
      sendJson(response, 200, await perform(slack, person, asked, controls))
    } catch (error) {
      sendJson(response, 200, { problem: error instanceof Error ? error.message : String(error) })
    }
  }

  async function file([id = '']: readonly string[], _: unknown, response: ServerResponse, url: URL): Promise<void> {
    const { name = '', content } = (allowed(url) ? workspace.files.get(id) : undefined) ?? {}
    if (!content) return sendText(response, 404, 'This file doesn’t exist.')
    const type = pictureType(name) ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-disposition': 'attachment' })
    response.end(content)
  }

  /** Returns the person the page acts as; the first of the people until somebody is chosen. */
  function personOf(url: URL): Person | undefined {
    if (!allowed(url)) return undefined
    const id = url.searchParams.get('as') ?? ''
    return id === '' ? people()[0] : people().find((person) => person.id === id)
  }

  function people(): readonly Person[] {
    return [...workspace.people.values()].filter((person) => !person.bot)
  }

  function allowed(url: URL): boolean {
    const given = Buffer.from(url.searchParams.get('token') ?? '')
    const wanted = Buffer.from(token)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  return [
    at(/^\/$/, page),
    at(/^\/page\/feed$/, events),
    at(/^\/page\/do$/, deed),
    at(/^\/page\/file\/(\w+)$/, file),
    at(/^\/page\/([a-z-]+\.(?:css|js|svg))$/, ([name = ''], _, response) => asset(name, response)),
  ]
}

async function asset(name: string, response: ServerResponse): Promise<void> {
  const content = await readFile(new URL(`./assets/${name}`, import.meta.url)).catch(() => undefined)
  if (!content) return sendText(response, 404, 'There’s nothing here.')
  response.writeHead(200, {
    'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(content)
}
