import { hash, randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { writeWord } from '../../core/commands/quoting.ts'
import { codeLife, writeCode } from '../../core/model/token.ts'
import { say, type Words } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { hide } from '../../core/text/redact.ts'
import { asText } from '../../core/words/render.ts'
import type { ClientTerminal } from '../command-line.ts'
import { type Access, callApi } from './call-api.ts'
import { badLine, exitCodes, readable } from './show.ts'

/** How often to ask the API whether the person has approved, ms. */
const askEvery = 2_000

/** A token, as the API describes it. */
interface Me {
  readonly person: string
  /** The person's name in Slack. */
  readonly name?: string
  /** The token's name. */
  readonly token: string
  readonly project: string
  readonly role: string
  readonly until: string
}

/** The secret never leaves this machine: its owner approves a line with its digest. Returns the exit code. */
export async function login(
  { url, name = `${hostname()}-${randomBytes(2).toString('hex')}` }: { readonly url?: string; readonly name?: string },
  terminal: ClientTerminal,
): Promise<number> {
  const { env, language, out, err, now, wait } = terminal
  const tell = (says: Words) => err(asText(says, language))
  const leave = (code: number, says: Words): number => {
    tell(says)
    return code
  }
  const at = url ?? env['LAMPLIGHTER_API_URL'] ?? ''
  if (!isAddress(at)) return leave(2, say('terminal.noUrl'))
  const token = terminalSecret()
  const reached = await callApi<Me>({ url: at, token }, 'v1/me', terminal, { tries: 'one' })
  if (reached.kind === 'unreached') return leave(4, say('terminal.unreached', { url: at, why: reached.why }))

  const called = asText(say('terminal.name', { name }), language)
  const begun = now()
  // The API checks the age of the code, and this machine's clock may be wrong.
  const made = reached.kind === 'problem' && reached.at > 0 ? reached.at : begun
  const code = codeOf(token, made)
  tell(say('terminal.login'))
  out(`/endpoint token new ${writeWord(called)} code=${code}`)
  while (now() - begun < codeLife) {
    await wait(askEvery)
    const reply = await callApi<Me>({ url: at, token }, 'v1/me', terminal, { tries: 'all' })
    if (reply.kind === 'unreached') return leave(4, say('terminal.unreached', { url: at, why: reply.why }))
    if (reply.kind === 'ok') {
      const { name = 'none', token: called, ...me } = reply.body
      await writeLogin({ url: at, token, name: called }, env)
      const says = say('terminal.loggedIn', { ...me, name, file: loginFile(env) })
      out(readable(asText(says, language), terminal))
      return 0
    }
    const { type, says } = reply.problem
    if (type !== 'bad-token') return leave(type === 'login-declined' ? exitCodes.declined : badLine, says[language])
  }
  return leave(4, say('terminal.notInTime', { program }))
}

/** Makes a secret. One code in some 30,000 looks like another service's token, and the bot refuses a line with one. */
export function terminalSecret(random: (size: number) => Buffer = randomBytes): string {
  for (;;) {
    const secret = `lamp_${random(16).toString('base64url')}${random(32).toString('base64url')}`
    const code = codeOf(secret, 0)
    if (hide(code) === code) return secret
  }
}

function codeOf(secret: string, at: number): string {
  return writeCode(secret, hash('sha256', secret, 'base64url'), at)
}

/** Revokes the token, deletes it here, and says if somebody still has to revoke it. Returns the exit code. */
export async function logout(terminal: ClientTerminal): Promise<number> {
  const { env, language, out, err } = terminal
  const login = await readLogin(env)
  const file = loginFile(env)
  if (login === null) {
    out(asText(say('terminal.loggedOutAlready'), language))
    return 0
  }
  const line = `token revoke ${writeWord(login.name)}`
  const revoke = () => {
    const proposal = { key: randomUUID(), body: { line, reason: 'logout', wait: 15 } }
    return callApi<{ readonly status?: string }>(login, 'v1/lines', terminal, { proposal, tries: 'one' })
  }
  let reply = await revoke()
  // A code that was accepted in several projects opens each of them.
  while (reply.kind === 'ok' && reply.body.status === 'succeeded') reply = await revoke()
  await rm(file, { force: true })
  out(asText(say('terminal.loggedOut', { file }), language))
  if (reply.kind === 'problem' && reply.problem.type === 'bad-token') return 0
  err(asText(say('terminal.stillValid', { line: `/endpoint ${line}` }), language))
  return 1
}

interface Login extends Access {
  /** The token's name in Slack. */
  readonly name: string
}

/** Returns the file's path, in the system's usual place for a user's settings. */
export function loginFile(env: ClientTerminal['env']): string {
  const base = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  return join(base || join(homedir(), '.config'), 'lamplighter', 'login.json')
}

/** Returns null if nobody is logged in. */
async function readLogin(env: ClientTerminal['env']): Promise<Login | null> {
  try {
    const read: unknown = JSON.parse(await readFile(loginFile(env), 'utf8'))
    const { url, token, name } = read as Partial<Record<keyof Login, unknown>>
    return typeof url === 'string' && typeof token === 'string' && typeof name === 'string'
      ? { url, token, name }
      : null
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Replaces the file in one step; only its owner can read it. */
export async function writeLogin(login: Login, env: ClientTerminal['env']): Promise<void> {
  const file = loginFile(env)
  const unfinished = `${file}.${process.pid}.tmp`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // An existing folder keeps its mode.
  await chmod(dirname(file), 0o700)
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(unfinished, file)
}

/** Reads the variables, or the stored login, whose token is only sent to its own address: `.env` could name another. */
export async function accessOf(env: ClientTerminal['env']): Promise<Access | { readonly wrong: Words }> {
  const [url, token] = [env['LAMPLIGHTER_API_URL'], env['LAMPLIGHTER_TOKEN']].map((value) => value?.trim() || undefined)
  const login = token !== undefined && url !== undefined ? null : await readLogin(env)
  const at = url ?? login?.url
  const bare = (one = '') => one.replace(/\/+$/, '')
  if (token === undefined && url !== undefined && bare(url) !== bare(login?.url))
    return { wrong: say('terminal.noToken', { url }) }
  const shown = token ?? login?.token
  if (shown === undefined) return { wrong: '' }
  // A header can't have it, and the error would quote it.
  if (!/^[!-~]+$/.test(shown)) return { wrong: say('program.badToken') }
  return at !== undefined && isAddress(at) ? { url: at, token: shown } : { wrong: say('terminal.noAddress') }
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
