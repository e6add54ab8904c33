import { AppError } from '../kernel/errors.ts'
import { type BlockPos, chunkCoordinate, chunkKey } from '../worlds/space/positions.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { BlockChange } from './block-change.ts'
import { type ChangeFilter, isByAndWhen, isInPlace, readPages } from './find-changes.ts'

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

/** What a rollback of the changes that `filter` wants would do now; `job` is the one that it has begun in already. */
export const planRollback = async (
  chunks: Pick<ChunkStore, 'getSide' | 'listSide'>,
  world: WorldRef,
  { filter, job }: { readonly filter: ChangeFilter; readonly job?: string },
): Promise<RollbackPlan> => {
  const seen = new Map<number, Map<number, Seen>>()
  const { by: _by, until: _until, ...anybody } = filter
  let [pages, blocks, changes] = [0, 0, 0]

  const look = (change: BlockChange): void => {
    const { x, y, z, from, to } = change
    const column = chunkKey(chunkCoordinate(x), chunkCoordinate(z))
    const known = seen.get(column) ?? new Map<number, Seen>()
    seen.set(column, known)
    const block = known.get(placeInColumn(change))
    if (block === undefined) {
      const state = firstState(change, filter, job)
      if (state === 'wanted') changes += 1
      known.set(placeInColumn(change), { x, y, z, state, expected: to, restored: from })
      blocks += 1
      return
    }
    const isWanted = isByAndWhen(filter, change)
    if (block.state === 'left' && isWanted) block.state = 'skipped'
    if (block.state !== 'wanted') return
    if (isWanted) {
      changes += 1
      block.restored = from
    } else block.state = 'settled'
  }

  for await (const page of readPages(chunks, world, { filter: anybody })) {
    pages += 1
    for (const change of page.changes.toReversed())
      if (isInPlace(filter, change) && change.at >= (filter.since ?? 0)) look(change)
    if (pages > rollbackPagesMax || blocks > rollbackBlocksMax) throw tooMuch()
  }
  const all = [...seen].map(([column, known]) => [column, [...known.values()]] as const)
  const count = (state: Seen['state']): number =>
    all.reduce((sum, [, known]) => sum + known.filter((block) => block.state === state).length, 0)
  const isToDo = ({ state, expected, restored }: Seen): boolean =>
    (state === 'wanted' || state === 'settled') && expected !== restored
  const columns = new Map(
    all.map(([column, known]) => [column, known.filter(isToDo)] as const).filter(([, known]) => known.length > 0),
  )
  const toDo = [...columns.values()].reduce((sum, known) => sum + known.length, 0)
  return { columns, counts: { changes, blocks: toDo, columns: columns.size, skipped: count('skipped') }, done: count('done') }
}
