import type { ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { bodySides, firstBlock, lastBlock } from '../../shared/rules/movement/body-extent.ts'
import { findGround } from '../../shared/rules/movement/reach.ts'
import { type ChunkPos, chunkCoordinate } from '../../shared/rules/positions.ts'
import type { TickTimes } from '../metrics/tick-times.ts'
import type { ColumnHolder, LoadedWorld } from './columns/loaded-world.ts'
import type { PositionSaver } from './position-saver.ts'
import type { WorldControl, WorldPoint } from './world-of-node.ts'
import type { ChunkWriter } from './writing/chunk-writer.ts'

export type WorldControlDeps = {
  readonly record: Pick<WorldRecord, 'id' | 'name' | 'seed' | 'generator' | 'createdAt'>
  readonly chunks: Pick<ChunkStore, 'stats'>
  readonly loaded: Pick<LoadedWorld, 'blockAt' | 'load' | 'letGo' | 'stats'>
  readonly writer: Pick<ChunkWriter, 'settle'>
  readonly places: Pick<PositionSaver, 'flush'>
  readonly tickTimes: Pick<TickTimes, 'summarise'>
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long to wait for a column. */
  readonly loadWithinMs?: number
}

/** The columns under a body: one, or up to four at corners. */
const columnsUnder = ({ x, z }: WorldPoint): ChunkPos[] => {
  const cxs = new Set([firstBlock(x, bodySides), lastBlock(x, bodySides)].map(chunkCoordinate))
  const czs = new Set([firstBlock(z, bodySides), lastBlock(z, bodySides)].map(chunkCoordinate))
  return [...cxs].flatMap((cx) => [...czs].map((cz) => ({ cx, cz })))
}

const tooLate = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The blocks there could not be loaded in time. Try again.', {
    retryAfterSeconds: 5,
  })

/** Settles like `work`, or rejects after the time limit. */
const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The world of a node, for its commands. */
export const createWorldControl = (deps: WorldControlDeps): WorldControl => {
  const { record, chunks, loaded, writer, places, tickTimes, clock, loadWithinMs = 5000 } = deps
  return {
    name: record.name,
    describe: async () => {
      const { name, seed, generator, createdAt } = record
      const { loaded: loadedColumns, loading: loadingColumns } = loaded.stats()
      const { chunkCount, sizeBytes } = await chunks.stats(record)
      const summary = tickTimes.summarise()
      return { name, seed, generator, createdAt, chunkCount, sizeBytes, loadedColumns, loadingColumns, tickTimes: summary }
    },
    save: async () => {
      const beganMs = clock.monotonic()
      await writer.settle()
      const written = await places.flush()
      const { chunkCount } = await chunks.stats(record)
      return { chunkCount, places: written, milliseconds: clock.monotonic() - beganMs }
    },
    findGround: async (at) => {
      const holder: ColumnHolder = { distanceTo: () => 0 }
      const columns = columnsUnder(at)
      try {
        await within(loadWithinMs, Promise.all(columns.map((pos) => loaded.load(pos, holder))))
        const y = findGround({ loaded }, at)
        if (y === undefined) throw tooLate()
        return { ...at, y }
      } finally {
        for (const pos of columns) loaded.letGo(pos, holder)
      }
    },
  }
}
