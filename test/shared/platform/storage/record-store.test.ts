import { expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createCollection } from '../../../../shared/platform/storage/store.ts'

it('a list of long records yields to other work, and a list of short ones does not', async () => {
  const store = createMemoryStore()
  const records = createCollection('long', Type.String())
  for (const id of ['a', 'b', 'c', 'd']) await store.put(records, id, id.repeat(200_000))
  await store.put(createCollection('short', Type.String()), 'a', 'a')
  const turnsWhile = async (collection: typeof records) => {
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const { records: found } = await store.list(collection)
    isOver = true
    return { turns, ids: found.map(({ id }) => id) }
  }
  const { turns, ids } = await turnsWhile(records)
  expect(ids).toEqual(['a', 'b', 'c', 'd'])
  expect(turns).toBeGreaterThan(0)
  expect((await turnsWhile(createCollection('short', Type.String()))).turns).toBe(0)
  await store.close()
})
