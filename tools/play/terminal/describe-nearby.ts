import type { SeenPlayer } from '../../../sdk/world/player-places.ts'
import { toPrintableLine } from './printable.ts'

type Place = { readonly x: number; readonly z: number }

/** From north (towards lower z) clockwise; east is towards higher x. */
const directions = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const
const shownMax = 10

/** How far and which way, seen from `from`: `12 blocks north-east`. */
export const describeWay = (from: Place, to: Place): string => {
  const [dx, dz] = [to.x - from.x, to.z - from.z]
  const distance = Math.round(Math.hypot(dx, dz))
  if (distance === 0) return 'here'
  const eighth = Math.round(Math.atan2(dx, -dz) / (Math.PI / 4))
  const direction = directions[(eighth + directions.length) % directions.length]
  return `${distance} ${distance === 1 ? 'block' : 'blocks'} ${direction}`
}

/** One line of who is near, nearest first. */
export const describeNearby = (from: Place, players: readonly SeenPlayer[]): string => {
  if (players.length === 0) return 'Nobody is near.'
  const distanceOf = (player: Place) => Math.hypot(player.x - from.x, player.z - from.z)
  const nearest = players.toSorted((a, b) => distanceOf(a) - distanceOf(b))
  const shown = nearest
    .slice(0, shownMax)
    .map((player) => `${toPrintableLine(player.displayName)} (${describeWay(from, player)})`)
  const more = players.length > shownMax ? `, and ${players.length - shownMax} more` : ''
  return `Near: ${shown.join(', ')}${more}.`
}
