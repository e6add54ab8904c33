import type { Clock } from '../../kernel/clock.ts'
import { chunkCoordinate, chunkKey } from '../../rules/positions.ts'
import type { ChunkStore, SideWrite, WorldRef } from '../worlds/store/chunk-store.ts'
import { worldUnusable } from '../worlds/store/chunk-store-rules.ts'
import type { MadeChange } from './block-change.ts'
import {
  addPage,
  createOpenPage,
  directoryKey,
  directoryPrefix,
  encodeDirectory,
  isDirectoryFull,
  type OpenPage,
  type PageDirectory,
  pageKey,
  readDirectory,
  readHistoryPage,
  scanDirectory,
} from './history-page.ts'

/** A page with this many changes is closed. */
const pageChanges = 1024
/** The maximum number of records that one write of `prune` removes. */
const prunedAtOnce = 8
const dayMs = 86_400_000
const bytesPerMiB = 2 ** 20

/** `history` of `server.yaml`. */
export type HistoryLimits = { readonly enabled: boolean; readonly days: number; readonly maxMiB: number }

/** The only writer of a world's history. Settle each `note` and `prune` before the next one. */
export type HistoryBook = {
  /** Returns the records to write in the same transaction as the columns. */
  note(changes: readonly MadeChange[]): Promise<readonly SideWrite[]>
  /** Returns deletions of the oldest records, a few at a time; empty while the history is within its limits. */
  prune(): readonly SideWrite[]
  /** Reports whether the write was stored. A write that failed may still have arrived; the next write corrects that. */
  settle(isStored: boolean): void
}

export type HistoryBookDeps = {
  readonly chunks: Pick<ChunkStore, 'getSide' | 'listSide'>
  readonly world: WorldRef
  readonly limits: () => HistoryLimits
  readonly clock: Pick<Clock, 'now'>
}

type OpenState = { readonly number: number; readonly page: OpenPage; readonly columns: Set<number> }

const emptyDirectory = (firstPage: number): PageDirectory => ({ firstPage, pages: [], columns: new Map() })
const columnOf = ({ x, z }: MadeChange): number => chunkKey(chunkCoordinate(x), chunkCoordinate(z))
const noColumns: PageDirectory['columns'] = new Map()
/** A directory that gets no more pages. The writer does not need its columns. */
const pagesOf = (bytes: Uint8Array): PageDirectory => {
  const { firstPage, pages } = scanDirectory(bytes, () => false)
  return { firstPage, pages, columns: noColumns }
}
const newPage = (number: number): OpenState => ({ number, page: createOpenPage(), columns: new Set() })

/** The open page as the previous process left it. */
const resume = (number: number, bytes: Uint8Array | undefined): OpenState => {
  const state = newPage(number)
  for (const change of bytes === undefined ? [] : readHistoryPage(bytes)) {
    state.page.add(change, change.at)
    state.columns.add(columnOf(change))
  }
  return state
}

