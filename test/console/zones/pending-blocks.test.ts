import { expect, it } from '@jest/globals'
import { createPendingBlocks } from '../../../console/zones/editor/building/pending-blocks.ts'

const at = { x: 1, y: 2, z: 3 }
const placed = { ...at, before: 'air', after: 'glass' }
const broken = { ...at, before: 'glass', after: 'air' }

it('reverts a block to the state of the server, and not to a preview', () => {
  const pending = createPendingBlocks()
  pending.sent([placed])
  pending.sent([broken])
  expect(pending.refused([placed])).toEqual([placed])
  expect(pending.refused([broken])).toEqual([{ ...broken, before: 'air' }])
})

it('records only real changes of the server for undo', () => {
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
