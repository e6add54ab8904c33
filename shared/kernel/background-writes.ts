type WriteLoopDeps<T> = {
  /** Writes up to this number of batches. */
  readonly write: (batches: number) => Promise<T>
  /** The pause of `step` after a failure. */
  readonly retryAfterMs: number
  /** The first failure of an outage. */
  readonly failed: (error: unknown) => void
  /** The first success after an outage. */
  readonly recovered: () => void
}

/** Runs one write at a time for an owner that must never wait, such as the game loop. */
export const createWriteLoop = <T>({ write, retryAfterMs, failed, recovered }: WriteLoopDeps<T>) => {
  let underWay: Promise<T> | undefined
  let isFailing = false
  let writeFromMs = Number.NEGATIVE_INFINITY

  const attempt = async (work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work()
      if (isFailing) recovered()
      isFailing = false
      return result
    } catch (error) {
      if (!isFailing) failed(error)
      isFailing = true
      throw error
    }
  }
  const start = (work: () => Promise<T>): Promise<T> => {
    underWay = attempt(work).finally(() => {
      underWay = undefined
    })
    return underWay
  }
  /** The running write, or a new one. Rejects with its error. */
  const run = (batches: number): Promise<T> => underWay ?? start(() => write(batches))
  const isReady = (nowMs: number): boolean => underWay === undefined && nowMs >= writeFromMs

  return {
    run,
    /** Runs other work as the only write, after the running one. Rejects with its error. */
    runAlone: async (work: () => Promise<T>): Promise<T> => {
      while (underWay !== undefined) await underWay.catch(() => undefined)
      return start(work)
    },
    /** Whether `step` would start a write now. */
    isReady,
    isWriting: () => underWay !== undefined,
    /** Starts a write of one batch if it is ready. */
    step: (nowMs: number): void => {
      if (!isReady(nowMs)) return
      run(1).catch(() => {
        writeFromMs = nowMs + retryAfterMs
      })
    },
  }
}

type BatchWriterDeps<K, V> = Omit<WriteLoopDeps<number>, 'write'> & {
  /** Writes one batch and resolves to the number of written values. `lane` counts the batches that run at the same time. */
  readonly write: (batch: readonly (readonly [K, V])[], lane: number) => Promise<number>
  readonly batchMax: number
  /** The number of batches of a flush that run at the same time. */
  readonly flushedAtOnce: number
}

/** Collects the last value of each key and writes them in batches. A batch that fails is written again later. */
export const createBatchWriter = <K, V>({ write, batchMax, flushedAtOnce, ...deps }: BatchWriterDeps<K, V>) => {
  const waiting = new Map<K, V>()
  const writing = new Map<K, V>()

  const take = (count: number): readonly (readonly [K, V])[] => {
    for (const [key, value] of waiting) {
      if (writing.size === count) break
      writing.set(key, value)
      waiting.delete(key)
    }
    return [...writing]
  }

  /** All batches have ended when it rejects, so older values cannot overwrite newer ones. */
  const writeBatches = async (batches: number): Promise<number> => {
    const entries = take(batches * batchMax)
    const parts: (typeof entries)[] = []
    for (let at = 0; at < entries.length; at += batchMax) parts.push(entries.slice(at, at + batchMax))
    const results = await Promise.allSettled(parts.map(write))
    writing.clear()
    for (const [lane, part] of parts.entries())
      if (results[lane]?.status === 'rejected') for (const [key, value] of part) if (!waiting.has(key)) waiting.set(key, value)
    let written = 0
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      written += result.value
    }
    return written
  }

  const loop = createWriteLoop({ ...deps, write: writeBatches })
  return {
    set: (key: K, value: V): void => void waiting.set(key, value),
    /** A value that is not written yet. */
    get: (key: K): V | undefined => waiting.get(key) ?? writing.get(key),
    /** Starts a batch if one is due and none is running. */
    step: (nowMs: number): void => {
      if (waiting.size > 0) loop.step(nowMs)
    },
    /** Runs work that writes values itself and resolves to their number. No batch runs at that time. */
    runAlone: loop.runAlone,
    /** Writes everything and resolves to the number of written values. Rejects with the error of a batch, and retries later. */
    flush: async (): Promise<number> => {
      let written = 0
      while (loop.isWriting() || waiting.size > 0) written += await loop.run(flushedAtOnce)
      return written
    },
    /** The number of values that are not written yet. */
    size: (): number => waiting.size + writing.size,
  }
}
