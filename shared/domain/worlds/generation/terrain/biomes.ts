import type { Land } from './land-shape.ts'
import type { PlantKind } from './plants.ts'

/** The plants of a biome: at most one plant in each square of four by four blocks, with this chance, of one of these kinds. */
export type Growth = { readonly chance: number; readonly kinds: readonly PlantKind[] }

export type Biome = {
  readonly id: string
  /** The material of the ground; rock has neither grass nor sand. */
  readonly ground: 'grass' | 'sand' | 'red_sand' | 'snow' | 'rock'
  readonly growth: Growth
}

const biomes = {
  plains: { id: 'plains', ground: 'grass', growth: { chance: 0.012, kinds: ['oak', 'oak', 'birch'] } },
  forest: { id: 'forest', ground: 'grass', growth: { chance: 0.5, kinds: ['oak', 'oak', 'oak', 'birch'] } },
  birchForest: { id: 'birch-forest', ground: 'grass', growth: { chance: 0.46, kinds: ['birch', 'birch', 'birch', 'oak'] } },
  swamp: { id: 'swamp', ground: 'grass', growth: { chance: 0.16, kinds: ['broad-oak', 'oak'] } },
  savanna: { id: 'savanna', ground: 'grass', growth: { chance: 0.035, kinds: ['broad-oak', 'broad-oak', 'oak'] } },
  desert: { id: 'desert', ground: 'sand', growth: { chance: 0.04, kinds: ['cactus'] } },
  redDesert: { id: 'red-desert', ground: 'red_sand', growth: { chance: 0.03, kinds: ['cactus'] } },
  taiga: { id: 'taiga', ground: 'grass', growth: { chance: 0.36, kinds: ['spruce'] } },
  snowyTaiga: { id: 'snowy-taiga', ground: 'snow', growth: { chance: 0.3, kinds: ['spruce'] } },
  snowyPlains: { id: 'snowy-plains', ground: 'snow', growth: { chance: 0.008, kinds: ['spruce'] } },
  slopes: { id: 'slopes', ground: 'grass', growth: { chance: 0.1, kinds: ['spruce', 'spruce', 'oak'] } },
  peaks: { id: 'peaks', ground: 'rock', growth: { chance: 0, kinds: [] } },
} as const satisfies Record<string, Biome>

/** Below this temperature water freezes and the ground has snow. */
export const freezing = -0.36

const decideByClimate = (temperature: number, humidity: number): Biome => {
  if (temperature < freezing) return humidity > 0 ? biomes.snowyTaiga : biomes.snowyPlains
  if (temperature < -0.1 && humidity > -0.12) return biomes.taiga
  if (temperature > 0.24 && humidity < -0.06) return temperature > 0.45 && humidity < -0.2 ? biomes.redDesert : biomes.desert
  if (temperature > 0.24 && humidity < 0.16) return biomes.savanna
  if (humidity > 0.32) return biomes.birchForest
  return humidity > 0.02 ? biomes.forest : biomes.plains
}

/** The biome of land at that height above the sea, in blocks. */
export const decideBiome = (land: Land, aboveSea: number): Biome => {
  const { unevenness } = land
  const fray = unevenness * 0.025
  if (land.mountain > 0.3 && aboveSea > 52 + unevenness * 7) return biomes.peaks
  if (land.swamp > 0.5) return biomes.swamp
  const climate = decideByClimate(land.temperature + fray, land.humidity - fray)
  const isMild = climate.ground === 'grass' && climate !== biomes.taiga
  return isMild && land.mountain > 0.45 && aboveSea > 26 + unevenness * 4 ? biomes.slopes : climate
}
