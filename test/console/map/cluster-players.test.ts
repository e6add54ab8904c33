import { expect, it } from '@jest/globals'
import { clusterPlayers, findMarkerAt } from '../../../console/map/scene/cluster-players.ts'

const playerAt = (x: number, z = 0) => ({
  playerId: `${x} ${z}`,
  displayName: `at ${x} ${z}`,
  position: { x, y: 64, z },
})
const clustersAt = (scale: number, ...players: ReturnType<typeof playerAt>[]) =>
  clusterPlayers(players as unknown as Parameters<typeof clusterPlayers>[0], scale)
const counts = (markers: ReturnType<typeof clusterPlayers>) => markers.map(({ players }) => players.length)

it('joins players that are closer than 24 pixels at the present zoom', () => {
  const players = [playerAt(0), playerAt(10), playerAt(40), playerAt(-5, -5)]
  expect(counts(clustersAt(1, ...players))).toEqual([3, 1])
  expect(counts(clustersAt(4, ...players))).toEqual([1, 1, 1, 1])
  expect(counts(clustersAt(0.1, ...players))).toEqual([4])
})

it('keeps markers at least 24 pixels apart, with every player in one of them', () => {
  const players = Array.from({ length: 500 }, (_, at) => playerAt((at * 37) % 211, (at * 53) % 199))
  for (const scale of [0.25, 1, 3]) {
    const markers = clustersAt(scale, ...players)
    expect(markers.flatMap((marker) => marker.players)).toHaveLength(500)
    const apart = markers.flatMap((one, at) =>
      markers.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.z - other.z) * scale),
    )
    expect(Math.min(24, ...apart)).toBe(24)
  }
})

it('finds the nearest marker within reach', () => {
  const markers = clustersAt(1, playerAt(0), playerAt(30), playerAt(31))
  expect(findMarkerAt(markers, { x: 22, z: 0 }, 1, 12)?.players).toHaveLength(2)
  expect(findMarkerAt(markers, { x: 15, z: 0 }, 1, 12)).toBeUndefined()
})
