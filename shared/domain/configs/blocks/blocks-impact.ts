import type { BlocksConfig } from '../../worlds/blocks-config.ts'
import type { BlocksImpact } from '../compare/config-impact-schema.ts'
import { isSame } from '../compare/list-changes.ts'

/** The added, changed and removed blocks, and whether the order of the others changes. */
export const describeBlocksImpact = (stored: BlocksConfig, next: BlocksConfig): BlocksImpact => {
  const before = new Map(stored.blocks.map((block) => [block.id, block]))
  const after = new Map(next.blocks.map((block) => [block.id, block]))
  const isChanged = (id: string) => before.has(id) && !isSame(before.get(id), after.get(id))
  const staying = [...before.keys()].filter((id) => after.has(id))
  const stayingNow = [...after.keys()].filter((id) => before.has(id))
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    changed: [...after.keys()].filter(isChanged),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    moved: staying.some((id, at) => id !== stayingNow[at]),
  }
}
