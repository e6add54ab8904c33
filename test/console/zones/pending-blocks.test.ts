import { expect, it } from '@jest/globals'
import { createPendingBlocks } from '../../../console/zones/editor/building/pending-blocks.ts'

const at = { x: 1, y: 2, z: 3 }
const placed = { ...at, before: 'air', after: 'glass' }
const broken = { ...at, before: 'glass', after: 'air' }

it('takes a block back to what the server has, and not to what was only shown', () => {
  const pending = createPendingBlocks()
  pending.sent([placed])
  pending.sent([broken])
  expect(pending.refused([placed])).toEqual([placed])
  expect(pending.refused([broken])).toEqual([{ ...broken, before: 'air' }])
})

it('keeps for undo what the server did: nothing where it had that already', () => {
  const pending = createPendingBlocks()
  pending.sent([placed])
  pending.sent([broken])
  pending.refused([placed])
  expect(pending.made([broken])).toEqual([])
  pending.sent([placed])
  pending.sent([broken])
  expect(pending.made([placed])).toEqual([placed])
  expect(pending.refused([broken])).toEqual([{ ...broken, before: 'glass' }])
})
