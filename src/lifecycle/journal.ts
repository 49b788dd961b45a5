import type { Progress, Send } from '../domain/progress.ts'
import type { Request } from '../domain/request.ts'

/** The request with the progress of one step replaced; `nextAt` null goes on at once. */
export function withProgress(request: Request, at: number, progress: Progress, nextAt: number | null = null): Request {
  return { ...request, progress: (request.progress ?? []).with(at, progress), nextAt }
}

/** What the platform said to a call, as the ending of a request quotes it. */
export function quoted(send: Send | undefined): { readonly quote?: string } {
  const says = send?.outcome?.says
  return says === undefined || says === '' ? {} : { quote: says }
}
