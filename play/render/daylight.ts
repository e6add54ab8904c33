/** Red, green and blue of the screen, 0 to 1. */
export type Light = readonly [number, number, number]

/** The light of an hour. */
export type Daylight = {
  /** Unit vector towards the sun. At night the sun is below, and the moon opposite. */
  readonly sun: Light
  /** Light on surfaces under the sky, and on others. */
  readonly sky: Light
  readonly cave: Light
  /** The brightness of faces by direction: +x, -x, +y, -y, +z, -z, and plants. */
  readonly sides: readonly number[]
  readonly horizon: Light
  readonly zenith: Light
  /** The visibility of the stars, 0 to 1. */
  readonly stars: number
}

type Key = Pick<Daylight, 'sky' | 'horizon' | 'zenith' | 'stars'> & { readonly height: number }

const fromHex = (hex: number): Light => [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255]

/** By the height of the sun, lowest first. Nights are dark enough to see lamps, and bright enough to build. */
const keys: readonly Key[] = [
  { height: -0.22, sky: [0.45, 0.52, 0.72], horizon: fromHex(0x1a2740), zenith: fromHex(0x0a1020), stars: 1 },
  { height: -0.05, sky: [0.56, 0.54, 0.64], horizon: fromHex(0x6a5468), zenith: fromHex(0x1c2a4c), stars: 0.4 },
  { height: 0.07, sky: [0.9, 0.74, 0.62], horizon: fromHex(0xf0ab74), zenith: fromHex(0x41639c), stars: 0 },
  { height: 0.24, sky: [1, 0.94, 0.86], horizon: fromHex(0xdcd5cc), zenith: fromHex(0x4a86c8), stars: 0 },
  { height: 0.45, sky: [1, 1, 1], horizon: fromHex(0xc3dcef), zenith: fromHex(0x4a8fd8), stars: 0 },
]

const cave: Light = [0.33, 0.36, 0.45]
/** Brightness of faces by direction, before the sun adds to those that face it. */
const baseSides = [0.78, 0.78, 0.86, 0.52, 0.69, 0.69, 0.88]
const sunOnSide = 0.15

const between = (from: number, to: number, part: number): number => from + (to - from) * part
const mix = (from: Light, to: Light, part: number): Light => [
  between(from[0], to[0], part),
  between(from[1], to[1], part),
  between(from[2], to[2], part),
]

const keyAt = (height: number): Omit<Key, 'height'> => {
  const after = keys.findIndex((key) => key.height >= height)
  const to = keys[after === -1 ? keys.length - 1 : after] as Key
  const from = keys[Math.max(0, (after === -1 ? keys.length : after) - 1)] as Key
  const part = to.height === from.height ? 0 : (height - from.height) / (to.height - from.height)
  return {
    sky: mix(from.sky, to.sky, part),
    horizon: mix(from.horizon, to.horizon, part),
    zenith: mix(from.zenith, to.zenith, part),
    stars: between(from.stars, to.stars, part),
  }
}

/** From 0 to 24. The sun rises at 6 in the east (+x) and sets at 18. */
export const daylightAt = (hour: number): Daylight => {
  const angle = ((hour - 6) / 12) * Math.PI
  const [x, y, z] = [Math.cos(angle), Math.sin(angle), 0.36]
  const length = Math.hypot(x, y, z)
  const sun: Light = [x / length, y / length, z / length]
  // At night the moon shines from the opposite side.
  const shining = sun[1] < 0 ? -1 : 1
  const towards = [sun[0], -sun[0], sun[1], -sun[1], sun[2], -sun[2], Math.abs(sun[1])]
  const sides = baseSides.map((side, at) => side + sunOnSide * Math.max(-0.3, (towards[at] ?? 0) * (at === 6 ? 1 : shining)))
  return { sun, cave, sides, ...keyAt(sun[1]) }
}
