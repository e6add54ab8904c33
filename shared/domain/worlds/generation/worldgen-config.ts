import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createParser } from '../../../kernel/schema.ts'

const BlockId = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  description: 'Id of a block in `blocks.yaml`: lower-case letters, digits and _, at most 64.',
})

const height = (value: number, description: string) => Type.Integer({ default: value, minimum: 0, maximum: 255, description })

const factor = (maximum: number, description: string, minimum = 0) => Type.Number({ default: 1, minimum, maximum, description })

const section = <T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) =>
  ClosedObject(properties, { default: {}, description })

const Ore = ClosedObject({
  block: BlockId,
  minY: height(1, 'Lowest height of a vein.'),
  maxY: height(64, 'Greatest height of a vein.'),
  veinsPerColumn: Type.Integer({ default: 8, minimum: 0, maximum: 64, description: 'Veins in each column of 16 by 16.' }),
  veinBlocks: Type.Integer({ default: 8, minimum: 1, maximum: 64, description: 'Maximum number of blocks in a vein.' }),
})
export type Ore = Static<typeof Ore>

const Layer = ClosedObject({
  block: BlockId,
  height: Type.Integer({ default: 1, minimum: 1, maximum: 256, description: 'Height of the layer in blocks.' }),
})

const ore = (
  block: string,
  [minY, maxY]: readonly [number, number],
  [veinsPerColumn, veinBlocks]: readonly [number, number],
) => ({
  block,
  minY,
  maxY,
  veinsPerColumn,
  veinBlocks,
})

const defaultOres = [
  ore('gravel', [1, 200], [4, 28]),
  ore('coal_ore', [5, 128], [12, 14]),
  ore('iron_ore', [5, 64], [10, 9]),
  ore('gold_ore', [5, 32], [3, 8]),
  ore('diamond_ore', [2, 16], [2, 6]),
]

const defaultLayers = [
  { block: 'bedrock', height: 1 },
  { block: 'stone', height: 59 },
  { block: 'dirt', height: 3 },
  { block: 'grass', height: 1 },
]

/**
 * `worldgen.yaml`. In the file every key is optional; parsed, every key is present. A world keeps the settings of its creation. So new
 * keys need a default that changes no terrain, and keys are never removed.
 */
export const WorldgenConfig = ClosedObject({
  generator: Type.Unsafe<'terrain-1' | 'flat-1'>({
    type: 'string',
    enum: ['terrain-1', 'flat-1'],
    default: 'terrain-1',
    description: 'The generator of new worlds: `terrain-1` makes hills and seas, `flat-1` makes the layers below.',
  }),
  seaLevel: Type.Integer({ default: 62, minimum: 20, maximum: 120, description: 'Height of the highest water of the sea.' }),
  terrain: section(
    {
      scale: factor(8, 'Width of continents and hills; 2 is twice as wide.', 0.25),
      amplitude: factor(2, 'Height of hills and mountains and depth of the sea; 0 is flat.'),
    },
    'The shape of the land.',
  ),
  biomes: section(
    {
      enabled: Type.Boolean({ default: true, description: 'Off: plains and beaches only.' }),
      scale: factor(8, 'Width of biomes; 2 is twice as wide.', 0.25),
      snowLine: height(110, 'Height above which mountains have snow.'),
    },
    'Biomes, by temperature and humidity.',
  ),
  caves: section(
    {
      enabled: Type.Boolean({ default: true, description: 'Whether there are caves.' }),
      width: factor(2, 'Width of caves.'),
    },
    'Caves.',
  ),
  ores: Type.Array(Ore, {
    default: defaultOres,
    maxItems: 64,
    description: 'Veins in the stone. A later vein may cut an earlier one.',
  }),
  trees: section({ density: factor(4, 'Number of trees and cactuses; 0 is none.') }, 'Trees and cactuses.'),
  flat: section(
    {
      layers: Type.Array(Layer, {
        default: defaultLayers,
        maxItems: 256,
        description: 'Layers from the floor up, at most 256 blocks high in all.',
      }),
    },
    'The world of the generator `flat-1`.',
  ),
})
export type WorldgenConfig = Static<typeof WorldgenConfig>

/** Parses the settings of a world. Absent keys get their defaults. */
export const parseWorldgen = createParser(WorldgenConfig, 'defaults')
