import type { SeenPlayer } from '../../sdk/world.ts'
import { colourOfPlayer, type FigurePose } from '../render/people/figures.ts'

/** Animates the players in view: the legs swing as far as the feet move. */
export type Crowd = {
  /** The poses are valid until the next call. */
  pose(players: readonly SeenPlayer[], seconds: number): readonly FigurePose[]
}

/** Reused each frame to avoid garbage. A server sends one position per player. */
type Gait = { -readonly [Name in keyof FigurePose]: FigurePose[Name] } & { picture: number }

/** Radians per block. */
const strideRate = 2.6
const fullSwingSpeed = 3.5

export const createCrowd = (): Crowd => {
  const gaits = new Map<string, Gait>()
  let picture = 0
  const meet = ({ playerId, x, y, z, yaw, pitch }: SeenPlayer): Gait => {
    const gait = { x, y, z, yaw, pitch, stride: 0, swing: 0, shirt: colourOfPlayer(playerId), picture }
    gaits.set(playerId, gait)
    return gait
  }
  return {
    pose: (players, seconds) => {
      picture += 1
      const poses = players.map((player) => {
        const gait = gaits.get(player.playerId) ?? meet(player)
        const way = Math.min(2, Math.hypot(player.x - gait.x, player.z - gait.z))
        const wanted = Math.min(1, way / Math.max(seconds, 0.001) / fullSwingSpeed)
        gait.swing += (wanted - gait.swing) * Math.min(1, seconds * 10)
        gait.stride += way * strideRate
        gait.x = player.x
        gait.y = player.y
        gait.z = player.z
        gait.yaw = player.yaw
        gait.pitch = player.pitch
        gait.picture = picture
        return gait
      })
      for (const [playerId, gait] of gaits) if (gait.picture !== picture) gaits.delete(playerId)
      return poses
    },
  }
}
