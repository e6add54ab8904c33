import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { read } from 'nbtify'
import { createRecordBatches, type RecordBatches } from '../../../shared/domain/world-moves/files/import/record-batches.ts'
import type { WorldStage } from '../../../shared/domain/world-moves/files/import/world-stage.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { WorldSpawn } from '../../../shared/domain/worlds/world.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { isChunkPos, worldHeight } from '../../../shared/rules/positions.ts'
import type { WorldContext } from '../world-command.ts'
import { createBlockNames, readBlockTable } from './block-names.ts'
import { type ColumnCounts, createColumnConverter } from './convert-column.ts'
import { createImportReport, type ImportReport, noteFault, noteSkip } from './import-report.ts'
import { checkNbt, isCompound, numberOf, readMinecraftColumn } from './read-minecraft-column.ts'
import { inflatedBytesMax, type RegionColumn, readRegionFile } from './region-file.ts'
import type { Skip } from './skip-reason.ts'

/** A file of 32×32 columns; `rx`, `rz` are its position in regions. */
type RegionPath = { readonly name: string; readonly path: string; readonly rx: number; readonly rz: number }

const regionName = /^r\.(-?\d{1,7})\.(-?\d{1,7})\.mca$/

/**
 * The folders of the overworld's regions in a world folder: the folder itself, then the layout since 26.1, then the previous
 * one.
 */
const places = ['.', join('dimensions', 'minecraft', 'overworld', 'region'), 'region']

const listFolder = async (folder: string): Promise<RegionPath[]> => {
  const names = await readdir(folder).catch((): string[] => [])
  return names.flatMap((name) => {
    const [, rx, rz] = regionName.exec(name) ?? []
    return rx === undefined || rz === undefined ? [] : [{ name, path: join(folder, name), rx: Number(rx), rz: Number(rz) }]
  })
}

/** Region files west to east, then north to south, with their folder and the folders of another layout that were not read. */
type RegionFolder = { readonly regions: readonly RegionPath[]; readonly place: string; readonly unread: readonly string[] }

/**
 * The region files of a folder, or of the world folder around it. Of two layouts the newer one. Throws AppError `invalid` when
 * there are none.
 */
const listRegionFiles = async (folder: string): Promise<RegionFolder> => {
  const found: { readonly place: string; readonly regions: RegionPath[] }[] = []
  for (const place of places) {
    const regions = await listFolder(join(folder, place))
    if (regions.length > 0) found.push({ place, regions })
  }
  const [first, ...others] = found
  if (first !== undefined)
    return {
      regions: first.regions.sort((a, b) => a.rx - b.rx || a.rz - b.rz),
      place: first.place,
      unread: others.map(({ place }) => place),
    }
  throw new AppError(
    'invalid',
    'bad-request',
    'There are no region files (r.X.Z.mca) in that folder or in its folder "region". Give the folder of a Minecraft Java Edition world.',
  )
}

type Conversion = {
  readonly report: ImportReport
  readonly batches: RecordBatches
  /** The record of a column, or the reason to leave it out. */
  readonly convert: (column: RegionColumn, counts: ColumnCounts) => Promise<Uint8Array | Skip>
}

const openConversion = async ({ task }: WorldContext, stage: WorldStage): Promise<Conversion> => {
  const registry = task.createRegistry()
  const convertColumn = createColumnConverter(createBlockNames(await readBlockTable(), registry))
  return {
    report: createImportReport(),
    batches: createRecordBatches(stage),
    convert: async (column, counts) => {
      if (!isChunkPos(column)) return { reason: 'outside-the-world', detail: 'it is outside the bounds of a world' }
      if ('skip' in column) return column.skip
      const read = await readMinecraftColumn(column.nbt, column)
      if ('reason' in read) return read
      const chunk = convertColumn(read, column, counts)
      return 'reason' in chunk ? chunk : encodeChunk(chunk, registry)
    },
  }
}

const bringInRegion = async (
  region: RegionPath,
  { report, batches, convert }: Conversion,
  signal: AbortSignal,
): Promise<void> => {
  for await (const column of readRegionFile(region, (fault) => noteFault(report, region.name, fault))) {
    signal.throwIfAborted()
    const made = await convert(column, report.counts)
    if (!(made instanceof Uint8Array)) {
      noteSkip(report, column, made)
      continue
    }
    await batches.add({ cx: column.cx, cz: column.cz, bytes: made })
    report.columns += 1
  }
  report.files += 1
}

const nothingToImport = (report: ImportReport): AppError =>
  new AppError('invalid', 'bad-request', 'The folder has no column that can be imported. No world was created.', {
    errors: report.faults.slice(0, 10).map(({ where, fault }) => ({ pointer: `/${where}`, message: fault })),
  })

const bringIn = async (context: WorldContext, regions: readonly RegionPath[], conversion: Conversion): Promise<void> => {
  const progress = context.begin('Importing region files', regions.length)
  try {
    for (const region of regions) {
      await bringInRegion(region, conversion, context.signal)
      progress.advance()
    }
    await conversion.batches.flush()
  } finally {
    progress.end()
  }
}

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
const findLevelSpawn = async (folder: string): Promise<WorldSpawn | undefined> => {
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

/**
 * Imports the columns of a Minecraft world under a name. Their surroundings are generated from a seed of our own as players get
 * there. The report lists faults of files and columns. Throws AppError when there is nothing to import, and leaves no world
 * then.
 */
export const importMinecraft = async (
  context: WorldContext,
  { folder, name, spawn: asked }: { readonly folder: string; readonly name: string; readonly spawn?: WorldSpawn | undefined },
): Promise<ImportReport> => {
  const { regions, place, unread } = await listRegionFiles(folder)
  // The folder may be the region folder itself, in either layout.
  const places = place === '.' ? [folder, join(folder, '..'), join(folder, '../../../..')] : [folder]
  let spawn = asked
  for (const at of places) spawn ??= await findLevelSpawn(at)
  const stage = await context.task.openStage(name)
  try {
    const conversion = await openConversion(context, stage)
    await bringIn(context, regions, conversion)
    if (conversion.report.columns === 0) throw nothingToImport(conversion.report)
    await stage.publish(spawn === undefined ? {} : { spawn })
    return { ...conversion.report, read: place, unread, spawn }
  } finally {
    await stage.close()
  }
}
