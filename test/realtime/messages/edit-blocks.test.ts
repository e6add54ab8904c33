import { describe, expect, it } from '@jest/globals'
import { costOf } from '../../../realtime/messages/handle-message.ts'
import type { BlockEdit } from '../../../realtime/protocol/generated/gatehouse.ts'

const editsOf = (length: number): BlockEdit[] => Array.from({ length }, (_, x) => ({ x, y: 64, z: 0, type: 'stone' }))

describe('the budget for EditBlocks', () => {
  it.each([
    [4, 0],
    [4, 1],
    [4, 15],
    [5, 16],
    [12, 128],
    [20, 256],
    [20, 4000],
  ])('charges %d for %d edits', (cost, edits) => {
    expect(costOf({ $case: 'editBlocks', value: { seq: 1, edits: editsOf(edits) } })).toBe(cost)
  })

  it('charges the same for every other kind of message, whatever its content', () => {
    expect(costOf({ $case: 'chat', value: { text: '' } })).toBe(costOf({ $case: 'chat', value: { text: 'x'.repeat(512) } }))
  })
})
