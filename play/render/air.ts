import { Fog, type Scene } from 'three'
import type { Crumbs } from './crumbs.ts'
import { type Daylight, daylightAt, type Light } from './daylight.ts'
import type { Figures } from './people/figures.ts'
import type { Sky } from './sky.ts'
import type { Terrain } from './terrain.ts'

/** The air or water around the camera: clear up to the edge of the loaded land. */
export type Air = {
  breathe(of: {
    readonly eye: { readonly x: number; readonly y: number; readonly z: number }
    readonly seconds: number
    /** In columns. */
    readonly viewRadius: number
    /** The camera position. */
    readonly blockId: string
    /** From 0 to 24. */
    readonly hour: number
  }): void
}

export type AirOptions = {
  readonly terrain: Pick<Terrain, 'setFog' | 'lookFrom' | 'setTime' | 'setLight'>
  readonly sky: Sky
  readonly figures: Pick<Figures, 'setLight'>
  readonly crumbs: Pick<Crumbs, 'setLight'>
  readonly scene: Scene
}

const water: Light = [0.114, 0.29, 0.525]
const lava: Light = [0.64, 0.227, 0.047]

/** Deep water is as bright as the day above it. */
const dim = (colour: Light, { sky }: Daylight): Light => [colour[0] * sky[0], colour[1] * sky[1], colour[2] * sky[2]]

export const createAir = ({ terrain, sky, figures, crumbs, scene }: AirOptions): Air => {
  const fog = new Fog(0xffffff, 1, 2)
  scene.fog = fog
  return {
    breathe: ({ eye, seconds, viewRadius, blockId, hour }) => {
      const daylight = daylightAt(hour)
      const isWater = blockId.includes('water')
      const isLava = blockId.includes('lava')
      const around = isWater ? dim(water, daylight) : isLava ? lava : daylight.horizon
      // The outermost columns are loaded and not drawn.
      const end = isWater ? 26 : isLava ? 4 : Math.max(20, (viewRadius - 1) * 16)
      // In a fluid, near things have its colour too.
      const begin = isWater ? -12 : isLava ? -2 : end * 0.6
      terrain.setFog(begin, end, around)
      terrain.lookFrom(eye)
      terrain.setTime(seconds % 10_000)
      terrain.setLight(daylight)
      figures.setLight(daylight.sky)
      crumbs.setLight(daylight.sky)
      if (isWater || isLava) sky.hide(around)
      else sky.show(daylight)
      sky.move(eye.x, eye.z, seconds)
      fog.near = begin
      fog.far = end
      fog.color.setRGB(...around)
    },
  }
}
