import { styles } from '../meshing/mesh-data.ts'

/** Deterministic grain, so that an icon looks the same each time. */
const grainAt = (x: number, y: number, seed: number): number => {
  const value = Math.sin(x * 12.9898 + y * 78.233 + seed * 37.719) * 43_758.5453
  return value - Math.floor(value) - 0.5
}

/** A pixel of a side: its colour source, brightness and opacity. */
export type Pixel = { readonly of: 'own' | 'stone' | 'cap'; readonly light: number; readonly alpha: number }

type Side = { readonly x: number; readonly y: number; readonly isTop: boolean; readonly seed: number }

const own = (light: number, alpha = 1): Pixel => ({ of: 'own', light, alpha })

/** The pattern of a style in 16 × 16 pixels, as in the terrain. */
export const pixelAt = (style: number, { x, y, isTop, seed }: Side): Pixel => {
  const grain = grainAt(x, y, seed)
  if (style === styles.bricks) {
    const isMortar = y % 4 === 3 || (x + (Math.floor(y / 4) % 2) * 4) % 8 === 7
    return own(isMortar ? 0.72 : 1 + grain * 0.12)
  }
  if (style === styles.planks) {
    const isSeam = y % 4 === 3 || x === (Math.floor(y / 4) * 7 + 3) % 16
    return own(isSeam ? 0.72 : 1 + grainAt(Math.floor(x / 4), y, seed) * 0.14)
  }
  if (style === styles.ore) {
    const isSpeck = grainAt(Math.floor(x / 3), Math.floor(y / 3), seed + 4) > 0.16
    return { of: isSpeck ? 'own' : 'stone', light: 1 + grain * 0.14, alpha: 1 }
  }
  if (style === styles.leaves) return own(grainAt(Math.floor(x / 2), Math.floor(y / 2), seed) > 0.36 ? 0.66 : 1 + grain * 0.34)
  if (style === styles.grass && !isTop) {
    const isCap = y < 3 + Math.round(2 * (grainAt(x, 0, seed) + 0.5))
    return { of: isCap ? 'cap' : 'own', light: 1 + grain * 0.18, alpha: 1 }
  }
  if (style === styles.bark) {
    const ring = Math.floor(Math.max(Math.abs(x - 7.5), Math.abs(y - 7.5)))
    return own(isTop ? 0.9 + (ring % 2) * 0.16 : 1 + grainAt(x, Math.floor(y / 5), seed) * 0.3)
  }
  const isEdge = x === 0 || y === 0 || x === 15 || y === 15
  if (style === styles.smooth) return own(isEdge ? 0.9 : 1 + grain * 0.05)
  if (style === styles.clear) return own(x + y === 11 || x + y === 12 ? 1.3 : 1, isEdge ? 0.95 : 0.3)
  if (style === styles.fluid) return own(1 + 0.1 * Math.sin(x * 0.9 + Math.sin(y * 0.8) * 1.6), 0.86)
  return own(1 + grain * 0.18)
}
