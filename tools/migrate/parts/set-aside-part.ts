import type { ChunkRecord, ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createDigest, type Part, sha256Of } from './part.ts'

const nameOf = ({ cx, cz, bytes }: ChunkRecord): string => `${cx},${cz} ${sha256Of(bytes)}`

/** A name for each set-aside record, the same for the same bytes of a column. */
const listNames = async (chunks: Pick<ChunkStore, 'listSetAside'>, world: WorldRef): Promise<string[]> => {
  const names: string[] = []
  for await (const record of chunks.listSetAside(world)) names.push(nameOf(record))
  return names
}

/**
 * Damaged records that were set aside for an operator. They are copied before the columns, because each takes the place of its
 * column for a moment.
 */
export const setAsidePart = (world: WorldRef): Part => ({
  name: `set aside of ${world.name}`,
  count: async ({ chunks }) => (await listNames(chunks, world)).length,
  copy: async ({ source, target, leaseOf, onKept, signal }) => {
    const { fence } = leaseOf(world.name)
    const there = new Map<string, number>()
    for (const name of await listNames(target.chunks, world)) there.set(name, (there.get(name) ?? 0) + 1)
    for await (const record of source.chunks.listSetAside(world)) {
      signal.throwIfAborted()
      const left = there.get(nameOf(record)) ?? 0
      there.set(nameOf(record), left - 1)
      if (left <= 0) {
        await target.chunks.putMany(world, [record], fence)
        await target.chunks.setAside(world, record, fence)
      }
      onKept(1)
    }
  },
  digest: async ({ chunks }, { onSeen }) => {
    const digest = createDigest()
    for (const name of (await listNames(chunks, world)).sort()) digest.add(name, '')
    const ended = digest.end()
    onSeen(ended.count)
    return ended
  },
})
