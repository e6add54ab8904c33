import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type BlockChange, changeWays } from '../../../../shared/domain/history/block-change.ts'
import { listChanges } from '../../../../shared/domain/history/find-changes.ts'
import { createOpenPage, readHistoryPage } from '../../../../shared/domain/history/history-page.ts'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { madeChange, openTestHistory } from '../../../support/history/made-changes.ts'

const world = { name: 'north', id: 'north-id' }
const texts = fc.constantFrom('ann', 'bob', 'air', 'stone', 'täsch', 'x'.repeat(60))
const coordinates = fc.integer({ min: -30_000_000, max: 29_999_999 })
const changesOf = fc.array(
  fc
    .record(
      {
        at: fc.integer({ min: 0, max: 2 ** 42 }),
        by: texts,
        via: fc.constantFrom(...changeWays),
        x: coordinates,
        y: fc.integer({ min: 0, max: 255 }),
        z: coordinates,
        from: texts,
        to: texts,
        undoes: texts,
      },
      { requiredKeys: ['at', 'by', 'via', 'x', 'y', 'z', 'from', 'to'] },
    )
    .map((change) => (change.via === 'module' ? { ...change, module: 'spleef' } : change)),
  { maxLength: 40 },
)

const listAll = async (chunks: ReturnType<typeof createMemoryChunkStore>, limit = 100): Promise<readonly BlockChange[]> => {
  const all: BlockChange[] = []
  let cursor: string | undefined
  do {
    const page = await listChanges(chunks, world, { filter: {}, limit, cursor })
    all.push(...page.changes)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

it('reads a page back as written, open and closed, without removed changes', async () => {
  await fc.assert(
    fc.asyncProperty(changesOf, changesOf, changesOf, async (first, doubtful, then) => {
      const page = createOpenPage()
      for (const change of first) page.add(change, change.at)
      const takeBack = page.mark()
      for (const change of doubtful) page.add(change, change.at)
      takeBack()
      for (const change of then) page.add(change, change.at)
      expect(readHistoryPage(page.open())).toEqual([...first, ...then])
      expect(readHistoryPage(await page.closed())).toEqual([...first, ...then])
    }),
  )
})

it('refuses truncated and random pages', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      try {
        expect(Array.isArray(readHistoryPage(noise))).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
    }),
  )
})

it('lists thousands of changes newest first in pages of any size, by box and player', async () => {
  const chunks = createMemoryChunkStore()
  const first = await openTestHistory(chunks, world)
  for (let round = 0; round < 30; round += 1)
    await first.keep(
      ...Array.from({ length: 90 }, (_, n) => madeChange({ x: round * 16, y: n, by: n % 2 === 0 ? 'ann' : 'bob' })),
    )
  const second = await openTestHistory(chunks, world)
  second.clock.advance(31 * 60_000)
  await second.keep(madeChange({ x: 5, to: 'glass' }))
  const all = await listAll(chunks, 7)
  expect(all.length).toBe(2701)
  expect(all[0]).toMatchObject({ x: 5, to: 'glass' })
  expect(all).toEqual([...all].sort((one, other) => other.at - one.at))
  expect(await listAll(chunks, 1000)).toEqual(all)
  const box = { minX: 16, minY: 3, minZ: 0, maxX: 32, maxY: 6, maxZ: 9 }
  const { changes } = await listChanges(chunks, world, { filter: { box, by: 'ann' }, limit: 100 })
  expect(changes.map(({ x, y }) => [x, y])).toEqual([
    [32, 6],
    [32, 4],
    [16, 6],
    [16, 4],
  ])
  const since = all[0]?.at ?? 0
  expect((await listChanges(chunks, world, { filter: { since }, limit: 100 })).changes.length).toBe(1)
  await expect(listChanges(chunks, world, { filter: {}, limit: 1, cursor: '!.1' })).rejects.toMatchObject({ kind: 'invalid' })
})

it('keeps nothing of a failed write, even if it arrived', async () => {
  const chunks = createMemoryChunkStore()
  const { book, keep } = await openTestHistory(chunks, world)
  await keep(madeChange({ to: 'one' }))
  for (const count of [1, 2000]) {
    const beside = await book.note(Array.from({ length: count }, () => madeChange({ to: 'never' })))
    await chunks.putMany(world, [], 1, beside)
    book.settle(false)
    await keep(madeChange({ to: `after ${count}` }))
  }
  expect((await listAll(chunks)).map(({ to }) => to)).toEqual(['after 2000', 'after 1', 'one'])
  const reopened = await openTestHistory(chunks, world)
  await reopened.keep(...Array.from({ length: 1500 }, () => madeChange()))
  expect((await listAll(chunks)).length).toBe(1503)
})

it('keeps nothing of such a write either when old pages are removed before the next one', async () => {
  const chunks = createMemoryChunkStore()
  const { book, keep, prune, limits } = await openTestHistory(chunks, world)
  const page = (to: string) => Array.from({ length: 1024 }, () => madeChange({ to }))
  await keep(...page('old'))
  await chunks.putMany(world, [], 1, await book.note(page('never')))
  book.settle(false)
  limits.maxMiB = 0
  expect(await prune()).toBeGreaterThan(0)
  limits.maxMiB = 1024
  await keep(madeChange({ x: 500, to: 'after' }))
  const box = { minX: 500, maxX: 500, minY: 0, maxY: 255, minZ: 0, maxZ: 15 }
  const { changes } = await listChanges(chunks, world, { filter: { box }, limit: 10 })
  expect(changes.map(({ to }) => to)).toEqual(['after'])
})

it('removes the oldest pages by age and size, keeps the newest, and continues after a restart', async () => {
  const chunks = createMemoryChunkStore()
  const { keep, prune, limits, clock } = await openTestHistory(chunks, world)
  const page = Array.from({ length: 1024 }, (_, n) => madeChange({ x: n * 37, y: n % 256, z: n * 91 }))
  for (let n = 0; n < 40; n += 1) await keep(...page)
  expect(await prune()).toBe(0)
  expect((await chunks.listSide(world, 'history/page/')).length).toBe(40)
  clock.advance(29 * 86_400_000 + 86_400_000 - 20 * 60_000)
  expect(await prune()).toBeGreaterThan(10)
  const left = await chunks.listSide(world, 'history/page/')
  expect(left.length).toBeLessThan(30)
  expect((await listAll(chunks, 1000)).length).toBe(left.length * 1024)
  limits.days = 3650
  limits.maxMiB = 0
  await prune()
  expect(await chunks.listSide(world, 'history/page/')).toEqual([])
  await keep(...page.slice(0, 3))
  const reopened = await openTestHistory(chunks, world)
  await reopened.keep(madeChange())
  expect((await listAll(chunks)).length).toBe(4)
})
