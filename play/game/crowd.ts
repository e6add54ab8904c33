import type { SeenPlayer } from '../../sdk/world.ts'
import type { FigurePose } from '../render/figures.ts'

/** Gives those who are seen a stride: legs swing as far as the feet have come. */
export type Crowd = { pose(players: readonly SeenPlayer[], seconds: number): readonly FigurePose[] }

type Gait = { x: number; z: number; stride: number; swing: number }

/** Radians a block. */
const strideRate = 2.6
const fullSwingSpeed = 3.5

export const createCrowd = (): Crowd => {
  let gaits = new Map<string, Gait>()
  return {
    pose: (players, seconds) => {
      const next = new Map<string, Gait>()
      const poses = players.map((player) => {
        const gait = gaits.get(player.playerId) ?? { x: player.x, z: player.z, stride: 0, swing: 0 }
        const way = Math.min(2, Math.hypot(player.x - gait.x, player.z - gait.z))
        const wanted = Math.min(1, way / Math.max(seconds, 0.001) / fullSwingSpeed)
        const swing = gait.swing + (wanted - gait.swing) * Math.min(1, seconds * 10)
        const now = { x: player.x, z: player.z, stride: gait.stride + way * strideRate, swing }
        next.set(player.playerId, now)
        return { ...player, stride: now.stride, swing }
      })
      gaits = next
      return poses
    },
  }
}
