import { beforeEach, expect, test } from 'vitest'
import { LeaseLost } from '../../../src/core/ports/services.ts'
import { newRequest, openStore, type StoreFixture } from './support.ts'

let fixture: StoreFixture
beforeEach(() => {
  fixture = openStore()
})

test('A group holds up to twenty requests that joined it and name it', async () => {
  const store = fixture.store()
  const ids = Array.from({ length: 25 }, (_, nth) => newRequest().id + nth)
  const groups: string[] = []
  for (const id of ids) groups.push(await store.joinGroup('stop.1', id))
  expect(new Set(groups)).toEqual(new Set(['stop.1#0', 'stop.1#1']))
  expect(groups.filter((group) => group === 'stop.1#0')).toHaveLength(20)
  // Joining again returns the same group.
  expect(await store.joinGroup('stop.1', ids[0] ?? '')).toBe('stop.1#0')
  expect(await store.joinGroup('stop.1#0', 'again')).toBe('stop.1#0')
  const mine = { ...newRequest(), group: await store.joinGroup('stop.2', 'mine') }
  await store.receive({ ...mine, id: 'mine' }, undefined)
  const stranger = newRequest()
  await store.joinGroup('stop.2', stranger.id)
  await store.receive(stranger, undefined)
  const group = await store.claimGroup('stop.2#0')
  expect(group?.requests.map(({ id }) => id)).toEqual(['mine'])
})

test('A group is shown by one worker at a time, and a worker that lost it saves nothing', async () => {
  const [one, other] = [fixture.store(), fixture.store()]
  const group = await one.claimGroup('stop.1#0')
  expect(await other.claimGroup('stop.1#0')).toBeNull()
  await group?.savePosts('{"byKey":{}}')
  await group?.release()
  const next = await other.claimGroup('stop.1#0')
  expect(next?.posts).toBe('{"byKey":{}}')
  await expect(group?.savePosts('{}')).rejects.toThrow(LeaseLost)
  // A lost group is not released either.
  await group?.release()
  expect(await one.claimGroup('stop.1#0')).toBeNull()
})
