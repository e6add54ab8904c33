import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { chunkKey } from '../../../shared/rules/positions.ts'
import type { ColumnSlot } from './column-slot.ts'
import type { Tasks } from './tasks.ts'

/** Columns with a damaged record. Each is reported once and removed from the store, so that it is generated again. */
export type DamagedColumns = {
  setAside(slot: ColumnSlot, fault: string): void
  /** The number of damaged records since the start. */
  count(): number
}

export type DamagedColumnsDeps = {
  readonly store: Pick<ChunkStore, 'setAside'>
  readonly world: WorldRef
  readonly fence: number
  readonly log: Log
  readonly tasks: Tasks
  /** The record has been removed. */
  readonly done: (slot: ColumnSlot) => void
  readonly fail: (slot: ColumnSlot, error: unknown) => void
}

export const createDamagedColumns = (deps: DamagedColumnsDeps): DamagedColumns => {
  const { store, world, fence, log, tasks, done, fail } = deps
  /** Those whose record is still in the store. */
  const reported = new Set<number>()
  let count = 0

  const report = ({ pos }: ColumnSlot, fault: string): void => {
    const key = chunkKey(pos.cx, pos.cz)
    if (reported.has(key)) return
    reported.add(key)
    count += 1
    log.error(
      { world: world.name, ...pos, fault },
      'the record of a column is damaged; it is set aside and the column is generated again',
    )
  }

  const move = async (slot: ColumnSlot): Promise<void> => {
    try {
      await store.setAside(world, slot.pos, fence)
      reported.delete(chunkKey(slot.pos.cx, slot.pos.cz))
      slot.isSettingAside = false
      done(slot)
    } catch (error) {
      slot.isSettingAside = false
      log.warn({ err: error, world: world.name, ...slot.pos }, 'a damaged record could not be set aside; retrying')
      fail(slot, error)
    }
  }

  return {
    setAside: (slot, fault) => {
      report(slot, fault)
      slot.isSettingAside = true
      tasks.run(() => move(slot))
    },
    count: () => count,
  }
}
