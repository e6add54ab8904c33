import { describe, expect, it } from '@jest/globals'
import { createPlayerPlaces } from '../../../sdk/world/player-places.ts'

const entry = (ref: number, place: { x: number; y: number; z: number; yaw?: number; pitch?: number }): Buffer => {
  const bytes = Buffer.alloc(10)
  bytes.writeUInt16LE(ref, 0)
  bytes.writeUInt16LE(place.x * 64, 2)
  bytes.writeUInt16LE(place.y * 64, 4)
  bytes.writeUInt16LE(place.z * 64, 6)
  bytes.writeUInt8(place.yaw ?? 0, 8)
  bytes.writeInt8(place.pitch ?? 0, 9)
  return bytes
}
const appeared = (ref: number, displayName: string) => ({
  ref,
  playerId: `id-${ref}`,
  displayName,
  position: { x: 1, y: 2, z: 3, yaw: 4, pitch: 5 },
})
const nothing = { tick: 1, cells: [], appeared: [], gone: [] }

describe('the model of nearby players', () => {
  it('places a moved player from the corner of the cell, west and north of the origin too', () => {
    const nearby = createPlayerPlaces()
    const moved = Buffer.concat([
      entry(9, { x: 0, y: 0, z: 0 }),
      entry(7, { x: 31.5, y: 64.25, z: 0.015625, yaw: 64, pitch: -32 }),
    ])
    nearby.apply({ ...nothing, appeared: [appeared(7, 'Ann')], cells: [{ cell: { x: -1, z: 2 }, moved }] }, 0)
    expect(nearby.list()).toEqual([
      { playerId: 'id-7', displayName: 'Ann', x: -32.5, y: 64.25, z: 128.015625, yaw: 90, pitch: -45 },
    ])
  })

  it('applies gone before appeared, so that a reused number means the new player', () => {
    const nearby = createPlayerPlaces()
    nearby.apply({ ...nothing, appeared: [appeared(1, 'Ann'), appeared(2, 'Bob')] }, 0)
    nearby.apply({ ...nothing, gone: [1], appeared: [appeared(1, 'Cid')] }, 0)
    expect(nearby.list().map(({ displayName }) => displayName)).toEqual(['Bob', 'Cid'])
    expect(nearby.find('id-2')).toMatchObject({ x: 1, y: 2, z: 3 })
    nearby.clear()
    expect(nearby.list()).toEqual([])
  })

  it('ignores unknown players, and incomplete entries', () => {
    const nearby = createPlayerPlaces()
    nearby.apply({ ...nothing, gone: [5], cells: [{ cell: undefined, moved: entry(5, { x: 1, y: 1, z: 1 }).subarray(0, 9) }] }, 0)
    nearby.apply({ ...nothing, cells: [{ cell: { x: 0, z: 0 }, moved: entry(5, { x: 1, y: 1, z: 1 }) }] }, 0)
    expect(nearby.list()).toEqual([])
  })
})
