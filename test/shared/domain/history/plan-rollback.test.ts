import { expect, it } from '@jest/globals'
import { findHistoryEnd } from '../../../../shared/domain/history/find-changes.ts'
import { planRollback } from '../../../../shared/domain/history/plan-rollback.ts'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { madeChange, openTestHistory } from '../../../support/history/made-changes.ts'

const world = { name: 'north', id: 'north-id' }

const open = async () => {
  const chunks = createMemoryChunkStore()
  const { keep, clock } = await openTestHistory(chunks, world)
  const since = clock.now()
  const plan = async (more: object = {}, job?: string, blocksMax?: number) => {
    const filter = { since, until: clock.now(), ...more }
    const { columns, ...rest } = await planRollback(chunks, world, {
      filter,
      ...(job !== undefined && { job }),
      ...(blocksMax !== undefined && { blocksMax }),
    })
    const blocks = [...columns.values()].flat().map(({ x, expected, restored }) => `${x}: ${expected} to ${restored}`)
    return { blocks: blocks.sort(), ...rest }
  }
  return { keep, plan, clock, chunks }
}

it('restores blocks to their state before the first change, and keeps later changes of others', async () => {
  const { keep, plan, clock } = await open()
  await keep(madeChange({ x: 1, from: 'stone', to: 'air' }), madeChange({ x: 2, from: 'stone', to: 'air' }))
  await keep(madeChange({ x: 1, from: 'air', to: 'lava' }), madeChange({ x: 3, by: 'bob', from: 'air', to: 'glass' }))
  await keep(madeChange({ x: 2, by: 'bob', from: 'air', to: 'wood' }), madeChange({ x: 3, from: 'glass', to: 'air' }))
  await keep(madeChange({ x: 40, from: 'air', to: 'dirt' }), madeChange({ x: 40, from: 'dirt', to: 'air' }))
  expect(await plan({ by: 'ann' })).toEqual({
    blocks: ['1: lava to stone', '3: air to glass'],
    counts: { changes: 5, blocks: 2, columns: 1, skipped: 1 },
    done: 0,
  })
  expect((await plan()).blocks).toEqual(['1: lava to stone', '2: wood to stone'])
  expect((await plan({ box: { minX: 2, minY: 0, minZ: 0, maxX: 9, maxY: 255, maxZ: 9 } })).blocks).toEqual(['2: wood to stone'])
  expect((await plan({ columns: new Set() })).counts).toEqual({ changes: 0, blocks: 0, columns: 0, skipped: 0 })
  const since = clock.now() + 1
  expect((await plan({ since })).counts.changes).toBe(0)
})

it('restores the changes of a module by its name, and those of an area with them', async () => {
  const { keep, plan } = await open()
  const shop = { by: '', via: 'module', module: 'shop' } as const
  await keep(madeChange({ x: 1, ...shop, from: 'air', to: 'glass' }), madeChange({ x: 2, ...shop, module: 'other' }))
  await keep(madeChange({ x: 1, ...shop, from: 'glass', to: 'wood' }), madeChange({ x: 3, ...shop, by: 'ann', to: 'dirt' }))
  await keep(madeChange({ x: 4, by: 'ann' }))
  expect((await plan({ module: 'shop' })).blocks).toEqual(['1: wood to air', expect.stringMatching(/^3: dirt to /)])
  expect((await plan({ module: 'shop', by: 'ann' })).counts.blocks).toBe(1)
  const box = { minX: 1, minY: 0, minZ: 0, maxX: 2, maxY: 255, maxZ: 9 }
  expect((await plan({ box })).counts.blocks).toBe(2)
  expect((await plan({ module: 'shop', box })).blocks).toEqual(['1: wood to air'])
})

it('counts only the blocks that it restores against the limit', async () => {
  const { keep, plan } = await open()
  await keep(...Array.from({ length: 20 }, (_, x) => madeChange({ x, by: 'bob' })), madeChange({ x: 20, by: 'ann' }))
  const chunksOf = async (by: string, blocksMax: number) => (await plan({ by }, undefined, blocksMax)).counts
  expect(await chunksOf('ann', 3)).toEqual({ changes: 1, blocks: 1, columns: 1, skipped: 0 })
  await expect(chunksOf('bob', 19)).rejects.toMatchObject({ slug: 'rule-broken' })
  expect(await chunksOf('bob', 20)).toMatchObject({ blocks: 20 })
})

it('includes changes written while the clock was ahead', async () => {
  const { keep, plan, clock, chunks } = await open()
  const now = clock.now()
  clock.advance(3_600_000)
  await keep(madeChange({ x: 1 }))
  clock.advance(now - clock.now())
  await keep(madeChange({ x: 2 }))
  expect((await plan()).counts.blocks).toBe(0)
  expect((await plan({ until: await findHistoryEnd(chunks, world, clock.now()) })).counts.blocks).toBe(2)
  expect(await findHistoryEnd(createMemoryChunkStore(), world, 7.5)).toBe(7)
})

it('can roll back a rollback, and does nothing twice that a job has done already', async () => {
  const { keep, plan } = await open()
  await keep(madeChange({ x: 1, from: 'stone', to: 'air' }), madeChange({ x: 2, from: 'stone', to: 'air' }))
  await keep(madeChange({ x: 1, by: 'admin', via: 'rollback', undoes: 'a-job', from: 'air', to: 'stone' }))
  expect(await plan({ by: 'ann' }, 'a-job')).toEqual({
    blocks: ['2: air to stone'],
    counts: { changes: 1, blocks: 1, columns: 1, skipped: 0 },
    done: 1,
  })
  expect((await plan({ by: 'ann' })).counts).toMatchObject({ blocks: 1, skipped: 1 })
  expect((await plan({ by: 'admin' })).blocks).toEqual(['1: stone to air'])
})
