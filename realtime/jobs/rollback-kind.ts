import { type PlannedBlock, planRollback, type RollbackCounts } from '../../shared/domain/history/plan-rollback.ts'
import type { JobKind, JobProgress } from '../../shared/domain/jobs/job.ts'
import { filterOfRollback, parseRollbackInput, rollbackName } from '../../shared/domain/jobs/rollback.ts'
import { findRestored } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { chunkPosOf } from '../../shared/rules/positions.ts'
import type { ColumnHolder } from '../world/columns/loaded-world.ts'
import type { ChangeBlocks } from '../world/edits/change-blocks.ts'
import type { BlockChange } from '../world/edits/edit-journal.ts'
import type { NodeWorld } from '../world/node-world.ts'
import { blocksPerSlice, changeSlice } from './change-slice.ts'

export type RollbackDeps = {
  readonly world: Pick<NodeWorld, 'record' | 'loaded' | 'writer' | 'registry'>
  readonly chunks: Pick<ChunkStore, 'getSide' | 'listSide'>
  readonly loop: { readonly changeBlocks: ChangeBlocks }
}

const columnsAtOnce = 3
/** Farther than the views of players, so that players come first. */
const distance = 64

const badInput = (): AppError => new AppError('invalid', 'bad-request', 'The job cannot be read. Start it again.')

/** The blocks of a slice that still match the plan. The others have changed since. */
const stillExpected = ({ world }: RollbackDeps, slice: readonly PlannedBlock[]): readonly BlockChange[] => {
  const { loaded, registry } = world
  return slice.flatMap(({ x, y, z, expected, restored }) => {
    const isExpected = loaded.blockAt(x, y, z) === registry.indexOf(expected)
    const index = findRestored(registry, restored)
    return index === undefined || !isExpected ? [] : [{ x, y, z, index }]
  })
}

const told = (counts: RollbackCounts, all: number): JobProgress => ({
  progress: all === 0 ? 1 : Math.min(1, (counts.blocks + counts.skipped) / all),
  detail: `${counts.blocks} of ${all} blocks were rolled back.${counts.skipped === 0 ? '' : ` ${counts.skipped} stay because others have changed them since.`}`,
  result: counts,
})

/** Undoes changes through the game loop, some blocks per tick. After a crash it continues with the rest. */
export const createRollbackKind = (deps: RollbackDeps): JobKind => ({
  kind: rollbackName,
  lane: 'blocks',
  afterCrash: 'go-on',
  run: async (context) => {
    const input = parseRollbackInput(context.input)
    if (!input.ok) throw badInput()
    const { world, chunks } = deps
    // The latest edits are in the history only once they are durable.
    await world.writer.settle()
    const plan = await planRollback(chunks, world.record, { filter: filterOfRollback(input.value), job: context.job.id })
    const all = plan.done + plan.counts.blocks + plan.counts.skipped
    let counts: RollbackCounts = { ...plan.counts, blocks: plan.done }
    const waiting = [...plan.columns]
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        context.signal.throwIfAborted()
        const [column, blocks] = next
        const holder: ColumnHolder = { distanceTo: () => distance }
        const pos = chunkPosOf(column)
        try {
          await world.loaded.load(pos, holder)
          for (let at = 0; at < blocks.length; at += blocksPerSlice) {
            const slice = blocks.slice(at, at + blocksPerSlice)
            const changed = await changeSlice(deps.loop, context.signal, () => ({
              changes: stillExpected(deps, slice),
              by: context.job.by,
              via: 'rollback',
              undoes: context.job.id,
            }))
            const skipped = counts.skipped + slice.length - changed
            counts = { ...counts, blocks: counts.blocks + changed, skipped }
            context.tell(told(counts, all))
          }
        } finally {
          world.loaded.letGo(pos, holder)
        }
      }
    }
    context.tell(told(counts, all))
    const workers = await Promise.allSettled(Array.from({ length: columnsAtOnce }, work))
    const failed = workers.find((worker) => worker.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const { detail, result } = told(counts, all)
    return { detail, result }
  },
})
