import { expect, it } from '@jest/globals'
import { createPager, type PageQuery } from '../../../console/state/pager.ts'

/** A list of numbers on a server that records its requests. */
const createList = (length: number) => {
  const asked: PageQuery[] = []
  const ask = async (query: PageQuery) => {
    asked.push(query)
    const from = Number(query.cursor ?? 0)
    const to = Math.min(length, from + query.limit)
    return { items: Array.from({ length: to - from }, (_, index) => from + index), nextCursor: to < length ? `${to}` : undefined }
  }
  return { ask, taken: () => asked.splice(0) }
}
const { signal } = new AbortController()

it('requests only the next page, and refreshes all visible items in few requests', async () => {
  const { ask, taken } = createList(1500)
  const pager = createPager<number>(50)
  await pager.ask(ask, [], signal)
  for (let page = 1; page < 30; page += 1) {
    pager.more()
    await pager.ask(ask, [], signal)
  }
  expect(taken()).toEqual([
    { limit: 50 },
    ...Array.from({ length: 29 }, (_, index) => ({ limit: 50, cursor: `${50 * (index + 1)}` })),
  ])
  const { items, nextCursor } = await pager.ask(ask, [], signal)
  expect([items.length, new Set(items).size, nextCursor]).toEqual([1500, 1500, undefined])
  const again = taken()
  expect(again).toHaveLength(8)
  // Every three seconds, as for players, that is 160 of the 600 requests a minute for a token.
  expect(again.map(({ limit }) => limit)).toEqual([...Array.from({ length: 7 }, () => 200), 100])
})

it('starts again for another query', async () => {
  const { ask, taken } = createList(500)
  const pager = createPager<number>(50)
  await pager.ask(ask, ['a'], signal)
  pager.more()
  expect((await pager.ask(ask, ['a'], signal)).items).toHaveLength(100)
  taken()
  expect((await pager.ask(ask, ['b'], signal)).items).toHaveLength(50)
  expect(taken()).toEqual([{ limit: 50 }])
})

it('loads the requested page after its request was replaced, with each item once', async () => {
  const { ask } = createList(500)
  const pager = createPager<number>(50)
  await pager.ask(ask, [], signal)
  pager.more()
  await expect(pager.ask(ask, [], AbortSignal.abort())).rejects.toThrow()
  const { items } = await pager.ask(ask, [], signal)
  expect(items).toEqual(Array.from({ length: 100 }, (_, index) => index))
})

it('keeps the objects of unchanged items', async () => {
  let health = 20
  const ask = async ({ cursor = '0' }: PageQuery) => ({
    items: [{ id: cursor, health: cursor === '1' ? health : 20 }],
    nextCursor: cursor === '2' ? undefined : String(Number(cursor) + 1),
  })
  const pager = createPager<{ readonly id: string; readonly health: number }>(1)
  await pager.ask(ask, [''], signal)
  pager.all()
  const before = (await pager.ask(ask, [''], signal)).items
  health = 5
  const after = (await pager.ask(ask, [''], signal)).items
  expect(after.map((item, index) => item === before[index])).toEqual([true, false, true])
  const { items } = await pager.ask(ask, ['another search'], signal)
  expect(items[0]).toBe(before[0])
})
