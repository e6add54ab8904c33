import { letOthersWork } from '../../../shared/kernel/turns.ts'
import type { LoadedColumn } from './loaded-world.ts'

/** Unpacked in one turn of the event loop, at some 60 µs each. */
const columnsPerTurn = 16

/** Unpacks what is packed of many columns, some at a time, before a tick looks at all of them; they stay so for ten seconds. */
export const openColumns = async (columns: readonly LoadedColumn[]): Promise<void> => {
  for (const [at, column] of columns.entries()) {
    if (at % columnsPerTurn === columnsPerTurn - 1) await letOthersWork()
    void column.chunk
  }
}
