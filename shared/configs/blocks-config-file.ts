import type { Fault } from '../kernel/errors.ts'
import { airBlock, placeholder } from '../worlds/block-registry.ts'
import { BlocksConfig } from './blocks-config.ts'
import { defineConfigFile } from './config-file.ts'

const builtIn: ReadonlyMap<string, string> = new Map([
  [airBlock.id, 'is built in, and what a broken block becomes'],
  [placeholder.id, 'is built in, for blocks whose id is not in this file'],
])

const findIdFaults = ({ blocks }: BlocksConfig): Fault[] => {
  const seen = new Set<string>()
  return blocks.flatMap(({ id }, index): Fault[] => {
    const pointer = `/blocks/${index}/id`
    const reason = builtIn.get(id)
    if (reason !== undefined) return [{ pointer, message: `"${id}" ${reason}: use another id` }]
    if (seen.has(id)) return [{ pointer, message: `"${id}" is the id of an earlier block: take one of the two away` }]
    seen.add(id)
    return []
  })
}

/** `blocks.yaml`: in force after a restart, since clients and columns in memory go by the order of its blocks. */
export const blocksConfigFile = defineConfigFile({
  schema: BlocksConfig,
  summary: 'The kinds of blocks that worlds are built of.',
  effect: 'restart',
  crossCheck: findIdFaults,
})
