import type { MapPlayer } from './live-world.ts'

/** Players that are too close to tell apart, at the position of the first of them. */
export type Marker = { readonly x: number; readonly z: number; readonly players: readonly MapPlayer[] }

/** Dots closer than this are one marker. */
const joinedPx = 24

/**
 * Groups players by their distance on the screen. Every player is in one marker, and markers are at least 24 pixels apart. A move of the
 * map changes no group, only a zoom or a move of a player does.
 */
export const clusterPlayers = (players: readonly MapPlayer[], scale: number): readonly Marker[] => {
  const side = joinedPx / scale
  const cells = new Map<string, { x: number; z: number; players: MapPlayer[] }[]>()
  const markers: Marker[] = []
  for (const player of players) {
    const { x, z } = player.position
    const [cellX, cellZ] = [Math.floor(x / side), Math.floor(z / side)]
    let nearest: { players: MapPlayer[] } | undefined
    let away = side
    for (let nearX = cellX - 1; nearX <= cellX + 1; nearX += 1)
      for (let nearZ = cellZ - 1; nearZ <= cellZ + 1; nearZ += 1)
        for (const marker of cells.get(`${nearX} ${nearZ}`) ?? []) {
          const distance = Math.hypot(marker.x - x, marker.z - z)
          if (distance < away) [nearest, away] = [marker, distance]
        }
    if (nearest !== undefined) nearest.players.push(player)
    else {
      const marker = { x, z, players: [player] }
      markers.push(marker)
      const name = `${cellX} ${cellZ}`
      cells.set(name, [...(cells.get(name) ?? []), marker])
    }
  }
  return markers
}

/** The nearest marker within `reachPx` pixels of a place. */
export const findMarkerAt = (
  markers: readonly Marker[],
  { x, z }: { readonly x: number; readonly z: number },
  scale: number,
  reachPx: number,
): Marker | undefined => {
  let nearest: Marker | undefined
  let away = reachPx / scale
  for (const marker of markers) {
    const distance = Math.hypot(marker.x - x, marker.z - z)
    if (distance <= away) [nearest, away] = [marker, distance]
  }
  return nearest
}
