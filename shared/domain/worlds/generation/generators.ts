import { AppError } from '../../../kernel/errors.ts'
import type { BlockRegistry } from '../chunks/block-registry.ts'
import { createFlatGenerator } from './flat-generator.ts'
import type { Generator } from './generator.ts'
import { createTerrainGenerator } from './terrain/terrain-generator.ts'
import { parseWorldgen, type WorldgenConfig } from './worldgen-config.ts'

/** The generator options in a world's record. */
export type GeneratorOptions = {
  readonly version: string
  /** A safe integer. All of its bits count. */
  readonly seed: number
  /** `worldgen.yaml` at the creation of the world. Absent keys have their defaults. */
  readonly settings: unknown
  readonly registry: BlockRegistry
}

type Making = { readonly seed: number; readonly settings: WorldgenConfig; readonly registry: BlockRegistry }

/** Frozen: each name always makes the same terrain. A change of terrain needs a new name. */
const generators: ReadonlyMap<string, (making: Making) => Generator> = new Map([
  ['terrain-1', createTerrainGenerator],
  ['flat-1', ({ settings, registry }: Making) => createFlatGenerator(settings, registry)],
])

/** Whether there is a generator of that version. */
export const isGenerator = (version: string): boolean => generators.has(version)

/**
 * The generator of a world. Interns unknown blocks in the registry. Throws AppError `unavailable`, slug `world-unusable`, for a version
 * of a newer server and for invalid settings.
 */
export const createGenerator = ({ version, seed, settings, registry }: GeneratorOptions): Generator => {
  const make = generators.get(version)
  if (make === undefined)
    throw new AppError(
      'unavailable',
      'world-unusable',
      `The world was made by a newer server with the generator "${version}", which this server does not have. Update the server.`,
    )
  const parsed = parseWorldgen(settings)
  if (!parsed.ok)
    throw new AppError('unavailable', 'world-unusable', 'The stored settings of the world are not valid.', {
      errors: parsed.faults,
    })
  return make({ seed, settings: parsed.value, registry })
}
