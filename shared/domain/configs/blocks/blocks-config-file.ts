import type { Fault } from '../../../kernel/errors.ts'
import { BlocksConfig } from '../../worlds/blocks-config.ts'
import { airBlock, placeholder } from '../../worlds/chunks/block-registry.ts'
import { defineConfigFile } from '../declare/config-file.ts'

type Block = BlocksConfig['blocks'][number]

const builtIn: ReadonlyMap<string, string> = new Map([
  [airBlock.id, 'is built in for empty space'],
  [placeholder.id, 'is built in for blocks with an unknown id'],
])

const findIdFaults = ({ blocks }: BlocksConfig): Fault[] => {
  const seen = new Set<string>()
  return blocks.flatMap(({ id }, index): Fault[] => {
    const pointer = `/blocks/${index}/id`
    const reason = builtIn.get(id)
    if (reason !== undefined) return [{ pointer, message: `"${id}" ${reason}: use another id` }]
    if (seen.has(id)) return [{ pointer, message: `"${id}" is already the id of an earlier block: remove one of them` }]
    seen.add(id)
    return []
  })
}

/** The blocks of `next`, and removed blocks at their old positions: nodes and clients may still have them in their worlds. */
const keepTakenAway = (inForce: BlocksConfig, next: BlocksConfig): BlocksConfig => {
  const ids = new Set(next.blocks.map(({ id }) => id))
  const takenAfter = new Map<string | undefined, Block[]>()
  let before: string | undefined
  for (const block of inForce.blocks) {
    if (ids.has(block.id)) before = block.id
    else {
      const others = takenAfter.get(before) ?? []
      others.push(block)
      takenAfter.set(before, others)
    }
  }
  const takenFirst = takenAfter.get(undefined) ?? []
  return { blocks: [...takenFirst, ...next.blocks.flatMap((block) => [block, ...(takenAfter.get(block.id) ?? [])])] }
}

/** `blocks.yaml`: applies on reload, except that removed blocks stay until a restart. */
export const blocksConfigFile = defineConfigFile({
  schema: BlocksConfig,
  summary: 'The kinds of blocks.',
  effect: 'restart',
  crossCheck: findIdFaults,
  afterReload: keepTakenAway,
  isNote: (pointer) => /^\/blocks\/\d+\/name$/.test(pointer),
})
