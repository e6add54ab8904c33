import { AppError, type Fault } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'
import { isGenerator } from './generation/generators.ts'
import { parseWorldgen } from './generation/worldgen-config.ts'
import { WorldName, WorldRecord } from './world.ts'
import type { NewWorld } from './world-service.ts'

const parseName = createParser(WorldName)
const parseId = createParser(WorldRecord.properties.id)

/** Device names on Windows, in any letter case. No folder can have them there. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Whether a world can have that name on every system. */
export const isWorldName = (name: string): boolean => parseName(name).ok && !deviceNames.test(name)

const findFaults = ({ name, seed, generator, settings, id }: NewWorld): Fault[] => {
  const parsed = settings === undefined ? undefined : parseWorldgen(settings)
  const faults: (Fault | false)[] = [
    id !== undefined && !parseId(id).ok && { pointer: '/id', message: 'must be a UUID' },
    !parseName(name).ok && { pointer: '/name', message: 'must be 1 to 64 letters, digits, dashes and underscores' },
    deviceNames.test(name) && { pointer: '/name', message: 'is the name of a device on some systems; choose another name' },
    typeof seed === 'number' && !Number.isSafeInteger(seed) && { pointer: '/seed', message: 'must be a safe integer, or a text' },
    generator !== undefined &&
      !isGenerator(generator) && {
        pointer: '/generator',
        message: 'is not a generator of this server; update the server or choose another generator',
      },
  ]
  const inSettings = parsed === undefined || parsed.ok ? [] : parsed.faults
  return [
    ...faults.filter((fault) => fault !== false),
    ...inSettings.map((fault) => ({ ...fault, pointer: `/settings${fault.pointer ?? ''}` })),
  ]
}

/** Throws AppError `invalid` with all faults, unless the world can be created. */
export const checkNewWorld = (input: NewWorld): void => {
  const errors = findFaults(input)
  if (errors.length > 0) throw new AppError('invalid', 'bad-request', 'The world cannot be created.', { errors })
}
