import type { ChunkStore, SideRecord, SideWrite, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { type Copying, createDigest, type Part } from './part.ts'

/** Each may have 350,000 bytes. */
const recordsPerPage = 32
/** The maximum of one write. */
const recordsPerWrite = 8

/** The records next to the columns of a world, by key. Memory use does not grow with them. */
async function* listPages(chunks: Pick<ChunkStore, 'listSide'>, world: WorldRef): AsyncGenerator<readonly SideRecord[], void> {
  let last: string | undefined
  for (;;) {
    const page = await chunks.listSide(world, '', { after: last, limit: recordsPerPage })
    if (page.length === 0) return
    yield page
    last = page.at(-1)?.key
  }
}

/** Deletes records that only the target has, then writes those it lacks. */
const copySide = async (world: WorldRef, copying: Copying): Promise<void> => {
  const { source, target, isResumed, onKept, leaseOf, signal } = copying
  const { fence } = leaseOf(world.name)
  const write = async (writes: readonly SideWrite[]): Promise<void> => {
    for (let from = 0; from < writes.length; from += recordsPerWrite)
      await target.chunks.putMany(world, [], fence, writes.slice(from, from + recordsPerWrite))
  }
  if (isResumed)
    for await (const page of listPages(target.chunks, world)) {
      signal.throwIfAborted()
      const keys = page.map(({ key }) => key)
      const wanted = await source.chunks.getSide(world, keys)
      await write(keys.filter((_, at) => wanted[at] === undefined).map((key) => ({ key, bytes: undefined })))
    }
  for await (const page of listPages(source.chunks, world)) {
    signal.throwIfAborted()
    const keys = page.map(({ key }) => key)
    const there = isResumed ? await target.chunks.getSide(world, keys) : []
    await write(page.filter(({ bytes }, at) => Buffer.compare(bytes, there[at] ?? Buffer.alloc(0)) !== 0))
    onKept(page.length)
  }
}

/** Records next to the columns of a world, byte for byte: the pages of its block history, and their directories. */
export const sidePart = (world: WorldRef): Part => ({
  name: `history of ${world.name}`,
  count: async ({ chunks }) => {
    let count = 0
    for await (const page of listPages(chunks, world)) count += page.length
    return count
  },
  copy: (copying) => copySide(world, copying),
  digest: async ({ chunks }, { onSeen, signal }) => {
    const digest = createDigest()
    for await (const page of listPages(chunks, world)) {
      signal.throwIfAborted()
      for (const { key, bytes } of page) digest.add(key, bytes)
      onSeen(page.length)
    }
    return digest.end()
  },
})
