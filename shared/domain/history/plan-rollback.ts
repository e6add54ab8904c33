import { AppError } from '../../kernel/errors.ts'
import { letOthersWork } from '../../kernel/turns.ts'
import { type BlockPos, chunkCoordinate, chunkKey } from '../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { BlockChange } from './block-change.ts'
import { type ChangeFilter, isByAndWhen, isInPlace, readDirectories, readPages } from './find-changes.ts'

/** Blocks that one rollback takes back at most. */
export const rollbackBlocksMax = 1_000_000
/** Pages of the history that it reads at most. */
export const rollbackPagesMax = 8192

/** A block that is to become what it was, as long as it is what the changes made of it; ids of block types. */
export type PlannedBlock = BlockPos & { readonly expected: string; readonly restored: string }

export type RollbackCounts = {
  /** Changes that are taken back. */
  readonly changes: number
  readonly blocks: number
  readonly columns: number
  /** Blocks that somebody else has changed since. */
  readonly skipped: number
}

/** What of a job is still to be done, by column, and what it did before. */
export type RollbackPlan = {
  readonly columns: ReadonlyMap<number, readonly PlannedBlock[]>
  readonly counts: RollbackCounts
  /** Blocks that an earlier run of the job has taken back. */
  readonly done: number
}

/**
 * What is known of a block while its changes are looked at, newest first. `wanted`: its newest change is to be taken back; `settled`: below
 * that is one of somebody else; `left`: the newest is of somebody else; `skipped`: that hides one to be taken back.
 */
type Seen = BlockPos & { state: 'wanted' | 'settled' | 'left' | 'skipped' | 'done'; readonly expected: string; restored: string }

const tooMuch = (): AppError =>
  new AppError(
    'unprocessable',
    'rule-broken',
    `That is more than a rollback takes back at once (${rollbackBlocksMax} blocks): ask for a smaller place or a shorter time.`,
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

/** Hands out changes of the filter's place since its time, by anybody, newest first, until that is too much. */
const readChanges = async (
  { chunks, world, directories }: Read,
  filter: ChangeFilter,
  { look, isTooMuch }: { look(change: BlockChange): void; isTooMuch(): boolean },
): Promise<void> => {
  const { by: _by, until: _until, undoes: _undoes, ...anybody } = filter
  let pages = 0
  for await (const page of readPages(chunks, world, { filter: anybody, directories })) {
    pages += 1
    for (const change of page.changes.toReversed())
      if (isInPlace(filter, change) && change.at >= (filter.since ?? 0)) look(change)
    if (pages > rollbackPagesMax || isTooMuch()) throw tooMuch()
  }
}

/** The blocks with a change that is wanted, or that the job has taken back: of others it does not matter who changed them. */
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

/** Blocks that are summed up before others have their turn. */
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

/** What a rollback of the changes that `filter` wants would do now; `job` is the one that it has begun in already. */
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
  // Only pages that hold one of those blocks' columns are read again.
  await readChanges(read, { ...filter, columns: new Set(concerned.keys()) }, { look, isTooMuch: () => false })
  return sumUp(seen, changes)
}
