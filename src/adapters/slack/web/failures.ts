import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { type Clock, type Log, Misconfigured } from '../../../core/ports/services.ts'

/** A failed call to Slack, by what to do next. */
export type Failure =
  /** Slack refuses this channel or person for good. */
  | { readonly kind: 'closed'; readonly why: string }
  /** The message no longer exists. */
  | { readonly kind: 'gone' }
  /** Slack refuses these blocks. */
  | { readonly kind: 'unfit'; readonly why: string }
  /** Rate limit; nothing was done. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** Slack refuses for now; nothing was done. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The call may have succeeded. `repeated`: this was the second copy, which is never sent again. */
  | { readonly kind: 'unknown'; readonly why: string; readonly repeated?: true }

const closed =
  /^(channel_not_found|not_in_channel|is_archived|restricted_action.*|user_not_found|user_disabled|cannot_dm_bot|messages_tab_disabled|ekm_access_denied|team_access_not_granted|no_permission|access_denied|user_not_in_channel)$/
const gone = /^(message_not_found|thread_not_found|cant_update_message|edit_window_closed|is_inactive)$/
const unfit =
  /^(invalid_blocks|invalid_blocks_format|msg_too_long|msg_blocks_too_long|no_text|invalid_attachments|metadata_too_large|invalid_metadata_.*)$/
const unsure = /^(internal_error|fatal_error|service_unavailable|request_timeout)$/

const useless =
  /^(not_authed|invalid_auth|account_inactive|user_removed_from_team|team_disabled|token_revoked|token_expired|not_allowed_token_type)$/
const barred =
  /^(access_denied|ekm_access_denied|org_login_required|two_factor_setup_required|missing_scope|no_permission)$/

/** Whether Slack refuses a token for good. */
export function isFinal(code: string): boolean {
  return useless.test(code) || barred.test(code)
}

/** Returns the error code with which Slack refused a call, '?' if the answer has none; '' if it did not answer. */
export function codeOf(error: unknown): string {
  return error instanceof WebAPIPlatformError ? error.data.error || '?' : ''
}

/** Says why a token could not be tested: Misconfigured with `refused` if Slack permanently refuses it. */
export function tokenError(error: unknown, refused: (code: string) => string): Error {
  const code = codeOf(error)
  if (isFinal(code)) return new Misconfigured(refused(code))
  return new Error(
    `Slack could not be reached (${whyNoAnswer(error, code)}). Check the network and, if set, the proxy and SLACK_API_URL: it ends with /api/.`,
  )
}

function whyNoAnswer(error: unknown, code: string): string {
  // Anything but JSON is taken for the name of an error.
  if (code !== '') return /^\w{1,60}$/.test(code) ? code : 'the answer is not from Slack’s API'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  if (cause.name === 'TimeoutError') return 'no answer'
  // These have a line of OpenSSL's source as their message.
  const isOpenSsl = 'code' in cause && String(cause.code).startsWith('ERR_SSL_')
  return isOpenSsl ? String(cause.code) : cause.message
}

/** Slack is away, or rejects the token: not only this call fails, as after an `internal_error`. */
export function isOutage(why: string): boolean {
  return why.startsWith('http_5') || why === 'service_unavailable' || useless.test(why)
}

/** Logs how an operator can fix a refusal. A refused app token is reported by `keepLinked` instead. */
export function tellRefusal(logger: { error(text: string): void }, method: string, why: string): void {
  if (useless.test(why) && method !== 'apps.connections.open')
    logger.error(`Slack refuses the bot token (${why}). Install the app again, and start with its new SLACK_BOT_TOKEN.`)
  if (why === 'missing_scope')
    logger.error(`The Slack app lacks a scope for ${method}. Add the scopes of the manifest, and install it again.`)
}

export function failureOf(error: unknown): Failure {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'wait', ms: Math.max(1, error.retryAfter) * 1000 }
  if (!(error instanceof WebAPIPlatformError))
    return { kind: 'unknown', why: error instanceof Error ? error.name : 'unknown' }
  const why = error.data.error
  if (why === 'ratelimited') return { kind: 'wait', ms: 1_000 }
  if (closed.test(why)) return { kind: 'closed', why }
  if (gone.test(why)) return { kind: 'gone' }
  if (unfit.test(why)) return { kind: 'unfit', why }
  return unsure.test(why) ? { kind: 'unknown', why } : { kind: 'refused', why }
}

/** Slack's error code, or the kind of failure if that says as much. */
export function failureCode(failure: Failure): string {
  return 'why' in failure ? failure.why : failure.kind
}

/** Returns the result of a call, or null after a failure, which it logs. */
export async function nullOnFailure<Result>(
  log: Pick<Log, 'warn'>,
  fields: object,
  message: string,
  call: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await call()
  } catch (err) {
    log.warn({ err, ...fields }, message)
    return null
  }
}

/** Reads a list in pages of 1,000. `isCut`: it has more than `most` pages. */
export async function pagesOf<Page extends { readonly response_metadata?: { readonly next_cursor?: string } }>(
  ask: (page: { limit: number; cursor?: string }) => Promise<Page>,
  most: number,
): Promise<{ readonly pages: readonly Page[]; readonly isCut: boolean }> {
  const pages: Page[] = []
  let cursor = ''
  do {
    const page = await ask({ limit: 1_000, ...(cursor !== '' && { cursor }) })
    pages.push(page)
    cursor = page.response_metadata?.next_cursor ?? ''
  } while (cursor !== '' && pages.length < most)
  return { pages, isCut: cursor !== '' }
}

const minuteMs = 60_000
/** More people than use a bot within a minute. */
const maxKeys = 2_000

/**
 * Caches answers, but no failures, for a minute or for the `within` ms of a call. Simultaneous calls share one lookup,
 * so that a crowd does not use up Slack's rate limit. With `within` 0 they share only with each other.
 */
export function memoize<T>(clock: Pick<Clock, 'now'>, ask: (key: string) => Promise<T>) {
  const known = new Map<string, { at: number; pending: boolean; forced: boolean; value: Promise<T> }>()
  return (key: string, within = minuteMs) => {
    const now = clock.now()
    const forced = within === 0
    const found = known.get(key)
    const age = found === undefined ? 0 : Math.abs(now - found.at)
    if (found !== undefined && (forced ? found.forced && (found.pending || age === 0) : age < within))
      return found.value
    if (known.size >= maxKeys) known.clear()
    const value = ask(key)
    const entry = { at: now, pending: true, forced, value }
    known.set(key, entry)
    value.then(
      () => {
        entry.pending = false
      },
      () => {
        if (known.get(key) === entry) known.delete(key)
      },
    )
    return value
  }
}
