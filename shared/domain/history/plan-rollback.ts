import { AppError } from '../../kernel/errors.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import { type BlockPos, chunkCoordinate, chunkKey } from '../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { BlockChange } from './block-change.ts'
import { type ChangeFilter, isByAndWhen, isInPlace, readDirectories, readPages } from './find-changes.ts'

/** The maximum number of blocks that one rollback restores. */
export const rollbackBlocksMax = 1_000_000
/** The maximum number of history pages that a rollback reads. */
export const rollbackPagesMax = 8192

/** A block to restore if it is still `expected`. Both are ids of block types. */
export type PlannedBlock = BlockPos & { readonly expected: string; readonly restored: string }

export type RollbackCounts = {
  /** Changes that the rollback undoes. */
  readonly changes: number
  readonly blocks: number
  readonly columns: number
  /** Blocks that another player has changed since. */
  readonly skipped: number
}

/** The remaining work of a job by column, and the number of blocks already done. */
export type RollbackPlan = {
  readonly columns: ReadonlyMap<number, readonly PlannedBlock[]>
  readonly counts: RollbackCounts
  /** Blocks that an earlier run of the job has restored. */
  readonly done: number
}

/**
 * The state of a block while its changes are read, newest first.
 * - `wanted`: its newest change is to be undone.
 * - `settled`: as `wanted`, with an older change that stays.
 * - `left`: its newest change is not selected.
 * - `skipped`: as `left`, and it hides a change that would be undone.
 */
type Seen = BlockPos & { state: 'wanted' | 'settled' | 'left' | 'skipped' | 'done'; readonly expected: string; restored: string }

const tooMuch = (): AppError =>
  new AppError(
    'unprocessable',
    'rule-broken',
    `The rollback has more than ${rollbackBlocksMax} blocks. Choose a smaller area or a shorter time.`,
  )

const placeInColumn = ({ x, y, z }: BlockPos): number => (y << 8) | ((z & 15) << 4) | (x & 15)

const firstState = (change: BlockChange, filter: ChangeFilter, job: string | undefined): Seen['state'] => {
  if (job !== undefined && change.undoes === job) return 'done'
  return isByAndWhen(filter, change) ? 'wanted' : 'left'
}

const columnOf = ({ x, z }: BlockPos): number => chunkKey(chunkCoordinate(x), chunkCoordinate(z))

type Blocks<T> = Map<number, Map<number, T>>

const columnIn = <T>(blocks: Blocks<T>, column: number): Map<number, T> => {
  const known = blocks.get(column) ?? new Map<number, T>()
  blocks.set(column, known)
  return known
}

type Read = {
  readonly chunks: Pick<ChunkStore, 'getSide' | 'listSide'>
  readonly world: WorldRef
  readonly directories: readonly Uint8Array[]
}

/** Passes all changes in the filter's place and time to `look`, by any player, newest first, until `isTooMuch`. */
const readChanges = async (
  { chunks, world, directories }: Read,
  filter: ChangeFilter,
  { look, isTooMuch }: { look(change: BlockChange): void; isTooMuch(): boolean },
): Promise<void> => {
  const { by: _by, module: _module, until: _until, undoes: _undoes, ...anybody } = filter
  let pages = 0
  for await (const page of readPages(chunks, world, { filter: anybody, directories })) {
    pages += 1
    for (const change of page.changes.toReversed())
      if (isInPlace(filter, change) && change.at >= (filter.since ?? 0)) look(change)
    if (pages > rollbackPagesMax || isTooMuch()) throw tooMuch()
  }
}

/** The blocks with a change to undo or a change by this job. Other blocks do not matter. */
const findConcerned = async (
  { job, blocksMax, ...read }: Read & { readonly job: string | undefined; readonly blocksMax: number },
  filter: ChangeFilter,
): Promise<Blocks<true>> => {
  const concerned: Blocks<true> = new Map()
  let count = 0
  await readChanges(read, filter, {
    look: (change) => {
      if (!isByAndWhen(filter, change) && (job === undefined || change.undoes !== job)) return
      const column = columnIn(concerned, columnOf(change))
      if (column.has(placeInColumn(change))) return
      column.set(placeInColumn(change), true)
      count += 1
    },
    isTooMuch: () => count > blocksMax,
  })
  return concerned
}

/** Blocks that are summed up before other work gets its turn. */
const summedAtOnce = 10_000

const sumUp = async (seen: Blocks<Seen>, changes: number): Promise<RollbackPlan> => {
  const columns = new Map<number, readonly PlannedBlock[]>()
  let [blocks, skipped, done, summed] = [0, 0, 0, 0]
  for (const [column, known] of seen) {
    const toDo: Seen[] = []
    for (const block of known.values()) {
      const { state, expected, restored } = block
      if (state === 'skipped') skipped += 1
      else if (state === 'done') done += 1
      else if (state !== 'left' && expected !== restored) toDo.push(block)
    }
    if (toDo.length > 0) columns.set(column, toDo)
    blocks += toDo.length
    summed += known.size
    if (summed < summedAtOnce) continue
    summed = 0
    await letOthersWork()
  }
  return { columns, counts: { changes, blocks, columns: columns.size, skipped }, done }
}

/** What a rollback of the selected changes would do now. `job` is the id of the job if it has already started. */
export const planRollback = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  {
    filter,
    job,
    blocksMax = rollbackBlocksMax,
  }: { readonly filter: ChangeFilter; readonly job?: string; readonly blocksMax?: number },
): Promise<RollbackPlan> => {
  const read = { chunks, world, directories: await readDirectories(chunks, world) }
  const concerned = await findConcerned({ ...read, job, blocksMax }, filter)
  const seen: Blocks<Seen> = new Map()
  let changes = 0
  const look = (change: BlockChange): void => {
    const column = columnOf(change)
    const place = placeInColumn(change)
    if (concerned.get(column)?.has(place) !== true) return
    const known = columnIn(seen, column)
    const block = known.get(place)
    if (block === undefined) {
      const { x, y, z, from, to } = change
      const state = firstState(change, filter, job)
      if (state === 'wanted') changes += 1
      known.set(place, { x, y, z, state, expected: to, restored: from })
      return
    }
    const isWanted = isByAndWhen(filter, change)
    if (block.state === 'left' && isWanted) block.state = 'skipped'
    if (block.state !== 'wanted') return
    if (isWanted) {
      changes += 1
      block.restored = change.from
    } else block.state = 'settled'
  }
  // Reads again only pages with columns of those blocks.
  await readChanges(read, { ...filter, columns: new Set(concerned.keys()) }, { look, isTooMuch: () => false })
  return sumUp(seen, changes)
}
