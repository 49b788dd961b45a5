import type { Fetched, Fetcher } from './fetch.ts'

interface Answered {
  /** Where it was in the end. */
  readonly url: URL
  readonly path: string
  readonly page: Fetched
}

/**
 * Fetches a page; one that is led to the same path with a slash at its end, or without, is asked for there, once.
 * Nothing else is followed. Web frameworks do that to apps they mount, and behind a proxy such an app knows neither its
 * scheme nor under which path it hangs, so what is asked is put together here and not taken from the answer.
 */
export async function fetched(fetcher: Fetcher, url: URL, path: string, key: string | undefined): Promise<Answered> {
  const page = await fetcher.get(url, key)
  const { location } = isLed(page) ? page : {}
  const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : null
  const other = new URL(url)
  other.pathname = slashed(url.pathname)
  const isOther = to?.host === url.host && to.search === '' && [other.pathname, slashed(path)].includes(to.pathname)
  return isOther ? { url: other, path: slashed(path), page: await fetcher.get(other, key) } : { url, path, page }
}

function slashed(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

export function isLed(page: Fetched): page is Fetched & { readonly kind: 'status' } {
  return page.kind === 'status' && page.status >= 300 && page.status < 400
}

/** What people are told of metrics that are elsewhere, as the end of a sentence. `name`: by which a line names it. */
export function ledAway(status: number, name = '<name>'): string {
  return `its metrics are led elsewhere (${status}), and that is not followed; stop it, and set where they are with \`patch ${name} metrics=/…\``
}
