import { expect, test } from 'vitest'
import { receiving } from '../../../src/adapters/redis/requests/intake.ts'
import type { Received } from '../../../src/core/ports/services.ts'
import { sentenceIn } from '../../support/words.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const received = (write: Promise<unknown>, loss?: Error) =>
  receiving(log, () => loss)({ request: 'r1' }, 'accepted', write)

const after = (error: Error): Promise<Received> => received(Promise.reject(error))

test.each([
  ["Stream isn't writeable and enableOfflineQueue options is false", 'I can’t reach my storage'],
  ["Cluster isn't ready and enableOfflineQueue options is false", 'I can’t reach my storage'],
  ['connect ECONNREFUSED 127.0.0.1:6379', 'I can’t reach my storage'],
  ['getaddrinfo ENOTFOUND redis', 'I can’t reach my storage'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'My storage is full'],
  ['ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed', 'My storage is full'],
  ["READONLY You can't write against a read only replica. script: 1f, on @user_script:9.", 'My storage is read-only'],
  ['NOREPLICAS Not enough good replicas to write.', 'My storage is read-only'],
  ['LOADING Redis is loading the dataset in memory', 'My storage is starting or failing over'],
  ['CLUSTERDOWN Hash slot not served', 'My storage is starting or failing over'],
  ['MISCONF Errors writing to the AOF file: No space left on device', 'My storage can’t write to its disk'],
  ['NOAUTH Authentication required.', 'My storage rejected the login'],
])('a clear refusal means that nothing was stored, and the person reads why: %s', async (message, says) => {
  const answer = await after(new Error(message))
  expect(
    answer.kind === 'nothing' && sentenceIn('request.notStored', { why: { say: `storage.${answer.why}` } }),
  ).toContain(`Nothing was done. ${says}`)
})

test.each([
  ['WRONGPASS invalid username-password pair or user is disabled.', 'locked'],
  ['connect ETIMEDOUT', 'away'],
])('a line without a connection was not stored for the reason of the connection: %s', async (message, why) => {
  const away = Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"))
  expect(await received(away, new Error(message))).toEqual({ kind: 'nothing', why })
})

test('any other refusal by Redis means that nothing was stored', async () => {
  const refusal = Object.assign(new Error('ERR something new'), { name: 'ReplyError' })
  expect(await after(refusal)).toEqual({ kind: 'nothing', why: 'refused' })
})

test.each([
  'Command timed out',
  'Connection is closed.',
  'Reached the max retries per request limit (which is 1). Refer to "maxRetriesPerRequest" option for details.',
  'read ECONNRESET',
  'something nobody has thought of',
])('an unclear error means that the line may have been stored: %s', async (message) => {
  expect(await after(new Error(message))).toEqual({ kind: 'perhaps' })
})

test.each([
  [['stored', 1], { kind: 'stored', workers: true }],
  [['stored', 0], { kind: 'stored', workers: false }],
  [['known', 1], { kind: 'known', workers: true }],
  [['late', 0], { kind: 'nothing', why: 'slow' }],
  [['gone', 1], { kind: 'gone' }],
])('a script reply of %j means %j', async (answer, meaning) => {
  expect(await received(Promise.resolve(answer))).toEqual(meaning)
})
