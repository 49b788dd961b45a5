import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { say, type Words } from '../../core/model/words.ts'
import type { ClientTerminal } from './given.ts'

/** Where the API is, and who calls it. */
export interface Access {
  readonly url: string
  readonly token: string
}

/** What a login leaves. */
export interface Login extends Access {
  /** What the token is called in Slack. */
  readonly name: string
}

/** In the system’s usual place for the settings of one person. */
export function loginFile(env: ClientTerminal['env']): string {
  const base = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  return join(base || join(homedir(), '.config'), 'lamplighter', 'login.json')
}

/** Null where nobody is logged in. */
export async function readLogin(env: ClientTerminal['env']): Promise<Login | null> {
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

/** At once and whole; nobody else may read it. */
export async function writeLogin(login: Login, env: ClientTerminal['env']): Promise<void> {
  const file = loginFile(env)
  const unfinished = `${file}.${process.pid}.tmp`
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // A folder that was there keeps its mode.
  await chmod(dirname(file), 0o700)
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(unfinished, file)
}

export async function deleteLogin(env: ClientTerminal['env']): Promise<void> {
  await rm(loginFile(env), { force: true })
}

/** The variables, or else what a login has left; its token goes to no other address, which an `.env` could name. */
export async function accessOf(env: ClientTerminal['env']): Promise<Access | { readonly wrong: Words }> {
  const [url, token] = [env['LAMPLIGHTER_API_URL'], env['LAMPLIGHTER_TOKEN']].map((value) => value?.trim() || undefined)
  const login = await readLogin(env)
  const at = url ?? login?.url
  if (token === undefined && url !== undefined && url !== login?.url) return { wrong: say('terminal.noToken', { url }) }
  const shown = token ?? login?.token
  if (shown === undefined) return { wrong: '' }
  return at !== undefined && isAddress(at) ? { url: at, token: shown } : { wrong: say('terminal.noAddress') }
}

export function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
