import { describe, expect, it } from '@jest/globals'
import {
  readSavedPosition,
  type SavedPosition,
  savedPositionId,
  savedPositions,
} from '../../../../shared/domain/players/player-state.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'

const world = '0b9d5a0e-3c64-4d50-8f3c-6f4f0f3e3c11'
const player = '5f6f1f8e-8a44-4c15-9b77-4f0f8b0e3a22'
const place: SavedPosition = { x: 1.5, y: 64, z: -2.25, yaw: 90, pitch: -10 }

describe('the place of a player', () => {
  it('is separate for each world', async () => {
    const store = createMemoryStore()
    await store.put(savedPositions, savedPositionId(world, player), place)
    expect(await readSavedPosition(store, world, player)).toEqual(place)
    expect(await readSavedPosition(store, player, player)).toBeUndefined()
    expect(await readSavedPosition(store, world, world)).toBeUndefined()
  })

  it.each<[string, object]>([
    ['beyond the edge of the world', { ...place, x: 30_000_001 }],
    ['below the world', { ...place, y: -1 }],
    ['above the height of the world', { ...place, y: 513 }],
    ['with an invalid direction', { ...place, pitch: 91 }],
    ['with a coordinate missing', { x: 1, y: 2, yaw: 0, pitch: 0 }],
    ['without a required number', { ...place, z: null }],
    ['of another shape', { ...place, world: 'other' }],
  ])('is ignored %s, and does not prevent a join', async (_what, stored) => {
    const store = createMemoryStore()
    await store.put({ name: savedPositions.name, parse: (value) => value }, savedPositionId(world, player), stored)
    expect(await readSavedPosition(store, world, player)).toBeUndefined()
  })
})
