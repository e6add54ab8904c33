import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../shared/kernel/errors.ts'
import { chunkMax, chunkMin } from '../../shared/rules/positions.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'

/** Repeats an operation when DynamoDB throttles or is unavailable for a moment. */
export type Retry = <T>(run: () => Promise<T>) => Promise<T>

type RetriesDeps = {
  /** Pauses between the attempts, in milliseconds. */
  readonly pausesMs?: readonly number[]
  readonly complain: (text: string) => void
  readonly signal: AbortSignal
}

/** Half a minute: a longer outage is reported to the operator. */
const usualPausesMs = [500, 1000, 2000, 4000, 8000, 15_000] as const

const mayPass = (error: unknown): error is AppError =>
  error instanceof AppError && error.kind === 'unavailable' && error.retryAfterSeconds !== undefined

export const createRetries = ({ pausesMs = usualPausesMs, complain, signal }: RetriesDeps): Retry => {
  let isWaiting = false
  return async (run) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await run()
        isWaiting = false
        return answer
      } catch (error) {
        const pauseMs = pausesMs[attempt]
        if (!mayPass(error) || pauseMs === undefined || signal.aborted) throw error
        if (!isWaiting) complain('DynamoDB does not answer or limits requests. Trying again.\n')
        isWaiting = true
        await sleep(pauseMs, undefined, { signal })
      }
    }
  }
}

const everywhere = { minCx: chunkMin, maxCx: chunkMax, minCz: chunkMin, maxCz: chunkMax }

/** Continues after the last received row. */
const listRowsWithRetries = (chunks: SourcePlace['chunks'], retry: Retry): SourcePlace['chunks']['discovered'] =>
  async function* (world, box = everywhere) {
    let { minCx } = box
    const open = () => chunks.discovered(world, { ...box, minCx })[Symbol.asyncIterator]()
    let rows = open()
    const step = async () => {
      try {
        return await rows.next()
      } catch (error) {
        rows = open()
        throw error
      }
    }
    for (;;) {
      const { done, value } = await retry(step)
      if (done) return
      minCx = value.cx + 1
      yield value
    }
  }

/** The place with retries for each page and record read. */
export const readWithRetries = (place: SourcePlace, retry: Retry): SourcePlace => {
  const { store, chunks, accounts, configs } = place
  return {
    ...place,
    store: {
      get: (collection, id) => retry(() => store.get(collection, id)),
      list: (collection, options) => retry(() => store.list(collection, options)),
    },
    chunks: {
      getMany: (world, positions) => retry(() => chunks.getMany(world, positions)),
      getSide: (world, keys) => retry(() => chunks.getSide(world, keys)),
      listSide: (world, prefix, page) => retry(() => chunks.listSide(world, prefix, page)),
      stats: (world) => retry(() => chunks.stats(world)),
      discovered: listRowsWithRetries(chunks, retry),
      listSetAside: chunks.listSetAside,
    },
    accounts: { listAccounts: (query) => retry(() => accounts.listAccounts(query)) },
    configs: {
      findInForce: (name) => retry(() => configs.findInForce(name)),
      listEarlier: (name) => retry(() => configs.listEarlier(name)),
      findEarlier: (name, revision) => retry(() => configs.findEarlier(name, revision)),
    },
  }
}

/** The place with retries for writes too. Each of them may be done twice. */
export const writeWithRetries = (place: TargetPlace, retry: Retry): TargetPlace => {
  const { store, chunks, accounts, configs } = place
  const reading = readWithRetries(place, retry)
  return {
    ...place,
    store: {
      ...store,
      ...reading.store,
      put: (collection, id, value, precondition) => retry(() => store.put(collection, id, value, precondition)),
      delete: (collection, id, precondition) => retry(() => store.delete(collection, id, precondition)),
    },
    chunks: {
      ...chunks,
      ...reading.chunks,
      putMany: (world, records, fence, beside) => retry(() => chunks.putMany(world, records, fence, beside)),
    },
    accounts: {
      ...accounts,
      ...reading.accounts,
      change: (email, decide) => retry(() => accounts.change(email, decide)),
    },
    configs: { ...reading.configs, putInForce: (name, text) => retry(() => configs.putInForce(name, text)) },
  }
}
