import type { ChunkRecord, ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { AppError } from '../../../shared/kernel/errors.ts'

export const storageFull = (): AppError => new AppError('unavailable', 'storage-full', 'There is no room left.')

/** A real ChunkStore with delays and faults that a test controls. */
export type FaultyChunkStore = ChunkStore & {
  /** Every attempt to write, in order. */
  readonly attempts: (readonly ChunkRecord[])[]
  /** Makes writes fail with the result of `error`; a write succeeds if that is undefined. */
  refuse(error: (records: readonly ChunkRecord[]) => Error | undefined): void
  accept(): void
  /** Holds writes until the returned function is called. */
  hold(): () => void
  /** If true, writes are stored and fail nevertheless. */
  failAfterwards: boolean
}

export const createFaultyChunkStore = (inner: ChunkStore): FaultyChunkStore => {
  let fault: (records: readonly ChunkRecord[]) => Error | undefined = () => undefined
  let gate = Promise.resolve()
  const store: FaultyChunkStore = {
    ...inner,
    attempts: [],
    failAfterwards: false,
    putMany: async (world, records, fence, beside) => {
      store.attempts.push(records)
      await gate
      const error = fault(records)
      if (error === undefined || store.failAfterwards) await inner.putMany(world, records, fence, beside)
      if (error !== undefined) throw error
    },
    refuse: (error) => {
      fault = error
    },
    accept: () => {
      fault = () => undefined
    },
    hold: () => {
      let release = (): void => {}
      gate = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
  }
  return store
}
