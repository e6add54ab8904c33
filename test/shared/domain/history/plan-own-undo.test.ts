import { expect, it } from '@jest/globals'
import { planOwnUndo } from '../../../../shared/domain/history/plan-own-undo.ts'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { madeChange, openTestHistory } from '../../../support/history/made-changes.ts'

const world = { name: 'default', id: 'a' }

const open = async () => {
  const chunks = createMemoryChunkStore()
  const { keep } = await openTestHistory(chunks, world)
  const plan = async (count: number, closed?: number) =>
    (await planOwnUndo(chunks, world, { by: 'ann', count, mayChange: ({ x }) => x !== closed })).map(
      ({ x, expected, restored }) => `${x} ${expected} ${restored}`,
    )
  return { keep, plan }
}

it('takes the newest first, each block once, and no more than requested', async () => {
  const { keep, plan } = await open()
  await keep(madeChange({ x: 1 }), madeChange({ x: 2, to: 'glass' }))
  await keep(madeChange({ x: 1, from: 'stone', to: 'glass' }))
  expect(await plan(1)).toEqual(['1 glass stone'])
  expect(await plan(9)).toEqual(['1 glass stone', '2 glass air', '1 stone air'])
})

it('goes further back after an undo, which cancels one change for each of its own', async () => {
  const { keep, plan } = await open()
  await keep(madeChange({ x: 1 }), madeChange({ x: 2 }), madeChange({ x: 2, from: 'stone', to: 'glass' }))
  await keep(madeChange({ x: 2, via: 'command', from: 'glass', to: 'stone' }))
  expect(await plan(9)).toEqual(['2 stone air', '1 stone air'])
  await keep(madeChange({ x: 2, via: 'command', from: 'stone', to: 'air' }), madeChange({ x: 3 }))
  expect(await plan(9)).toEqual(['3 stone air', '1 stone air'])
})

it('keeps blocks that another player or a job changed since', async () => {
  const { keep, plan } = await open()
  await keep(madeChange({ x: 1 }), madeChange({ x: 2 }), madeChange({ x: 3 }))
  await keep(madeChange({ x: 1, by: 'bob', from: 'stone', to: 'glass' }))
  await keep(madeChange({ x: 2, via: 'rollback', from: 'stone', to: 'air', undoes: 'job' }))
  expect(await plan(9)).toEqual(['3 stone air'])
})

it('reaches changes before an edit that the player can no longer change', async () => {
  const { keep, plan } = await open()
  await keep(madeChange({ x: 1 }), madeChange({ x: 2 }), madeChange({ x: 3 }))
  expect(await plan(1, 3)).toEqual(['2 stone air'])
  expect(await plan(9, 2)).toEqual(['3 stone air', '1 stone air'])
})
