import { letOthersWork } from '../../../shared/kernel/turns.ts'
import type { LoadedColumn } from './loaded-world.ts'

/** The number of columns unpacked in one turn of the event loop, at about 60 µs each. */
const columnsPerTurn = 16

/** Unpacks many columns in small batches, before a tick uses all of them. They stay unpacked for ten seconds. */
export const openColumns = async (columns: readonly LoadedColumn[]): Promise<void> => {
  for (const [at, column] of columns.entries()) {
    if (at % columnsPerTurn === columnsPerTurn - 1) await letOthersWork()
    void column.chunk
  }
}
