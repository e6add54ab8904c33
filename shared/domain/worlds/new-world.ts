import { AppError, type Fault } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'
import { isGenerator } from './generation/generators.ts'
import { parseWorldgen } from './generation/worldgen-config.ts'
import { WorldName, WorldRecord } from './world.ts'
import type { NewWorld } from './world-service.ts'

const parseName = createParser(WorldName)
const parseId = createParser(WorldRecord.properties.id)

/** Names that stand for devices on Windows, in any letter case: no folder can have them there. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Whether a world can have that name, wherever its data folder is taken. */
export const isWorldName = (name: string): boolean => parseName(name).ok && !deviceNames.test(name)

const findFaults = ({ name, seed, generator, settings, id }: NewWorld): Fault[] => {
  const parsed = settings === undefined ? undefined : parseWorldgen(settings)
  const faults: (Fault | false)[] = [
    id !== undefined && !parseId(id).ok && { pointer: '/id', message: 'must be a UUID' },
    !parseName(name).ok && { pointer: '/name', message: 'must be 1 to 64 letters, digits, dashes and underscores' },
    deviceNames.test(name) && { pointer: '/name', message: 'is the name of a device on some systems: choose another' },
    typeof seed === 'number' && !Number.isSafeInteger(seed) && { pointer: '/seed', message: 'must be a safe integer, or a text' },
    generator !== undefined &&
      !isGenerator(generator) && { pointer: '/generator', message: 'is none that this server has: update it, or choose another' },
  ]
  const inSettings = parsed === undefined || parsed.ok ? [] : parsed.faults
  return [
    ...faults.filter((fault) => fault !== false),
    ...inSettings.map((fault) => ({ ...fault, pointer: `/settings${fault.pointer ?? ''}` })),
  ]
}

/** Throws AppError `invalid` that lists every fault, unless there can be such a world. */
export const checkNewWorld = (input: NewWorld): void => {
  const errors = findFaults(input)
  if (errors.length > 0) throw new AppError('invalid', 'bad-request', 'There can be no such world.', { errors })
}
