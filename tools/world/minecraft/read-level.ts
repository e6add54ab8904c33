import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { read } from 'nbtify'
import type { WorldSpawn } from '../../../shared/domain/worlds/world.ts'
import { worldHeight } from '../../../shared/rules/positions.ts'
import { checkNbt } from './check-nbt.ts'
import { inflatedBytesMax } from './inflate-column.ts'
import { isCompound, numberOf } from './read-minecraft-column.ts'

const levelName = 'level.dat'
const overworld = 'minecraft:overworld'

/** The place of the spawn: `SpawnX`, `SpawnY`, `SpawnZ`, or since 1.21.9 `spawn` with a place, a dimension and a direction. */
const findPlace = (level: Readonly<Record<string, unknown>>): readonly (number | undefined)[] | undefined => {
  const { spawn } = level
  if (!isCompound(spawn)) return [numberOf(level.SpawnX), numberOf(level.SpawnY), numberOf(level.SpawnZ)]
  const isElsewhere = typeof spawn.dimension === 'string' && spawn.dimension !== overworld
  return isElsewhere || !(spawn.pos instanceof Int32Array) ? undefined : [...spawn.pos]
}

/** The spawn in the `level.dat` of a Minecraft world; undefined if the file is missing, damaged or has none. */
export const findLevelSpawn = async (folder: string): Promise<WorldSpawn | undefined> => {
  try {
    const nbt = await promisify(gunzip)(await readFile(join(folder, levelName)), { maxOutputLength: inflatedBytesMax })
    if (checkNbt(nbt) !== undefined) return undefined
    const { data } = await read(nbt, { rootName: true, endian: 'big', compression: null, bedrockLevel: false, strict: false })
    const level: unknown = isCompound(data) ? Reflect.get(data, 'Data') : undefined
    const [x, y, z] = (isCompound(level) ? findPlace(level) : undefined) ?? []
    if (x === undefined || y === undefined || z === undefined) return undefined
    // Columns are cut off below 0 and above 255.
    return { x: x + 0.5, y: Math.min(worldHeight - 1, Math.max(0, y)), z: z + 0.5 }
  } catch {
    return undefined
  }
}
