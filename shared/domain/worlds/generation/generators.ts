import { AppError } from '../../../kernel/errors.ts'
import type { BlockRegistry } from '../chunks/block-registry.ts'
import { createFlatGenerator } from './flat-generator.ts'
import type { Generator } from './generator.ts'
import { createTerrainGenerator } from './terrain/terrain-generator.ts'
import { parseWorldgen, type WorldgenConfig } from './worldgen-config.ts'

/** What makes a world's terrain, as its record has it. */
export type GeneratorOptions = {
  readonly version: string
  /** A safe integer; all of it counts. */
  readonly seed: number
  /** `worldgen.yaml` as of the world's creation; keys that are absent have the default. */
  readonly settings: unknown
  readonly registry: BlockRegistry
}

type Making = { readonly seed: number; readonly settings: WorldgenConfig; readonly registry: BlockRegistry }

/** Frozen, each under its name for ever: a change of how terrain comes out is a new one. */
const generators: ReadonlyMap<string, (making: Making) => Generator> = new Map([
  ['terrain-1', createTerrainGenerator],
  ['flat-1', ({ settings, registry }: Making) => createFlatGenerator(settings, registry)],
])

/** Whether there is a generator of that version. */
export const isGenerator = (version: string): boolean => generators.has(version)

/**
 * The generator of a world. Blocks that the registry does not know are interned. Throws AppError `unavailable`, slug
 * `world-unusable`, for a version that a newer server made, and for settings that do not parse.
 */
export const createGenerator = ({ version, seed, settings, registry }: GeneratorOptions): Generator => {
  const make = generators.get(version)
  if (make === undefined)
    throw new AppError(
      'unavailable',
      'world-unusable',
      `The world was made by a newer server, with the generator "${version}", which this one does not have: update the server.`,
    )
  const parsed = parseWorldgen(settings)
  if (!parsed.ok)
    throw new AppError('unavailable', 'world-unusable', 'The settings that the world was made with are not valid.', {
      errors: parsed.faults,
    })
  return make({ seed, settings: parsed.value, registry })
}
