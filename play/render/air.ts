import { Fog, type Scene } from 'three'
import type { Sky } from './sky.ts'
import type { Terrain } from './terrain.ts'

/** What one breathes and sees through: clear air to the edge of what is known, or water. */
export type Air = {
  breathe(eye: { readonly x: number; readonly z: number }, seconds: number, viewRadius: number, blockId: string): void
}

const day = { horizon: 0xc3dcef, zenith: 0x4a8fd8 }
const water = { horizon: 0x1d4a86, zenith: 0x1d4a86 }
const lava = { horizon: 0xa33a0c, zenith: 0xa33a0c }

export const createAir = ({ terrain, sky, scene }: { terrain: Terrain; sky: Sky; scene: Scene }): Air => {
  const fog = new Fog(day.horizon, 1, 2)
  scene.fog = fog
  return {
    breathe: (eye, seconds, viewRadius, blockId) => {
      const isWater = blockId.includes('water')
      const isLava = blockId.includes('lava')
      const { horizon, zenith } = isWater ? water : isLava ? lava : day
      // The outermost columns are known and not drawn.
      const end = isWater ? 26 : isLava ? 4 : Math.max(20, (viewRadius - 1) * 16)
      const begin = isWater || isLava ? 0 : end * 0.6
      terrain.setFog(begin, end, horizon)
      terrain.setTime(seconds % 10_000)
      sky.setColours(horizon, zenith, !isWater && !isLava)
      sky.move(eye.x, eye.z, seconds)
      fog.near = begin
      fog.far = end
      fog.color.setHex(horizon)
    },
  }
}
