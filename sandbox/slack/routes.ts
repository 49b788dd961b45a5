import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResponseUrls } from './response-urls.ts'
import type { Route } from './server.ts'
import { takeUpload } from './uploads.ts'
import type { WebApi } from './web-api/api.ts'
import type { Workspace } from './workspace.ts'

/** Returns the routes that an app calls: the Web API, answers to interactions, uploads. */
export function appRoutes(workspace: Workspace, api: WebApi, responseUrls: ResponseUrls): readonly Route[] {
  return [
    at(/^\/api\/([\w.]+)$/, ([name = ''], request, response, url) =>
      api.answer(request, response, name, url.searchParams),
    ),
    at(/^\/respond\/(\w+)\/(\w+)$/, ([secret, id = ''], request, response) =>
      secret === workspace.secret ? responseUrls.answer(request, response, id) : false,
    ),
    at(/^\/upload\/(\w+)\/(\w+)$/, ([secret, id = ''], request, response) =>
      secret === workspace.secret ? takeUpload(workspace, request, response, id) : false,
    ),
  ]
}

/** Creates a route for one pattern of paths; `handle` gets what the pattern caught. */
export function at(
  path: RegExp,
  handle: (
    caught: readonly string[],
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ) => Promise<void> | false,
): Route {
  return async (request, response, url) => {
    const found = path.exec(url.pathname)
    if (!found) return false
    const handled = handle(found.slice(1), request, response, url)
    if (handled === false) return false
    await handled
    return true
  }
}
