import { expect, test } from 'vitest'
import { received, receivedOf } from '../../src/store/received.ts'

async function afterError(error: Error): Promise<string> {
  return receivedOf(await received(Promise.reject(error))).kind
}

test.each([
  "Stream isn't writeable and enableOfflineQueue options is false",
  'connect ECONNREFUSED 127.0.0.1:6379',
  'getaddrinfo ENOTFOUND redis',
  "OOM command not allowed when used memory > 'maxmemory'.",
  "READONLY You can't write against a read only replica.",
  'LOADING Redis is loading the dataset in memory',
  'NOAUTH Authentication required.',
  'MISCONF Redis is configured to save RDB snapshots',
])('nothing was stored: %s', async (message) => {
  expect(await afterError(new Error(message))).toBe('nothing')
})

test('nothing was stored: whatever Redis itself refuses', async () => {
  const refusal = Object.assign(new Error('ERR something new'), { name: 'ReplyError' })
  expect(await afterError(refusal)).toBe('nothing')
})

test.each([
  'Command timed out',
  'Connection is closed.',
  'Reached the max retries per request limit (which is 1). Refer to "maxRetriesPerRequest" option for details.',
  'read ECONNRESET',
  'something nobody has thought of',
])('nobody can say whether it was stored: %s', async (message) => {
  expect(await afterError(new Error(message))).toBe('perhaps')
})

test.each([
  [['stored', 1], { kind: 'stored', workers: true }],
  [['stored', 0], { kind: 'stored', workers: false }],
  [['known', 1], { kind: 'known', workers: true }],
  [['late', 0], { kind: 'nothing' }],
  [['gone', 1], { kind: 'gone' }],
])('a script that says %j means %j', async (answer, meaning) => {
  expect(receivedOf(await received(Promise.resolve(answer)))).toEqual(meaning)
})
