import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BlockPos, chunkCoordinate, chunkKey, chunkPosOf } from '../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import { worldUnusable } from '../worlds/store/chunk-store-rules.ts'
import type { BlockChange } from './block-change.ts'
import { readHistoryPage } from './history-page.ts'
import { directoryPrefix, pageKey, scanDirectory } from './page-directory.ts'

/** Blocks, ends included. */
export type BlockBox = {
  readonly minX: number
  readonly minY: number
  readonly minZ: number
  readonly maxX: number
  readonly maxY: number
  readonly maxZ: number
}

/** Selects changes. Times are in milliseconds, ends included. */
export type ChangeFilter = {
  readonly box?: BlockBox
  /** Only in these columns, by chunkKey. */
  readonly columns?: ReadonlySet<number>
  readonly by?: string
  /** Only changes that this module made. */
  readonly module?: string
  /** Only changes that this rollback job made. */
  readonly undoes?: string
  readonly since?: number
  readonly until?: number
}

/** A page of the history that may contain matching changes, oldest first. */
export type FoundPage = { readonly page: number; readonly changes: readonly BlockChange[] }

const pagesAtOnce = 4

/** Whether a change is at a place that the filter selects. */
export const isInPlace = ({ box, columns }: ChangeFilter, { x, y, z }: BlockPos): boolean => {
  if (columns !== undefined && !columns.has(chunkKey(chunkCoordinate(x), chunkCoordinate(z)))) return false
  if (box === undefined) return true
  return x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY && z >= box.minZ && z <= box.maxZ
}

/** Whether a change matches the player, the module, the job and the time of the filter. */
export const isByAndWhen = ({ by, module, undoes, since, until }: ChangeFilter, change: BlockChange): boolean =>
  (by === undefined || change.by === by) &&
  (module === undefined || change.module === module) &&
  (undoes === undefined || change.undoes === undoes) &&
  (since === undefined || change.at >= since) &&
  (until === undefined || change.at <= until)

const isWanted = ({ box, columns }: ChangeFilter, column: number): boolean => {
  if (columns !== undefined) return columns.has(column)
  if (box === undefined) return true
  const { cx, cz } = chunkPosOf(column)
  return (
    cx >= chunkCoordinate(box.minX) &&
    cx <= chunkCoordinate(box.maxX) &&
    cz >= chunkCoordinate(box.minZ) &&
    cz <= chunkCoordinate(box.maxZ)
  )
}

const isSet = (bits: number, place: number): boolean => ((bits >>> place) & 1) === 1

/** The pages to read, newest first, starting at `from`. */
const listPages = function* (directories: readonly Uint8Array[], filter: ChangeFilter, from: number): Generator<number> {
  const { since = 0, until = Number.POSITIVE_INFINITY } = filter
  if (directories.length === 0 && from >= 0) yield 0
  // One at a time: the newest directory answers most queries.
  for (const [age, bytes] of directories.toReversed().entries()) {
    const directory = scanDirectory(bytes, (column) => isWanted(filter, column))
    const { bits } = directory
    const open = directory.firstPage + directory.pages.length
    if (age === 0 && open <= from) yield open
    if (directory.firstPage > from) continue
    for (let place = directory.pages.length - 1; place >= 0; place -= 1) {
      const facts = directory.pages[place]
      if (facts === undefined || directory.firstPage + place > from || !isSet(bits, place)) continue
      if (facts.lastAt >= since && facts.firstAt <= until) yield directory.firstPage + place
    }
  }
}

/** The directories of a history, oldest first, for callers that read the pages more than once. */
export const readDirectories = async (chunks: Pick<ChunkStore, 'listSide'>, world: WorldRef): Promise<readonly Uint8Array[]> =>
  (await chunks.listSide(world, directoryPrefix)).map(({ bytes }) => bytes)

/**
 * The pages of a history with all of their changes, newest first, starting at page `from`. Yields to other work between batches.
 * Throws AppError `unavailable`, slug `world-unusable`, if the history is damaged.
 */
export const readPages = async function* (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  {
    filter,
    from = Number.POSITIVE_INFINITY,
    directories,
  }: { readonly filter: ChangeFilter; readonly from?: number; readonly directories?: readonly Uint8Array[] },
): AsyncGenerator<FoundPage> {
  const parse = <T>(read: () => T): T => {
    try {
      return read()
    } catch (cause) {
      throw worldUnusable(world, 'a page of their history is damaged', 'Restore the folder of the world from a backup.', cause)
    }
  }
  const pageNumbers = listPages(directories ?? (await readDirectories(chunks, world)), filter, from)
  const takeSome = (): number[] =>
    Array.from({ length: pagesAtOnce }, () => pageNumbers.next()).flatMap(({ value, done }) => (done ? [] : [value]))
  for (;;) {
    const pages = parse(takeSome)
    if (pages.length === 0) return
    const texts = await chunks.getSide(world, pages.map(pageKey))
    for (const [place, page] of pages.entries()) {
      const bytes = texts[place]
      // Pruned, or not started yet.
      if (bytes !== undefined) yield { page, changes: parse(() => readHistoryPage(bytes)) }
    }
    await nextTurn()
  }
}
