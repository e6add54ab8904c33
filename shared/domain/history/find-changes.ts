import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { type BlockPos, chunkCoordinate, chunkKey, chunkPosOf } from '../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import { worldUnusable } from '../worlds/store/chunk-store-rules.ts'
import type { BlockChange } from './block-change.ts'
import { directoryPrefix, pageKey, readHistoryPage, scanDirectory } from './history-page.ts'

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
type FoundPage = { readonly page: number; readonly changes: readonly BlockChange[] }

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

/** The end of a history in milliseconds: now, or the time of the last change if the clock that wrote it was ahead. */
export const findHistoryEnd = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  nowMs: number,
): Promise<number> => {
  for await (const { changes } of readPages(chunks, world, { filter: {} }))
    return Math.max(Math.floor(nowMs), changes.at(-1)?.at ?? 0)
  return Math.floor(nowMs)
}

/** The maximum number of pages that one call reads. The cursor continues from there. */
const pagesMax = 256

type ChangesQuery = { readonly filter: ChangeFilter; readonly limit: number; readonly cursor?: string | undefined }
type ChangesPage = { readonly changes: readonly BlockChange[]; readonly nextCursor?: string }

/** A page, and the number of its changes that are still to be read. */
type PageCursor = { readonly page: number; readonly before: number }

const encodeCursor = ({ page, before }: PageCursor): string => `${page.toString(36)}.${before.toString(36)}`

const decodeCursor = (cursor: string): PageCursor => {
  const [page, before] = cursor.split('.').map((digits) => Number.parseInt(digits, 36))
  if (page !== undefined && before !== undefined && Number.isSafeInteger(page) && Number.isSafeInteger(before)) {
    const place = { page, before }
    if (encodeCursor(place) === cursor) return place
  }
  throw new AppError('invalid', 'bad-request', 'The cursor is not valid. Use the nextCursor of the previous page.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the previous page' }],
  })
}

/** A page of changes, newest first. It may have fewer than `limit` changes, even none, and still have a cursor. */
export const listChanges = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  { filter, limit, cursor }: ChangesQuery,
): Promise<ChangesPage> => {
  const start = cursor === undefined ? undefined : decodeCursor(cursor)
  const found: BlockChange[] = []
  let pagesRead = 0
  for await (const { page, changes } of readPages(chunks, world, { filter, ...(start && { from: start.page }) })) {
    const from = start?.page === page ? Math.min(start.before, changes.length) : changes.length
    if (pagesRead >= pagesMax) return { changes: found, nextCursor: encodeCursor({ page, before: changes.length }) }
    pagesRead += 1
    for (let place = from - 1; place >= 0; place -= 1) {
      const change = changes[place]
      if (change === undefined || !isInPlace(filter, change) || !isByAndWhen(filter, change)) continue
      if (found.length === limit) return { changes: found, nextCursor: encodeCursor({ page, before: place + 1 }) }
      found.push(change)
    }
  }
  return { changes: found }
}
