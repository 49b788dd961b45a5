/** A single server, a master found through Sentinels, or a cluster. */
export interface RedisAddress {
  readonly kind: 'one' | 'sentinel' | 'cluster'
  /** Servers, or Sentinels. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
  readonly db: number
  /** The master's name, as the Sentinels know it. */
  readonly master?: string
  readonly sentinelUsername?: string
  readonly sentinelPassword?: string
}

/** The message quotes nothing, because an address can contain a password. */
export class BadRedisAddress extends Error {
  override readonly name = 'BadRedisAddress'
}

const shape = /^redis(s)?(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(?:\/([^?#\s]*))?(?:\?([^#\s]*))?$/

/**
 * Parses `redis://`, `redis+sentinel://` and `redis+cluster://`, each with `rediss` for TLS. Throws BadRedisAddress.
 *
 * redis://[user:password@]host[:6379][/db]
 * redis+sentinel://[user:password@]host[:26379][,…]/master[/db][?sentinel_password=…&sentinel_username=…]
 * redis+cluster://[user:password@]host[:6379][,…]
 */
export function redisAddress(text: string): RedisAddress {
  const [, secure, several, login = '', places = '', path = '', query = ''] = shape.exec(text) ?? []
  if (places === '')
    throw new BadRedisAddress(
      'is not the address of a Redis. Write for example redis://127.0.0.1:6379, or rediss:// for TLS; ' +
        'redis+sentinel://host1:26379,host2:26379/mymaster or redis+cluster://host1:6379,host2:6379.',
    )
  const kind = several === 'sentinel' || several === 'cluster' ? several : 'one'
  const hosts = places.split(',').map((place) => hostOf(place, kind === 'sentinel' ? 26_379 : 6_379))
  if (kind === 'one' && hosts.length > 1)
    throw new BadRedisAddress(
      'names several hosts. Write redis+sentinel:// if they are Sentinels, redis+cluster:// if they are nodes of a cluster.',
    )
  const { master, db } = pathOf(kind, path)
  const [username = '', password = ''] = login.includes(':') ? splitAt(login, login.indexOf(':')) : [login]
  const { sentinel_username: sentinelUsername, sentinel_password: sentinelPassword } = optionsOf(kind, query)
  return {
    kind,
    hosts,
    tls: secure !== undefined,
    db,
    ...(username !== '' && { username: decoded(username) }),
    ...(password !== '' && { password: decoded(password) }),
    ...(master !== undefined && { master }),
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
  }
}

function hostOf(place: string, usual: number): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(place) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? usual : Number(digits)
  if (host === undefined || port < 1 || port > 65_535)
    throw new BadRedisAddress('has a host that cannot be read. Write host:port, several with commas and no spaces.')
  return { host, port }
}

function pathOf(kind: RedisAddress['kind'], path: string): { readonly master?: string; readonly db: number } {
  const parts = path.split('/').filter((part) => part !== '')
  const master = kind === 'sentinel' ? parts.shift() : undefined
  if (kind === 'sentinel' && master === undefined)
    throw new BadRedisAddress(
      'does not name the master. Write the name that the Sentinels know it by behind the hosts: …:26379/mymaster.',
    )
  const [number = '0', ...more] = parts
  if (!/^\d{1,5}$/.test(number) || more.length > 0)
    throw new BadRedisAddress('has a database that is not a number. Write for example /0 at its end, or nothing.')
  if (kind === 'cluster' && number !== '0')
    throw new BadRedisAddress('names a database, and a cluster has only the one. Leave it out.')
  return { db: Number(number), ...(master !== undefined && { master: decoded(master) }) }
}

function optionsOf(kind: RedisAddress['kind'], query: string): Partial<Record<string, string>> {
  const known = kind === 'sentinel' ? ['sentinel_username', 'sentinel_password'] : []
  const options = query.split('&').filter((part) => part !== '')
  return Object.fromEntries(
    options.map((option) => {
      const [name, value] = splitAt(option, option.indexOf('='))
      if (!known.includes(name))
        throw new BadRedisAddress(
          'has an option that is not known. Only redis+sentinel:// takes some: sentinel_username and sentinel_password.',
        )
      return [name, decoded(value)]
    }),
  )
}

function splitAt(text: string, at: number): readonly [string, string] {
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new BadRedisAddress('has a % that stands for nothing. Write %25 for the sign itself.')
  }
}