/** Reads the end of a world's history. Throws AppError `unavailable`, slug `world-unusable`, if the history is damaged. */
export const openHistoryBook = async ({ chunks, world, limits, clock }: HistoryBookDeps): Promise<HistoryBook> => {
  const stored = await chunks.listSide(world, directoryPrefix)
  let directories: PageDirectory[]
  let open: OpenState
  try {
    directories = stored.map(({ bytes }, at) => (at === stored.length - 1 ? readDirectory(bytes) : pagesOf(bytes)))
    const last = directories.at(-1)
    const number = last === undefined ? 0 : last.firstPage + last.pages.length
    const [bytes] = await chunks.getSide(world, [pageKey(number)])
    open = resume(number, bytes)
  } catch (cause) {
    throw worldUnusable(world, 'their history is damaged', 'Restore the folder of the world from a backup.', cause)
  }
  const prunedPages = new Set<number>()
  let total = directories.reduce((sum, { pages }) => sum + pages.reduce((bytes, page) => bytes + page.bytes, 0), 0)
  let isDoubtful = false
  /** A failed `prune` does not put the open page in doubt. */
  let isPruning = false
  let finish: (isStored: boolean) => void = () => {}

  const currentDirectory = (): PageDirectory => {
    const last = directories.at(-1)
    return last === undefined || isDirectoryFull(last) ? emptyDirectory(open.number) : last
  }

  /** The directory as stored, to overwrite what a failed write may have left. */
  const restored = (): readonly SideWrite[] => {
    const { firstPage, pages } = currentDirectory()
    const bytes = pages.length === 0 ? undefined : encodeDirectory(currentDirectory())
    return [{ key: directoryKey(firstPage), bytes }]
  }

  const close = async (columns: Set<number>): Promise<{ writes: readonly SideWrite[]; directory: PageDirectory }> => {
    const { page, number } = open
    const bytes = await page.closed()
    const facts = { firstAt: page.firstAt(), lastAt: page.lastAt(), bytes: bytes.length }
    const directory = addPage(currentDirectory(), facts, columns)
    const writes = [
      { key: pageKey(number), bytes },
      { key: directoryKey(directory.firstPage), bytes: encodeDirectory(directory) },
    ]
    return { writes, directory }
  }

  const turnPage = (directory: PageDirectory): void => {
    const others = directories.filter(({ firstPage }) => firstPage !== directory.firstPage)
    directories = [...others.map(({ firstPage, pages }) => ({ firstPage, pages, columns: noColumns })), directory]
    total += directory.pages.at(-1)?.bytes ?? 0
    open = newPage(open.number + 1)
  }

  const note: HistoryBook['note'] = async (made) => {
    isPruning = false
    const changes = limits().enabled ? made : []
    if (changes.length === 0 && !isDoubtful) return []
    const takeBack = open.page.mark()
    const at = Math.max(clock.now(), open.page.lastAt(), directories.at(-1)?.pages.at(-1)?.lastAt ?? 0)
    for (const change of changes) open.page.add(change, at)
    const columns = changes.map(columnOf)
    const closed = open.page.count() >= pageChanges ? await close(new Set([...open.columns, ...columns])) : undefined
    finish = (isStored) => {
      if (!isStored) takeBack()
      else if (closed !== undefined) turnPage(closed.directory)
      else for (const column of columns) open.columns.add(column)
    }
    if (closed !== undefined) return closed.writes
    return [{ key: pageKey(open.number), bytes: open.page.open() }, ...(isDoubtful ? restored() : [])]
  }

  /** The oldest page that exists, if it is too old or the history too large. */
  const nextToGo = (bytesLeft: number): { directory: PageDirectory; place: number } | undefined => {
    const { days, maxMiB } = limits()
    const tooOld = clock.now() - days * dayMs
    for (const directory of directories)
      for (const [place, { lastAt }] of directory.pages.entries()) {
        if (prunedPages.has(directory.firstPage + place)) continue
        return lastAt < tooOld || bytesLeft > maxMiB * bytesPerMiB ? { directory, place } : undefined
      }
    return undefined
  }

  const prune: HistoryBook['prune'] = () => {
    isPruning = true
    const writes: SideWrite[] = []
    const removed: PageDirectory[] = []
    let bytesLeft = total
    const newlyPruned: number[] = []
    for (let next = nextToGo(bytesLeft); next !== undefined && writes.length + 2 <= prunedAtOnce; next = nextToGo(bytesLeft)) {
      const { directory, place } = next
      const number = directory.firstPage + place
      writes.push({ key: pageKey(number), bytes: undefined })
      prunedPages.add(number)
      newlyPruned.push(number)
      bytesLeft -= directory.pages[place]?.bytes ?? 0
      // The last directory is kept: it gives the number of the next page.
      if (place < directory.pages.length - 1 || directory === directories.at(-1)) continue
      writes.push({ key: directoryKey(directory.firstPage), bytes: undefined })
      removed.push(directory)
    }
    finish = (isStored) => {
      if (isStored) {
        total = bytesLeft
        directories = directories.filter((directory) => !removed.includes(directory))
        for (const { firstPage, pages } of removed) for (const place of pages.keys()) prunedPages.delete(firstPage + place)
      } else for (const number of newlyPruned) prunedPages.delete(number)
    }
    return writes
  }

  return {
    note,
    prune,
    settle: (isStored) => {
      finish(isStored)
      finish = () => {}
      isDoubtful = !isStored || (isPruning && isDoubtful)
      isPruning = false
    },
  }
}
