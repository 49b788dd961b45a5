import { describe, expect, test } from 'vitest'
import { redisAddress } from '../../../src/core/text/redis-address.ts'

const hosts = [{ host: 'h1', port: 6379 }]

describe('A Redis address', () => {
  test.each([
    ['redis://h1', { kind: 'one', hosts, tls: false, db: 0 }],
    ['redis://h1/', { kind: 'one', hosts, tls: false, db: 0 }],
    ['rediss://:p%40ss@h1:6380/3', { hosts: [{ host: 'h1', port: 6380 }], tls: true, db: 3, password: 'p@ss' }],
    ['redis://user:a:b@h1', { username: 'user', password: 'a:b' }],
    ['redis://[::1]:7000', { hosts: [{ host: '::1', port: 7000 }] }],
    [
      'redis+sentinel://:secret@s1,s2:26380/mymaster/2?sentinel_password=o%26o&sentinel_username=watcher',
      {
        kind: 'sentinel',
        hosts: [
          { host: 's1', port: 26_379 },
          { host: 's2', port: 26_380 },
        ],
        master: 'mymaster',
        db: 2,
        password: 'secret',
        sentinelPassword: 'o&o',
        sentinelUsername: 'watcher',
      },
    ],
    [
      'rediss+cluster://h1,[fe80::1]:7001',
      { kind: 'cluster', tls: true, hosts: [...hosts, { host: 'fe80::1', port: 7001 }] },
    ],
  ])('%s is parsed', (text, means) => {
    expect(redisAddress(text)).toMatchObject(means)
  })

  test.each([
    ['http://h1', 'is not the address of a Redis'],
    ['redis:', 'is not the address of a Redis'],
    ['redis+somehow://h1', 'is not the address of a Redis'],
    ['redis://my host', 'is not the address of a Redis'],
    [
      'redis://h1,h2',
      'Write redis+sentinel:// if they are Sentinels, redis+cluster:// if they are nodes of a cluster.',
    ],
    ['redis://h1:99999', 'Write host:port'],
    ['redis://h1:', 'Write host:port'],
    ['redis+cluster://h1,,h2', 'Write host:port'],
    ['redis+sentinel://s1:26379', 'does not name the master'],
    ['redis+sentinel://s1/mymaster/two', 'has a database that is not a number'],
    ['redis+cluster://h1/1', 'a cluster has only the one'],
    ['redis://h1?tls=true', 'has an option that is not known'],
    ['redis+sentinel://s1/mymaster?password=secret', 'has an option that is not known'],
    ['redis://:100%@h1', 'Write %25'],
  ])('%s is refused with a sentence that does not quote it', (text, says) => {
    expect(() => redisAddress(text)).toThrow(says)
    expect(() => redisAddress(text)).not.toThrow(/secret|my host|99999/)
  })
})
