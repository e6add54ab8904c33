import type { ChunkRecord, ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { AppError } from '../../../shared/kernel/errors.ts'

export const storageFull = (): AppError => new AppError('unavailable', 'storage-full', 'There is no room left.')

/** A real ChunkStore that stores slowly or refuses to store, as a test says. */
export type FaultyChunkStore = ChunkStore & {
  /** Every attempt to write, in order. */
  readonly attempts: (readonly ChunkRecord[])[]
  /** Each write fails with what `error` makes of its records, until told otherwise; where it makes nothing the write succeeds. */
  refuse(error: (records: readonly ChunkRecord[]) => Error | undefined): void
  accept(): void
  /** Writes wait until the function that is returned is called. */
  hold(): () => void
  /** Writes arrive, and fail all the same. */
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
