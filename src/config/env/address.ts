import * as z from 'zod'

/**
 * An http(s) address. Plain http is for this machine and for the network of its containers, whose names have no dot:
 * keys and tokens travel in the headers.
 * What was written is never quoted back, since an address can carry a password.
 */
export const address = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fault = faultOf(url)
  if (url && !fault) return url.href.replace(/\/+$/, '')
  context.addIssue({ code: 'custom', message: `${fault}` })
  return z.NEVER
})

function faultOf(url: URL | undefined): string | undefined {
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'is not an http(s) address. Write the whole address, for example https://api.example.com/v1.'
  if (url.username || url.password) return 'carries a user or password. Write the address without them.'
  if (url.search || url.hash) return 'has a ? or # part. Write the address without it.'
  if (url.protocol === 'http:' && !isNear(url.hostname))
    return 'is plain http to another machine. Write https://, since keys and tokens travel with every call.'
  return undefined
}

/** This machine, or a service of the same Compose file. */
function isNear(host: string): boolean {
  return (
    /^[a-z][a-z0-9_-]*$/i.test(host) ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  )
}
