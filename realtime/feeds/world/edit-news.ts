import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { ToldChange } from '../../world/edits/tell-changes.ts'
import type { FeedEdit } from './world-messages.ts'

/** A changed block as JSON, with its position to compare with views. */
export type PrintedEdit = { readonly x: number; readonly z: number; readonly json: string }

/** The changed blocks of one round, in order. `isCut`: there were more. */
export type RoundEdits = { readonly edits: readonly PrintedEdit[]; readonly isCut: boolean }

/** The maximum number of changed blocks in one round: about 500 KiB. */
const editsMax = 4096

export const noEdits: RoundEdits = { edits: [], isCut: false }

/** Collects changed blocks between rounds. */
export const createEditNews = (registry: Pick<BlockRegistry, 'idOf'>) => {
  let edits: PrintedEdit[] = []
  let isCut = false

  const print = ({ x, y, z, index, before, by, via }: ToldChange): PrintedEdit => {
    const edit: FeedEdit = { x, y, z, type: registry.idOf(index), was: registry.idOf(before), via }
    return { x, z, json: JSON.stringify(by === '' ? edit : { ...edit, by }) }
  }

  return {
    add: (changes: readonly ToldChange[]): void => {
      const room = editsMax - edits.length
      for (const change of changes.slice(0, room)) edits.push(print(change))
      isCut ||= changes.length > room
    },
    /** The changes since the last call. */
    take: (): RoundEdits => {
      if (edits.length === 0) return noEdits
      const taken = { edits, isCut }
      edits = []
      isCut = false
      return taken
    },
  }
}
